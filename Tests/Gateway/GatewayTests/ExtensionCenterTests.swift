import APNs
import DeviceModel
import DeviceSimulator
import ExtensionHost
import Gateway
import JSON
import LiveModel
import Synchronization
import TestSupport
import Testing

/// An extension's calls of `UNUserNotificationCenter`, with a journal that the test commits.
@Suite struct ExtensionCenterTests {
    static let topic = "com.example.app"
    static let full = JournalProblem(file: "memory", reason: "is full", remedy: "Make room")
    let journal = MemoryJournal()
    let keeper: JournalKeeper
    let gateway: Gateway
    let request: ExtensionRequest

    init() throws {
        let simulator = DeviceSimulator(deriveToken: Gateway.deriveToken)
        keeper = JournalKeeper(simulator, in: journal) { 0 }
        try keeper.open()
        gateway = Gateway(
            settings: GatewaySettings(), simulator: simulator, seed: 7, requestCapacity: 10, tokenCapacity: 10,
            keeper: keeper, now: { .start })
        var app = App(bundleID: Self.topic)
        app.extension = ServiceExtension()
        app.extension?.command = ["/bin/true"]
        simulator.put(app)
        let push = DirectPush(
            #"{"aps":{"alert":"One","mutable-content":1}}"#.bytes, to: "phone", topic: Self.topic,
            environment: .sandbox, headers: [("apns-push-type", "alert")])
        _ = try gateway.push(push)
        request = try #require(simulator.takeExtensionRequests().first)
        keeper.commit()
    }

    /// The answers so far.
    final class Replies: Sendable {
        private let list = Mutex<[CenterReply]>([])
        var all: [CenterReply] { list.withLock { $0 } }
        func add(_ reply: CenterReply) { list.withLock { $0.append(reply) } }
        var refusal: String { if case .refused(let reason)? = all.first { reason } else { "" } }
    }

    private func call(_ name: String, _ arguments: JSONValue) -> Replies {
        let replies = Replies()
        gateway.notificationCenter(.init(name, arguments), of: request) { replies.add($0) }
        return replies
    }

    private func add(_ body: String) -> Replies {
        call(
            "add",
            .object(["request": .object(["identifier": .string("i"), "content": .object(["body": .string(body)])])]))
    }

    private var statuses: [UInt16?] { gateway.requestLog.page(since: 0, limit: 10).items.map(\.status) }

    @Test("adding a notification completes once it is on disk, and is not logged as a provider's request")
    func addsWhenWritten() {
        let replies = add("Local")
        #expect(replies.all.isEmpty)
        keeper.commit()
        #expect(replies.all == [.result(.null)])
        #expect(statuses.isEmpty && gateway.requestLog.counts.total == 0)
        let local = gateway.simulator.notification(2)
        #expect(local?.isLocal == true && local?.identifier == "i" && local?.content.body == "Local")
    }

    @Test("a scheduled request is pending until it fires or is removed") func schedules() throws {
        func add(_ identifier: String, _ trigger: String) -> [CenterReply] {
            let text =
                #"{"request": {"identifier": "\#(identifier)", "content": {"body": "Later"}, "trigger": \#(trigger)}}"#
            let replies = call("add", JSONValue(text.bytes.span.bytes) ?? .null)
            keeper.commit()
            return replies.all
        }
        let interval = #"{"type": "timeInterval", "timeInterval": 60, "repeats": false}"#
        #expect(add("a", interval) == [.result(.null)])
        #expect(add("b", interval) == [.result(.null)])
        #expect(add("c", interval) == [.result(.null)])
        guard case .refused(let reason) = add("d", #"{"type": "calendar", "dateComponents": {}}"#).first else {
            Issue.record("an empty date is none")
            return
        }
        #expect(reason.contains("UNError 1400"), "\(reason)")
        _ = call("removePending", .object(["identifiers": .strings(["b", "none"])]))
        guard case .result(.array(let pending)) = call("pendingRequests", .object([:])).all.first else {
            Issue.record("a list is expected")
            return
        }
        let members = pending.map { if case .object(let members) = $0 { members } else { JSONObject() } }
        #expect(members.map { $0["identifier"] } == [.string("a"), .string("c")])
        #expect(members.map { $0["nextTriggerDate"] == nil } == [false, false])
        _ = call("removeAllPending", .object([:]))
        #expect(gateway.simulator.live(of: "phone").local == LiveState().local)
    }

    @Test("adding fails if the notification is lost") func tellsOfALoss() {
        journal.problem = Self.full
        let replies = add("Local")
        keeper.commit()
        #expect(replies.refusal.contains("is full"), "\(replies.all)")
        let again = add("At once")
        #expect(!again.refusal.isEmpty)
        #expect(gateway.simulator.notification(2) == nil)
    }

    @Test func reportsARejection() {
        let replies = add(String(repeating: "long", count: 20_000))
        #expect(replies.refusal.contains("65536 bytes"), "\(replies.all)")
    }

    @Test("setting the badge completes once it is on disk") func setsTheBadgeWhenWritten() {
        let replies = call("setBadgeCount", .object(["count": .integer(3)]))
        #expect(replies.all.isEmpty)
        keeper.commit()
        #expect(replies.all == [.result(.null)])
        journal.problem = Self.full
        let lost = call("setBadgeCount", .object(["count": .integer(4)]))
        keeper.commit()
        #expect(lost.refusal.contains("is full"), "\(lost.all)")
        #expect(gateway.simulator.appsOnDevice("phone").first?.badge == 3)
    }

    @Test(
        "requests of an extension have no effect once its app is uninstalled",
        arguments: [
            ("setBadgeCount", .object(["count": .integer(1)])), ("removeAllDelivered", .object([:])),
            ("setCategories", .object(["categories": .array([])])),
            (
                "add",
                .object([
                    "request": .object(["identifier": .string("i"), "content": .object(["body": .string("Local")])])
                ])
            ),
        ] as [(String, JSONValue)])
    func comesTooLate(_ name: String, _ arguments: JSONValue) throws {
        try gateway.simulator.perform(.uninstall(app: Self.topic), on: "phone", at: .start)
        let before = gateway.simulator.counters
        let replies = call(name, arguments)
        keeper.commit()
        #expect(!replies.refusal.isEmpty)
        #expect(gateway.simulator.counters == before)
        #expect(gateway.simulator.appsOnDevice("phone").allSatisfy { $0.badge == 0 && !$0.hasOwnCategories })
    }

    static let impossible: [(String, JSONValue, String)] = [
        ("setBadgeCount", .object(["count": .integer(-5)]), "badge"), ("setBadgeCount", .object([:]), "count"),
        ("add", .object([:]), "request"), ("add", .object(["request": .object([:])]), "content"),
    ]

    @Test(arguments: impossible) func rejectsInvalidCalls(_ name: String, _ arguments: JSONValue, _ word: String) {
        let replies = call(name, arguments)
        #expect(replies.refusal.contains(word), "\(replies.all)")
    }

    @Test func queriesAreAnsweredAtOnce() {
        #expect(call("pendingRequests", .object([:])).all == [.result(.array([]))])
        #expect(call("deliveredNotifications", .object([:])).all == [.result(.array([]))])
        #expect(call("unknown", .object([:])).all == [.result(.null)])
    }
}
