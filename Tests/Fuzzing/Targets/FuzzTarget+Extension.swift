import DeviceModel
import ExtensionHost
internal import Fields
internal import JSON
internal import Lint
internal import NIOCore

extension FuzzTarget {
    /// What a service extension writes, in pieces; the control byte's upper half is their size.
    static let serviceExtension = FuzzTarget("extension") { input in
        guard let input = ControlledInput(input) else { return }
        var lines = LineSplitter(maximumByteCount: 4096)
        var count = 0
        input.inPieces { piece in
            var buffer = ByteBuffer(bytes: piece)
            lines.append(&buffer)
            // A line that is too long ends the stream.
            guard let whole = try? lines.all() else { return false }
            count += whole.count
            for line in whole { receive(line) }
            return true
        }
        precondition(count <= input.bytes.count, "more lines than bytes")
    }

    private static func receive(_ line: [UInt8]) {
        switch (try? ExtensionMessage.read(line))?.kind {
        case .content(let json, _, _), .bestAttempt(let json): answer(json)
        case .donate(let json): donate(json)
        case .center(let call, _): receive(call)
        case nil, .ready, .entered, .returned, .log: break
        }
    }

    /// An answer is content or an error; content must read back equal.
    private static func answer(_ json: JSONValue) {
        var original = NotificationContent()
        (original.title, original.body) = ("Title", "Body")
        guard let answer = try? ExtensionAnswer(json, changing: original, store: { _ in nil }) else { return }
        let written = answer.content.json
        var again = NotificationContent()
        precondition((try? again.apply(written)) != nil, "an answer cannot be read again")
        precondition(answer.content.traits.hasAlert == answer.content.hasAlert, "traits differ")
        _ = answer.content.payload
    }

    private static func donate(_ json: JSONValue) {
        guard let donation = try? Donation(json, named: "x", store: { _ in nil }) else { return }
        precondition((try? Donation(donation.json, named: "x", store: { _ in nil })) != nil, "not read again")
        _ = Lint.findings(for: DonationSubject(donation))
    }

    private static func receive(_ call: ExtensionRun.CenterCall) {
        guard let read = try? DonationCall.read(call, store: { _ in nil }), let written = read.centerCall else {
            return
        }
        precondition((try? DonationCall.read(written) { _ in nil }) == read, "a call about donations is not read again")
    }
}

extension LineSplitter {
    fileprivate mutating func all() throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        while let line = try next() { lines.append(line) }
        return lines
    }
}
