// Apple's names begin with capitals.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

public let UNErrorDomain = "UNErrorDomain"

public struct UNError: CustomNSError, LocalizedError, Hashable {
    public enum Code: Int, Sendable, CaseIterable {
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

        /// For `catch UNError.Code.attachmentInvalidURL`.
        public static func ~= (code: Code, error: any Error) -> Bool { (error as? UNError)?.code == code }
    }

    public var code: Code
    private var explanation: String

    public init(_ code: Code, _ explanation: String = "") {
        self.code = code
        self.explanation = explanation
    }

    public static var errorDomain: String { UNErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }
    public var errorDescription: String? { explanation.isEmpty ? "\(code)" : "\(code): \(explanation)" }
}
