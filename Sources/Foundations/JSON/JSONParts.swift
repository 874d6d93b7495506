/// A long JSON text in parts, which are encoded when they are asked for: the whole is never in memory.
package struct JSONParts: Sequence {
    /// Parts are written together until they are a little longer than this.
    private static let fullByteCount = 64 << 10

    private let parts: AnySequence<[UInt8]>

    /// - Parameter elements: Each is a part, without the end of the list.
    package init(list elements: some Sequence<some Encodable>) {
        let elements = elements.lazy.map { JSONTextEncoder.bytes($0) }
        parts = AnySequence { Self.parts(of: elements, between: "[", "]") }
    }

    /// - Parameter members: Each is a part, without the end of the object.
    package init<Value: Encodable>(members: some Sequence<(name: String, value: Value)>) {
        let members = members.lazy.map {
            JSONTextEncoder.bytes($0.name) + [ASCII.colon] + JSONTextEncoder.bytes($0.value)
        }
        parts = AnySequence { Self.parts(of: members, between: "{", "}") }
    }

    /// - Parameters:
    ///   - object: With something short in the place of its long members.
    ///   - long: By name.
    package init(_ object: some Encodable, with long: [String: JSONParts]) {
        let text = JSONTextEncoder.bytes(object)
        var parts: [AnySequence<[UInt8]>] = []
        text.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes)
            reader.enter()
            var start = 0
            while reader.nextElement() {
                let value = reader.key { long[String(decoding: $0, as: UTF8.self)] }
                let place = reader.position
                reader.skip()
                guard let value else { continue }
                parts += [AnySequence(CollectionOfOne(Array(bytes[start..<place]))), value.parts]
                start = reader.position
            }
            parts.append(AnySequence(CollectionOfOne(Array(bytes[start...]))))
        }
        self.parts = AnySequence(parts.lazy.joined())
    }

    private static func parts(
        of elements: some Sequence<[UInt8]>, between start: String, _ end: String
    ) -> AnyIterator<[UInt8]> {
        var elements = elements.makeIterator()
        var (isFirst, isAtEnd) = (true, false)
        return AnyIterator {
            guard !isAtEnd else { return nil }
            let before = isFirst ? Array(start.utf8) : [ASCII.comma]
            if let element = elements.next() {
                isFirst = false
                return before + element
            }
            isAtEnd = true
            return (isFirst ? before : []) + end.utf8
        }
    }

    package func makeIterator() -> AnySequence<[UInt8]>.Iterator { parts.makeIterator() }

    /// - Parameter write: Gets the text in pieces, each of which but the last ends after an object or array.
    package func write(_ write: ([UInt8]) async throws -> Void) async throws {
        var text: [UInt8] = []
        for part in parts {
            text += part
            guard text.count >= Self.fullByteCount, [ASCII.rightBrace, ASCII.rightBracket].contains(part.last) else {
                continue
            }
            try await write(text)
            text = []
        }
        try await write(text)
    }
}
