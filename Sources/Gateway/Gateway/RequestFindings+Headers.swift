internal import APNs
internal import DeviceModel
internal import Fields
internal import RequestWire

extension RequestFindings {
    /// Headers that look like those of APNs but are none, so that APNs ignores them.
    static func unknownHeaders(of request: PackedRequest) -> [Finding] {
        let names = request.head.withUnsafeBytes { head in
            IteratorSequence(HeadReader(head)).compactMap { $0.header == nil ? $0.name(in: head) : nil }
        }
        return names.compactMap { name in
            remark(on: name).map {
                Finding(
                    "headers.unknown", .warning, at: "",
                    "APNs ignores `\(name.prefix(40))`, which is none of its headers\($0)")
            }
        }.bounded
    }

    /// nil for a header of anything else.
    private static func remark(on name: String) -> String? {
        var word = name.plainKey
        if word.hasPrefix("xapns") { word.removeFirst() }
        guard word.hasPrefix("apns") else {
            let near = headers.first { $0.utf8.count > 7 && NearestName.distance(name.prefix(40), $0) == 1 }
            return near.map { ": did you mean `\($0)`?" }
        }
        if let key = PayloadKey.allCases.first(where: { "apns" + $0.rawValue.plainKey == word }) {
            return ": `\(key.rawValue)` is a key of `aps`"
        }
        let known = headers.first { $0.plainKey == word } ?? otherWords[word] ?? NearestName.of(name, among: headers)
        return known.map { ": did you mean `\($0)`?" } ?? ""
    }

    private static let headers = HeaderName.allCases.map { "\($0.text)" }.filter {
        $0.hasPrefix("apns-") || $0 == "authorization"
    }

    private static let otherWords = [
        "apnsexpiry": "apns-expiration", "apnsexpires": "apns-expiration", "apnsttl": "apns-expiration",
        "apnstype": "apns-push-type", "apnsbundleid": "apns-topic",
    ]
}
