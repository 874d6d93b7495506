public import RequestWire

/// The rules for a push's headers. Source: Apple, "Sending notification requests to APNs", unless a rule names another.
public enum HeaderRules {
    /// In bytes of UTF-8.
    public static let maximumCollapseIDByteCount = 64

    /// Rejects repeated headers. Assumption: APNs means the `apns-` headers and `authorization`. HTTP/2 itself forbids
    /// repeated pseudo-header fields.
    public static func checkDuplicates(_ request: borrowing RequestBlock) throws(APNsRejection) {
        guard request.hasRepeated else { return }
        let names = request.repeatedNames.map { "\($0.text)" }
        guard names.contains(where: { $0.hasPrefix("apns-") || $0 == "authorization" }) else { return }
        throw APNsRejection(
            .duplicateHeaders, "headers.duplicate",
            "Sent more than once: \(names.joined(separator: ", ")). Send each header once.")
    }

    /// `apns-id`: a UUID in canonical form. Apple writes lower case; either case is accepted.
    public static func messageID(_ request: borrowing RequestBlock) throws(APNsRejection) -> APNsID? {
        try identifier(.apnsID, request)?.id
    }

    /// - Returns: nil when the header is absent.
    @inline(__always)
    static func identifier(
        _ name: HeaderName, _ request: borrowing RequestBlock
    ) throws(APNsRejection) -> (id: APNsID, range: FieldRange)? {
        guard let range = request[name] else { return nil }
        if let id = APNsID(request.bytes.span.bytes.extracting(range.bounds)) { return (id, range) }
        throw APNsRejection(
            .badMessageID, "\(name.text).form",
            "\(name.text) is \(quoted(name, request)), not a UUID such as 123e4567-e89b-12d3-a456-426614174000.")
    }

    /// `apns-expiration`: whole seconds since 1970. A past instant is legal.
    public static func expiration(_ request: borrowing RequestBlock) throws(APNsRejection) -> Expiration {
        guard let range = request[.apnsExpiration] else { return .unspecified }
        let bytes = request.bytes.span.bytes.extracting(range.bounds)
        if let expiration = Expiration(bytes) { return expiration }
        let text = bytes.text
        let hint =
            if text.contains(".") {
                "It has a fraction: send whole seconds."
            } else if text.hasPrefix("-") {
                "It is negative: omit the header, or send 0 for one attempt."
            } else {
                "Send whole seconds since 1970, UTC, in decimal digits."
            }
        throw APNsRejection(
            .badExpirationDate, "apns-expiration.form",
            "apns-expiration is \(quoted(.apnsExpiration, request)). \(hint)")
    }

    /// `apns-priority`: 10, 5 or 1; 10 when absent.
    public static func priority(_ request: borrowing RequestBlock) throws(APNsRejection) -> Priority {
        guard let range = request[.apnsPriority] else { return .immediate }
        if let priority = Priority(request.bytes.span.bytes.extracting(range.bounds)) { return priority }
        throw APNsRejection(
            .badPriority, "apns-priority.value",
            "apns-priority is \(quoted(.apnsPriority, request)); it must be 10, 5 or 1.")
    }

    public static func checkCollapseID(_ request: borrowing RequestBlock) throws(APNsRejection) {
        guard let range = request[.apnsCollapseID], range.count > maximumCollapseIDByteCount else { return }
        let characters = request.value(of: .apnsCollapseID)?.count ?? 0
        throw APNsRejection(
            .badCollapseID, "apns-collapse-id.length",
            "apns-collapse-id has \(range.count) bytes (\(characters) characters); at most "
                + "\(maximumCollapseIDByteCount) bytes of UTF-8 are allowed.")
    }

    static func quoted(_ name: HeaderName, _ request: borrowing RequestBlock) -> String {
        let value = request.value(of: name) ?? ""
        return value.count > 80 ? "'\(value.prefix(80))…'" : "'\(value)'"
    }
}
