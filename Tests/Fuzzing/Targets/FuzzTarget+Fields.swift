internal import DeviceModel
internal import Fields
internal import Foundation
internal import Gateway
internal import JSON

extension FuzzTarget {
    /// JSON for the types that the admin API and `config.yaml` read from tables; values must read back equal.
    static let fields = FuzzTarget("fields") { input in
        guard let input = ControlledInput(input), let json = JSONValue(input.bytes.bytes) else { return }
        switch input.control % 8 {
        case 0: check(App.self, json)
        case 1: check(DeviceConditions.self, json)
        case 2: check(Focus.self, json)
        case 3: check(ServiceExtension.self, json)
        case 4: check(CommunicationContext.self, json)
        case 5: check(NotificationContent.self, json)
        case 6: check(Contact.self, json)
        default:
            for rule in (try? FaultRule.rules(from: json)) ?? [] { checkWriting(rule) }
        }
    }

    private static func check<Value: FieldDescribed>(_ type: Value.Type, _ json: JSONValue) {
        var value = Value()
        do throws(FieldError) {
            try value.apply(json)
        } catch {
            precondition(!error.problems.isEmpty, "refused without a reason")
            return
        }
        checkWriting(value)
    }

    private static func checkWriting<Value: FieldDescribed>(_ value: Value) {
        guard let text = try? JSONEncoder().encode(value.json), let json = JSONValue(Array(text).span.bytes) else {
            preconditionFailure("what is written is no JSON")
        }
        var again = Value()
        do throws(FieldError) {
            try again.apply(json)
        } catch {
            preconditionFailure("what was read is refused when it is written: \(error)")
        }
        precondition(again.json == value.json, "what was read is written otherwise")
    }
}
