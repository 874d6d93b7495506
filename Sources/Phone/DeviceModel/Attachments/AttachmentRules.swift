internal import Foundation

/// Whether a file can be attached to a notification (C.7).
package enum AttachmentRules {
    package static let headByteCount = 16

    /// - Returns: nil for anything but a file URL (`attachmentInvalidURL`).
    package static func path(of url: String) -> String? {
        let prefix = "file://"
        guard url.lowercased().hasPrefix(prefix) else { return nil }
        let rest = url.dropFirst(prefix.count)
        let host = rest.prefix { $0 != "/" }
        guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
        let path = rest.dropFirst(host.count).removingPercentEncoding
        return path.flatMap { $0.hasPrefix("/") && !$0.contains("\0") ? $0 : nil }
    }

    /// - Parameters:
    ///   - name: Its extension determines the type unless the attachment has a hint.
    ///   - head: The file's first `headByteCount` bytes.
    /// - Throws: The error that `UNNotificationAttachment` throws.
    package static func type(
        of attachment: NotificationAttachment, named name: String, byteCount: Int, head: RawSpan
    ) throws(AttachmentError) -> AttachmentType {
        let hint = attachment.options?.typeHint
        guard let type = AttachmentType(ofFileNamed: name, hint: hint) else {
            throw AttachmentError(.attachmentUnrecognizedType, hint.map { "the type hint is \($0)" } ?? "it is \(name)")
        }
        let limit = type.family.maximumByteCount
        guard byteCount > 0 else { throw AttachmentError(.attachmentInvalidFileSize, "the file is empty") }
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
}

extension AttachmentType.Family {
    /// Assumption: a megabyte is 2^20 bytes.
    package var maximumByteCount: Int {
        switch self {
        case .audio: 5 << 20
        case .image: 10 << 20
        case .movie: 50 << 20
        }
    }
}

/// Why a file cannot be attached.
package struct AttachmentError: Error, Hashable {
    package var code: Code
    package var detail: String

    /// Codes of `UNErrorDomain` (Apple, UNError.h).
    package enum Code: Int, Sendable {
        case attachmentInvalidURL = 100
        case attachmentUnrecognizedType = 101
        case attachmentInvalidFileSize = 102
        case attachmentMoveIntoDataStoreFailed = 104
        case attachmentCorrupt = 105
    }

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package func finding(about attachment: NotificationAttachment) -> Finding {
        let name = attachment.identifier.isEmpty ? attachment.url : attachment.identifier
        let detail = "`\(name)`: UNErrorDomain \(code.rawValue), \(detail)"
        return FindingRule.named("attachment.dropped").finding(at: "attachments", detail)
    }
}
