import DeviceModel
import ExtensionHost
internal import Fields
internal import JSON
internal import Lint

extension FuzzTarget {
    /// What a service extension writes, in pieces; the control byte's upper half is their size.
    static let serviceExtension = FuzzTarget("extension") { input in
        guard let input = ControlledInput(input) else { return }
        var stream = ExtensionStream(maximumByteCount: 4096)
        var total = 0
        input.inPieces { piece in
            guard let tally = stream.read(Array(piece)) else { return false }
            total += tally.messageCount + tally.printedCount + tally.brokenCount
            for json in tally.contents { answer(json) }
            for json in tally.interactions { donate(json) }
            return true
        }
        precondition(total <= input.bytes.count, "more lines than bytes")
    }

    /// An answer is content, or says what is wrong; what was read is read again from what it writes.
    private static func answer(_ json: JSONValue) {
        var original = NotificationContent()
        (original.title, original.body) = ("Title", "Body")
        guard let answer = try? ExtensionAnswer(json, changing: original, keep: { _ in nil }) else { return }
        let written = JSONValue(answer.content.json)
        var again = NotificationContent()
        precondition((try? again.apply(written)) != nil, "an answer cannot be read again")
        precondition(answer.content.traits.hasAlert == answer.content.hasAlert, "traits differ")
        _ = answer.content.payload
    }

    private static func donate(_ json: JSONValue) {
        guard let donation = try? Donation(json, named: "x", keep: { _ in nil }) else { return }
        precondition((try? Donation(JSONValue(donation.json), named: "x", keep: { _ in nil })) != nil, "not read again")
        _ = Lint.findings(for: DonationSubject(donation, from: .extension))
    }
}
