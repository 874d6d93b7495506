internal import JSON
public import RequestWire

/// The rules for a request's path and method.
public enum PathRules {
    static let devicePrefix: StaticString = "/3/device/"

    /// - Returns: The token's position in the request's bytes; empty when the path has none.
    public static func tokenRange(_ request: borrowing RequestBlock) throws(APNsRejection) -> Range<Int> {
        let prefix = devicePrefix.utf8CodeUnitCount
        let range = request[.path]?.bounds ?? 0..<0
        let path = request.bytes.span.bytes.extracting(range)
        if path.byteCount >= prefix, path.extracting(0..<prefix).equals(devicePrefix) {
            return range.lowerBound + prefix..<range.upperBound
        }
        if path.equals("/3/device") { return range.upperBound..<range.upperBound }
        if let method = request[.method], request.bytes.span.bytes.extracting(method.bounds).equals("CONNECT") {
            throw APNsRejection(
                .badPath, "path.unknown",
                "The method is CONNECT, and this port is no proxy; a client's proxy is the address of `listen.proxy`.")
        }
        throw APNsRejection(
            .badPath, "path.unknown",
            "The path is \(HeaderRules.quoted(.path, request)); pushes go to /3/device/<device token>.")
    }

    public static func checkMethod(_ request: borrowing RequestBlock) throws(APNsRejection) {
        if let method = request[.method], request.bytes.span.bytes.extracting(method.bounds).equals("POST") { return }
        throw APNsRejection(
            .methodNotAllowed, "method.not-post", "The method is \(HeaderRules.quoted(.method, request)); use POST.")
    }

    /// The token in the path: hexadecimal digits of either case.
    public static func deviceToken(
        _ request: borrowing RequestBlock, at range: Range<Int>
    ) throws(APNsRejection) -> DeviceToken {
        guard !range.isEmpty else {
            throw APNsRejection(
                .missingDeviceToken, "device-token.missing",
                "The path ends after /3/device/; append the device token in hexadecimal.")
        }
        let text = request.bytes.span.bytes.extracting(range)
        if let token = DeviceToken(hex: text) { return token }
        throw malformedToken(text.text)
    }

    private static func malformedToken(_ text: String) -> APNsRejection {
        let bytes = Array(text.utf8)
        if let offset = bytes.firstIndex(where: { ASCII.hexValue($0) == nil }) {
            let character = String(decoding: [bytes[offset]], as: UTF8.self)
            return APNsRejection(
                .badDeviceToken, "device-token.digits",
                "The device token has '\(character)' at position \(offset + 1). "
                    + TokenLookalike.hint(about: text))
        }
        if !bytes.count.isMultiple(of: 2) {
            return APNsRejection(
                .badDeviceToken, "device-token.odd",
                "The device token has \(bytes.count) digits, an odd number: a digit is missing.")
        }
        return APNsRejection(
            .badDeviceToken, "device-token.length",
            "The device token has \(bytes.count) digits, more than the \(2 * DeviceToken.maximumByteCount) accepted.")
    }
}
