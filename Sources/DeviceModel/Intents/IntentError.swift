package import Fields

/// Why `updating(from:)` gives content nothing of an intent (E.1).
package enum IntentError: Error, Hashable {
    /// Only the system's communication intents may be passed (S0-34).
    case unsupported(class: String)
    /// A message without a sender, or a call without contacts; the words say what is missing.
    case incomplete(String)
    case malformed(FieldError)

    /// What `updating(from:)` throws.
    package var code: NotificationErrorCode {
        switch self {
        case .unsupported: .contentProvidingObjectNotAllowed
        case .incomplete, .malformed: .contentProvidingInvalid
        }
    }
}

/// `UNErrorCode`: the codes of `UNErrorDomain`.
///
/// - Source: Apple, UNError.h.
package enum NotificationErrorCode: Int, CaseIterable, Codable, Sendable {
    case notificationsNotAllowed = 1
    case attachmentInvalidURL = 100
    case attachmentUnrecognizedType = 101
    case attachmentInvalidFileSize = 102
    case attachmentNotInDataStore = 103
    case attachmentMoveIntoDataStoreFailed = 104
    case attachmentCorrupt = 105
    case notificationInvalidNoDate = 1400
    case notificationInvalidNoContent = 1401
    case contentProvidingObjectNotAllowed = 1500
    case contentProvidingInvalid = 1501
    case badgeInputInvalid = 1600
}
