package import Fields

/// Why `updating(from:)` gives content nothing of an intent (E.1).
package enum IntentError: Error, Hashable {
    /// Only the system's communication intents may be passed (S0-34).
    case unsupported(class: String)
    /// A message without a sender, or a call without contacts; the words say what is missing.
    case incomplete(String)
    /// It is no intent at all.
    case malformed(FieldError)

    /// What `updating(from:)` throws.
    package var code: NotificationErrorCode {
        switch self {
        case .unsupported: .contentProvidingObjectNotAllowed
        case .incomplete, .malformed: .contentProvidingInvalid
        }
    }
}
