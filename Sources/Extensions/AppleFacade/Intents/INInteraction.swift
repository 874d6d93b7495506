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
        let error = send()
        DispatchQueue.global().async { completion?(error) }
    }

    open func donate() async throws { if let error = send() { throw error } }

    /// - Returns: An error outside an app or extension.
    private func send() -> INIntentError? {
        let isSent = HostConnection.shared.send("donate", ["interaction": json])
        return isSent ? nil : INIntentError(.donatingInteraction, "This process belongs to no app.")
    }

    @preconcurrency
    open class func delete(
        with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) { Deletion(identifiers: identifiers).start(completion) }

    open class func delete(with identifiers: [String]) async throws {
        try await Deletion(identifiers: identifiers).perform()
    }

    @preconcurrency
    open class func delete(
        with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) { Deletion(group: groupIdentifier).start(completion) }

    open class func delete(with groupIdentifier: String) async throws {
        try await Deletion(group: groupIdentifier).perform()
    }

    @preconcurrency
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) { Deletion().start(completion) }

    open class func deleteAll() async throws { try await Deletion().perform() }

    package var json: WireValue {
        let interval = dateInterval ?? DateInterval(start: Date(), duration: 0)
        var members = storedMembers()
        members.rename("intentResponse", to: "response")
        members["dateInterval"] = .object(["start": WireValue(interval.start), "duration": .number(interval.duration)])
        return .object(members)
    }
}

/// Of donations, and the error that a failure has.
private struct Deletion {
    private var name = "deleteAllDonations"
    private var arguments: [String: WireValue] = [:]
    private var code = INIntentError.Code.deletingAllInteractions

    init() {}

    init(identifiers: [String]) {
        (name, code) = ("deleteDonations", .deletingInteractionWithIdentifiers)
        arguments = ["identifiers": .words(identifiers)]
    }

    init(group: String) {
        (name, code) = ("deleteDonations", .deletingInteractionWithGroupIdentifier)
        arguments = ["groupIdentifier": .string(group)]
    }

    func start(_ completion: (@Sendable ((any Error)?) -> Void)?) {
        HostConnection.shared.call(name, arguments) { completion?(failure($0)) }
    }

    func perform() async throws {
        if let error = failure(await HostConnection.shared.reply(to: name, arguments)) { throw error }
    }

    private func failure(_ reply: HostConnection.Reply) -> INIntentError? {
        reply.error.map { INIntentError(code, $0) }
    }
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
