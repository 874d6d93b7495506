internal import DeviceModel
package import JSON
internal import NIOCore

/// What an extension writes, read as the host reads it but without a host: for tests that feed it anything at all.
package struct ExtensionStream {
    private var lines: LineSplitter

    /// - Parameter maximumByteCount: The longest line.
    package init(maximumByteCount: Int) { lines = LineSplitter(maximumByteCount: maximumByteCount) }

    /// What became of the whole lines that are there now.
    package struct Tally: Equatable {
        package var messageCount = 0
        package var printedCount = 0
        package var brokenCount = 0
        /// Contents of answers, in order.
        package var contents: [JSONValue] = []
        /// Interactions, in order.
        package var interactions: [JSONValue] = []
    }

    /// Takes some bytes.
    ///
    /// - Returns: nil when a line is too long; then nothing more can be read.
    package mutating func read(_ bytes: [UInt8]) -> Tally? {
        var buffer = ByteBuffer(bytes: bytes)
        lines.append(&buffer)
        var tally = Tally()
        while true {
            do {
                guard let line = try lines.next() else { return tally }
                tally.note(line)
            } catch {
                return nil
            }
        }
    }
}

extension ExtensionStream.Tally {
    fileprivate mutating func note(_ line: [UInt8]) {
        do {
            guard let message = try ExtensionMessage.read(line) else {
                printedCount += 1
                return
            }
            messageCount += 1
            switch message {
            case .content(_, let json, _, _), .bestAttempt(_, let json): contents.append(json)
            case .donate(_, let json): interactions.append(json)
            case .ready, .entered, .returned, .log, .center: break
            }
        } catch {
            brokenCount += 1
        }
    }
}
