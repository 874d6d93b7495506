internal import JSON

/// What people send in place of a device token, and what to send instead.
enum TokenLookalike {
    private struct Row: Sendable {
        var hint: String
        /// Gets the text without percent-encoding.
        var fits: @Sendable (String) -> Bool
    }

    /// - Parameter text: A text that is not hexadecimal, as in the path.
    static func hint(about text: String) -> String {
        let decoded = text.withoutPercents
        return rows.first { $0.fits(decoded) }?.hint ?? "Send the token's bytes as hexadecimal digits."
    }

    /// The first that fits is meant.
    private static let rows = [
        Row(hint: "Remove the query: the path must end with the token's digits.") { text in
            let parts = text.split(separator: "?", omittingEmptySubsequences: false)
            return parts.count > 1 && parts[0].isHexadecimal
        },
        Row(
            hint: "This is a registration token of Firebase Cloud Messaging; send the APNs token that the app gets in "
                + "didRegisterForRemoteNotificationsWithDeviceToken, or push through FCM."
        ) { text in
            // `<instance>:APA91b…`; old tokens have no instance.
            let token = text.split(separator: ":", maxSplits: 1).last ?? ""
            return token.hasPrefix("APA91b")
        },
        Row(
            hint: "This is a token of Expo's push service; send what getDevicePushTokenAsync returns, or push through "
                + "Expo."
        ) { $0.hasPrefix("ExponentPushToken[") || $0.hasPrefix("ExpoPushToken[") },
        Row(hint: "This is the ARN of an SNS endpoint; send the endpoint's attribute Token, or publish through SNS.") {
            $0.hasPrefix("arn:")
        },
        Row(hint: "This is the endpoint of a Web Push subscription; a browser's pushes go to that URL, not to APNs.") {
            $0.hasPrefix("https:") || $0.hasPrefix("http:")
        },
        Row(hint: "This is a printed Optional of Swift; unwrap the token before it becomes text.") {
            $0.hasPrefix("Optional(")
        },
        Row(
            hint: "This looks like the printed form of NSData; send the bytes as hexadecimal digits without <, > and "
                + "spaces."
        ) { text in
            if text.hasPrefix("{length") { return true }
            let digits = text.filter { !"<> ".contains($0) }
            return digits.isHexadecimal && (text.contains("<") || digits.count < text.trimmed.count)
        },
        Row(hint: "This is a placeholder that no value has replaced; send the token's bytes as hexadecimal digits.") {
            text in
            ["{", "}", "$", "<", ">"].contains { text.contains($0) } || text.hasPrefix(":")
                || text.lowercased().contains("token")
        },
        Row(hint: "This is the text of a missing value; send the token's bytes as hexadecimal digits.") {
            ["null", "(null)", "nil", "none", "undefined", "nan", "[object object]"].contains($0.lowercased())
        },
        Row(hint: "The token is in quotation marks; send it without them.") { text in
            ["\"", "'"].contains { text.hasPrefix($0) || text.hasSuffix($0) }
        },
        Row(hint: "There is white space around the token, such as a line break; send the digits only.") {
            $0.trimmed.isHexadecimal
        },
        Row(hint: "The token begins with 0x; send the digits only.") {
            $0.lowercased().hasPrefix("0x") && $0.dropFirst(2).isHexadecimal
        },
        Row(
            hint: "This is a UUID, such as an apns-id, identifierForVendor or the ID of another push service; send the "
                + "APNs token that the app gets in didRegisterForRemoteNotificationsWithDeviceToken."
        ) { text in
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.allSatisfy(\.isHexadecimal)
        },
        Row(
            hint: "This looks like a Firebase installation ID; send the APNs token that the app gets in "
                + "didRegisterForRemoteNotificationsWithDeviceToken."
        ) { text in
            // 17 bytes whose first four bits are 0111, as base64url.
            text.count == 22 && text.first.map { "cdef".contains($0) } ?? false && text.isBase64
        },
        Row(hint: "The path must end with the token's digits.") { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count > 1 && parts[0].count >= 32 && parts[0].isHexadecimal
        },
        Row(hint: "There is more in front of the token; the path is /3/device/<device token>.") { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count > 1 && parts[parts.count - 1].count >= 32 && parts[parts.count - 1].isHexadecimal
        },
        Row(hint: "There are separators between the token's digits; send the digits only.") { text in
            ["-", ":", "_", "."].contains { separator in
                let parts = text.split(separator: separator, omittingEmptySubsequences: false)
                return parts.count > 2 && parts.allSatisfy { $0.count == parts[0].count && $0.isHexadecimal }
            }
        },
        Row(hint: "This looks like base64; send the token's bytes as hexadecimal digits.") {
            $0.count >= 24 && $0.isBase64
        },
    ]
}

extension StringProtocol {
    fileprivate var isHexadecimal: Bool { !isEmpty && utf8.allSatisfy { ASCII.hexValue($0) != nil } }

    /// In either alphabet.
    fileprivate var isBase64: Bool {
        utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2f, 0x3d, 0x5f: true
            default: false
            }
        }
    }

    fileprivate var trimmed: SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension String {
    /// `%7B` becomes `{`; what is no escape stays.
    fileprivate var withoutPercents: String {
        let bytes = Array(utf8)
        var decoded: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place] == 0x25, place + 2 < bytes.count, let high = ASCII.hexValue(bytes[place + 1]),
                let low = ASCII.hexValue(bytes[place + 2])
            {
                decoded.append(UInt8(high << 4 | low))
                place += 3
            } else {
                decoded.append(bytes[place])
                place += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
