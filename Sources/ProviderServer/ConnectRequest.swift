/// The head of a request to the proxy (RFC 9110 §9.3.6).
struct ConnectRequest: Equatable {
    /// Bytes a head may have. Real ones have one line and at most a few fields.
    static let maximumByteCount = 8192

    var method: String
    /// `host:port` as sent.
    var target: String
    /// In lower case, without a final dot.
    var host: String
    /// 443 when the target names none.
    var port: Int

    enum Outcome: Equatable {
        case incomplete
        case malformed(String)
        case complete(ConnectRequest, byteCount: Int)
    }

    /// What a client is told that sends something else.
    static let expected = "Not an HTTP/1.1 request: expected 'CONNECT api.push.apple.com:443 HTTP/1.1'."

    /// Reads a head; its fields are of no interest here.
    static func parse(_ bytes: some RandomAccessCollection<UInt8>) -> Outcome {
        let end: [UInt8] = [13, 10, 13, 10]
        var offset = 0
        var matched = 0
        for byte in bytes.prefix(maximumByteCount) {
            offset += 1
            matched = byte == end[matched] ? matched + 1 : (byte == 13 ? 1 : 0)
            if matched == end.count { return parse(head: bytes.prefix(offset), byteCount: offset) }
        }
        return bytes.count < maximumByteCount
            ? .incomplete : .malformed("The request head is longer than \(maximumByteCount) bytes.")
    }

    private static func parse(head: some RandomAccessCollection<UInt8>, byteCount: Int) -> Outcome {
        let line = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self)
        let words = line.split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            return .malformed(expected)
        }
        let target = words[1]
        let colon = target.lastIndex(of: ":")
        let port = colon.map { Int(target[target.index(after: $0)...]) ?? -1 } ?? 443
        let request = ConnectRequest(
            method: String(words[0]), target: String(target),
            host: canonical(String(colon.map { target[..<$0] } ?? target)), port: port)
        return .complete(request, byteCount: byteCount)
    }

    /// A host in lower case, without a final dot.
    static func canonical(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
