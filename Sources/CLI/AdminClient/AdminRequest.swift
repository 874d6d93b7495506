/// A request to the admin API.
package struct AdminRequest: Sendable, Equatable {
    /// What is done.
    package var method: Method
    /// Path segments after the base, not yet escaped.
    package var segments: [String]
    /// Names and values, not yet escaped; a value of `nil` is left out.
    package var query: [(name: String, value: String?)]
    /// Empty for none.
    package var body: [UInt8]
    /// How long to wait for the whole answer.
    package var timeout: Duration

    /// What is done to a resource.
    package enum Method: String, Sendable {
        case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    package init(
        _ method: Method = .get, _ segments: [String], query: [(name: String, value: String?)] = [], body: [UInt8] = [],
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.segments = segments
        self.query = query
        self.body = body
        self.timeout = timeout
    }

    /// Path and query, escaped: `/devices/phone%20two?limit=3`.
    package var target: String {
        let path = segments.map { "/" + Self.escape($0) }.joined()
        let pairs = query.compactMap { pair in
            pair.value.map { "\(Self.escape(pair.name))=\(Self.escape($0))" }
        }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }

    /// Escapes everything but the unreserved characters (RFC 3986 §2.3).
    private static func escape(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                escaped += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return escaped
    }

    /// Whether the same bytes are sent, however long one waits for the answer.
    package static func == (first: AdminRequest, second: AdminRequest) -> Bool {
        first.method == second.method && first.target == second.target && first.body == second.body
    }
}

/// An answer of the admin API.
package struct AdminAnswer: Sendable, Equatable {
    /// 200 and its like.
    package var status: Int
    /// Without what chunks add.
    package var body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
}
