package import HTTP1Client

package struct APICall: Sendable {
    package var method: Method
    /// Path segments below the base, not escaped.
    package var segments: [String]
    package var query: Query
    package var body: [UInt8]
    package var timeout: Duration

    /// Not escaped; a pair with value `nil` is omitted.
    package typealias Query = [(name: String, value: String?)]

    package enum Method: String, Sendable {
        case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    package init(
        _ method: Method, _ segments: [String], query: Query = [], body: [UInt8] = [], timeout: Duration = .seconds(30)
    ) {
        (self.method, self.segments, self.query, self.body, self.timeout) = (method, segments, query, body, timeout)
    }

    /// For messages; not escaped.
    var path: String { segments.map { "/" + $0 }.joined() }

    /// Path and query, escaped: `/devices/phone%20two?limit=3`.
    package var target: String {
        let path = segments.map { "/" + percentEncoded($0) }.joined()
        let pairs = query.compactMap { pair in
            pair.value.map { "\(percentEncoded(pair.name))=\(percentEncoded($0))" }
        }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }
}

extension HTTPAnswer {
    package var text: String { String(decoding: body, as: UTF8.self) }
}
