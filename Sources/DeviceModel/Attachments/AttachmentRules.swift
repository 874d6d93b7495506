/// Whether a file may go with a notification (C.7).
package enum AttachmentRules {
    /// How many bytes of a file's beginning are looked at.
    package static let headByteCount = AttachmentType.Signature.byteCount

    /// The path of an attachment's file.
    ///
    /// - Returns: nil when the address is none of a file: `attachmentInvalidURL`.
    package static func path(of attachment: NotificationAttachment) -> String? {
        let prefix = "file://"
        guard attachment.url.lowercased().hasPrefix(prefix) else { return nil }
        let rest = attachment.url.dropFirst(prefix.count)
        let host = rest.prefix { $0 != "/" }
        guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
        let path = decoded(rest.dropFirst(host.count))
        return path.flatMap { $0.hasPrefix("/") && !$0.contains("\0") ? $0 : nil }
    }

    /// What type a file is of, when it may be attached.
    ///
    /// - Parameters:
    ///   - name: the file's name, whose extension tells the type unless the attachment has a hint.
    ///   - head: the file's first `headByteCount` bytes.
    /// - Throws: what `UNNotificationAttachment` fails with.
    package static func type(
        of attachment: NotificationAttachment, named name: String, byteCount: Int, head: RawSpan
    ) throws(AttachmentError) -> AttachmentType {
        let hint = attachment.options?.typeHint
        guard let type = AttachmentType(ofFileNamed: name, hint: hint) else {
            throw AttachmentError(.attachmentUnrecognizedType, hint.map { "the type hint is \($0)" } ?? "it is \(name)")
        }
        let limit = type.family.maximumByteCount
        guard byteCount <= limit else {
            throw AttachmentError(
                .attachmentInvalidFileSize,
                "\(byteCount) bytes exceed the limit of \(limit) for \(type.family.rawValue)")
        }
        guard type.signature.begins(head) else {
            throw AttachmentError(.attachmentCorrupt, "its content is not \(type.identifier)")
        }
        return type
    }

    /// Without percent-encoding; nil when that is broken, or what is encoded is no UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// Why a file cannot go with a notification.
package struct AttachmentError: Error, Hashable {
    package var code: NotificationErrorCode
    /// What is wrong about this file.
    package var detail: String

    package init(_ code: NotificationErrorCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The error as a finding about an attachment, which the notification is delivered without.
    package func finding(about attachment: NotificationAttachment) -> Finding {
        let name = attachment.identifier.isEmpty ? attachment.url : attachment.identifier
        let detail = "`\(name)`: UNErrorDomain \(code.rawValue), \(detail)"
        return FindingRule.named("attachment.dropped")?.finding(at: "attachments", detail)
            ?? Finding("attachment.dropped", .error, at: "attachments", detail)
    }
}
