// Apple's names begin with capitals.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import ExtensionWire
public import Foundation

public enum INInteractionDirection: Int, Sendable, CaseIterable { case unspecified, outgoing, incoming }

public enum INIntentHandlingStatus: Int, Sendable, CaseIterable {
    case unspecified, ready, inProgress, success, failure, deferredToApplication, userConfirmationRequired
}

/// An intent and its outcome. Donate it to inform the system.
open class INInteraction: NSObject, StoredAsJSON {
    public let intent: INIntent
    public let intentResponse: INIntentResponse?
    open var direction = INInteractionDirection.unspecified
    open var intentHandlingStatus = INIntentHandlingStatus.unspecified
    /// When the interaction took place; defaults to the time of donation.
    open var dateInterval: DateInterval?
    open var identifier = UUID().uuidString
    open var groupIdentifier: String?

    public init(intent: INIntent, response: INIntentResponse?) {
        self.intent = intent
        intentResponse = response
    }

    @preconcurrency
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        HostConnection.shared.send("donate", ["interaction": json])
        DispatchQueue.global().async { completion?(nil) }
    }

    open func donate() async throws { HostConnection.shared.send("donate", ["interaction": json]) }

    @preconcurrency
    open class func delete(
        with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) { delete(["identifiers": .words(identifiers)], completion) }

    open class func delete(with identifiers: [String]) async throws {
        try await delete(["identifiers": .words(identifiers)])
    }

    @preconcurrency
    open class func delete(
        with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) { delete(["groupIdentifier": .string(groupIdentifier)], completion) }

    open class func delete(with groupIdentifier: String) async throws {
        try await delete(["groupIdentifier": .string(groupIdentifier)])
    }

    @preconcurrency
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) { delete([:], completion) }

    open class func deleteAll() async throws { try await delete([:]) }

    private class func delete(_ arguments: [String: WireValue], _ completion: (@Sendable ((any Error)?) -> Void)?) {
        HostConnection.shared.call("deleteDonations", arguments) { completion?($0.failure) }
    }

    private class func delete(_ arguments: [String: WireValue]) async throws {
        if let error = await HostConnection.shared.reply(to: "deleteDonations", arguments).failure { throw error }
    }

    package var json: WireValue {
        let interval = dateInterval ?? DateInterval(start: Date(), duration: 0)
        var members = storedMembers()
        members.rename("intentResponse", to: "response")
        members["dateInterval"] = .object(["start": WireValue(interval.start), "duration": .number(interval.duration)])
        return .object(members)
    }
}

extension HostConnection.Reply {
    fileprivate var failure: INIntentError? { error.map { INIntentError(.deletingInteractionWithIdentifiers, $0) } }
}

public let INIntentErrorDomain = "IntentsErrorDomain"

public struct INIntentError: CustomNSError, LocalizedError, Hashable {
    public enum Code: Int, Sendable, CaseIterable {
        case interactionOperationNotSupported = 1900
        case donatingInteraction = 1901
        case deletingAllInteractions = 1902
        case deletingInteractionWithIdentifiers = 1903
        case deletingInteractionWithGroupIdentifier = 1904
    }

    public var code: Code
    private var explanation: String

    public init(_ code: Code, _ explanation: String = "") {
        self.code = code
        self.explanation = explanation
    }

    public static var errorDomain: String { INIntentErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorDescription: String? { explanation.isEmpty ? "\(code)" : explanation }
}
