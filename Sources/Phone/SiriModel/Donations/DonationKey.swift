internal import DeviceModel
internal import Fields
internal import JSON

/// The key that equal donations share: the values of one combination of parameters (F.2).
package struct DonationKey: Hashable, Codable, Sendable {
    /// Such as `OrderCoffeeIntent|item=latte,size=large`.
    package let text: String
    /// Names in alphabetical order.
    package let parameters: [String]

    fileprivate init?(_ name: String, _ parameters: [String], _ value: (String) -> String?) {
        let names = parameters.sorted()
        let values = names.compactMap { name in value(name).map { "\(name)=\($0)" } }
        guard values.count == names.count else { return nil }
        text = "\(name)|\(values.joined(separator: ","))"
        self.parameters = names
    }

    /// The combinations of built-in intents; the first with a value for each parameter counts.
    private static let builtIn: [String: [[String]]] = [
        "INSendMessageIntent": [["conversationIdentifier"], ["recipients"]],
        "INStartCallIntent": [["callCapability", "contacts"]],
        "INPlayMediaIntent": [["mediaContainer"], ["mediaItems"]],
    ]

    /// A donation belongs to every combination whose parameters all have values (WWDC18 211).
    static func keys(of intent: JSONValue, in app: App, on device: DeviceConditions) -> [DonationKey] {
        guard let name = intent.intentClass else { return [] }
        let values = CanonicalValues(intent: intent, app: app.bundleID, device: device)
        if name == UserActivity.className { return [activity(intent, values)].compactMap(\.self) }
        if let definition = app.intent(name) {
            var seen: Set<String> = []
            return definition.combinations.compactMap { DonationKey(name, $0.parameters) { values[$0] } }
                .filter { seen.insert($0.text).inserted }
        }
        let known = (builtIn[name] ?? []).lazy.compactMap { DonationKey(name, $0) { values[$0] } }
        return Array(known.prefix(1))
    }

    /// Only values named by `requiredUserInfoKeys` distinguish activities (WWDC18 211).
    private static func activity(_ intent: JSONValue, _ values: CanonicalValues) -> DonationKey? {
        guard let type = intent["activityType"]?.string else { return nil }
        let names = intent["requiredUserInfoKeys"]?.elements.compactMap { $0.string?.ifAny } ?? []
        let info = intent["userInfo"] ?? [:]
        return DonationKey(type, names) { info[$0].flatMap { values.canonical($0) } }
    }
}

/// Values normalized for comparison.
private struct CanonicalValues {
    let intent: JSONValue
    let app: String
    let device: DeviceConditions

    subscript(_ name: String) -> String? {
        if name == "callCapability" { return intent[name]?.string?.ifAny ?? "unknown" }
        guard let value = intent[name] else { return nil }
        // The order of recipients does not matter.
        if case .array(let people) = value, name == "recipients" || name == "contacts" {
            let others = people.filter { $0["isMe"] != .bool(true) }.compactMap { canonical($0) }
            return others.isEmpty ? nil : others.sorted().joined(separator: "+")
        }
        return canonical(value)
    }

    /// nil without a value.
    func canonical(_ value: JSONValue) -> String? {
        switch value {
        case .null: return nil
        case .string(let text): return text
        case .array(let elements): return elements.compactMap { canonical($0) }.joined(separator: "+")
        case .bool, .integer, .number, .verbatim: return value.text
        case .object: break
        }
        if let identifier = value["identifier"]?.string?.ifAny { return identifier }
        if let position = position(of: value) { return position }
        if let address = value["address"]?.string?.ifAny { return address }
        if ["handle", "displayName", "customIdentifier", "contactIdentifier"].contains(where: { value[$0] != nil }) {
            return PersonMatch(Person(MemberReader(value)) { _ in nil }, in: device, bundleID: app).id
        }
        return value["id"]?.string?.ifAny ?? value["spoken"]?.string?.ifAny ?? value.sorted.text
    }

    /// Four decimals are about 11 m.
    private func position(of value: JSONValue) -> String? {
        let place = value["location"] ?? value
        guard let latitude = place["latitude"]?.double, let longitude = place["longitude"]?.double else { return nil }
        return [latitude, longitude].map { String(($0 * 10_000).rounded() / 10_000) }.joined(separator: "/")
    }
}
