internal import DequeModule
internal import Glibc
package import HTTP2Engine
internal import Memory
internal import NIOCore
internal import Synchronization

/// Limits connections, in total and per address. At a limit, a new connection evicts the oldest one that sent no
/// SETTINGS or request, so silent clients cannot block others.
struct ConnectionCounter {
    private struct Member {
        var serial: UInt64
        var address: String
        /// nil after the first SETTINGS or request.
        var unserved: (any Channel)?
    }

    enum Admission {
        case admitted
        case replaces(any Channel, AttackClass)
        case refused(AttackClass)
    }

    private let limit: Int
    private let addressLimit: Int
    private var members: [ObjectIdentifier: Member] = [:]
    private var addresses: [String: Int] = [:]
    private var serial: UInt64 = 0
    /// In order of arrival; includes served and closed connections, which are skipped.
    private var order = Deque<(serial: UInt64, id: ObjectIdentifier)>()
    private var unservedCount = 0
    /// The highest count since memory was last trimmed.
    private var peak = 0
    private var isTrimDue = false

    /// Descriptors reserved for listeners, event loops, files and the admin API.
    private static let reservedDescriptors = 64
    /// How far the count must drop before a trim pays: 1000 connections leave nine megabytes of TLS state.
    private static let trimmedCount = 1000

    init(_ limits: ConnectionLimits) {
        limit = min(limits.connections, max(1, Self.descriptors - Self.reservedDescriptors))
        addressLimit = limits.connectionsPerAddress
    }

    var count: Int { members.count }

    mutating func add(_ channel: any Channel, _ address: String) -> Admission {
        let isFull = members.count >= limit
        let isAddressFull = addresses[address, default: 0] >= addressLimit
        guard isFull || isAddressFull else {
            insert(channel, address)
            return .admitted
        }
        let attack = isFull ? AttackClass.connections : .connectionsPerAddress
        // Evicting a connection from the same address satisfies both limits.
        guard let oldest = removeOldestUnserved(from: isAddressFull ? address : nil) else { return .refused(attack) }
        insert(channel, address)
        return .replaces(oldest, attack)
    }

    private mutating func insert(_ channel: any Channel, _ address: String) {
        let id = ObjectIdentifier(channel)
        serial += 1
        members[id] = Member(serial: serial, address: address, unserved: channel)
        addresses[address, default: 0] += 1
        unservedCount += 1
        peak = max(peak, members.count)
        order.append((serial, id))
        // Compacting only when over half are stale keeps the amortized cost constant.
        if order.count > 2 * unservedCount + 64 {
            order.removeAll { [members] in members[$0.id]?.serial != $0.serial || members[$0.id]?.unserved == nil }
        }
    }

    /// The connection sent its first SETTINGS or request and can no longer be evicted.
    mutating func serve(_ channel: any Channel) {
        if members[ObjectIdentifier(channel)]?.unserved.take() != nil { unservedCount -= 1 }
    }

    /// - Returns: Whether enough connections have closed to trim memory soon.
    mutating func remove(_ channel: any Channel) -> Bool {
        _ = remove(ObjectIdentifier(channel))
        guard !isTrimDue, peak - members.count >= Self.trimmedCount else { return false }
        isTrimDue = true
        return true
    }

    mutating func trimmed() {
        peak = members.count
        isTrimDue = false
    }

    /// nil for a connection that was served or evicted.
    private mutating func remove(_ id: ObjectIdentifier) -> (any Channel)? {
        guard let member = members.removeValue(forKey: id) else { return nil }
        let count = addresses[member.address, default: 1] - 1
        addresses[member.address] = count == 0 ? nil : count
        if member.unserved != nil { unservedCount -= 1 }
        return member.unserved
    }

    /// - Parameter address: nil matches any address.
    private mutating func removeOldestUnserved(from address: String?) -> (any Channel)? {
        for (place, entry) in order.enumerated() {
            guard let member = members[entry.id], member.serial == entry.serial, member.unserved != nil,
                address == nil || member.address == address
            else { continue }
            // With no address filter, all earlier entries are stale.
            if address == nil { order.removeFirst(place + 1) } else { order.remove(at: place) }
            return remove(entry.id)
        }
        return nil
    }

    private static var descriptors: Int {
        var limit = rlimit()
        let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return status == 0 ? Int(clamping: limit.rlim_cur) : .max
    }
}

extension ProviderServer {
    /// - Throws: `ConnectionRefused`, which closes the connection.
    func admit(_ channel: any Channel) throws {
        switch connections.withLock({ $0.add(channel, channel.remoteAddress?.ipAddress ?? "") }) {
        case .admitted: break
        case .replaces(let oldest, let attack):
            attacks.add(attack)
            log(attack, of: oldest)
            // The event loop runs these in order, so the reason is recorded before the close.
            oldest.pipeline.fireUserInboundEventTriggered(Eviction(limit: attack))
            oldest.close(promise: nil)
        case .refused(let attack):
            attacks.add(attack)
            log(attack, of: channel)
            throw ConnectionRefused()
        }
        let eventLoop = channel.eventLoop
        channel.closeFuture.whenComplete { [self] _ in
            guard connections.withLock({ $0.remove(channel) }) else { return }
            FreedMemory.giveBack(on: eventLoop) { self.connections.withLock { $0.trimmed() } }
        }
    }
}

/// Tells a connection's handlers that it is evicted for a new one.
struct Eviction {
    var limit: AttackClass
}

struct ConnectionRefused: Error {}

/// Pauses a listener when the process is out of descriptors; it would otherwise retry in a busy loop.
/// NIO's `AcceptBackoffHandler` does not help: after a failed accept, the socket stays registered and readable.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// Long enough to cost nothing, short enough for clients not to notice.
    private static let pause = TimeAmount.milliseconds(100)

    private let attacks: AttackCounters

    init(attacks: AttackCounters) { self.attacks = attacks }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        attacks.add(.descriptors)
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenFailure { _ in }
        context.eventLoop.scheduleTask(in: Self.pause) {
            channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }
    }
}

/// How often each limit was enforced.
package final class AttackCounters: Sendable {
    private let counts = Mutex([AttackClass: UInt64]())

    /// Never called on the path of an accepted push.
    func add(_ attack: AttackClass, _ count: Int = 1) { counts.withLock { $0[attack, default: 0] += UInt64(count) } }

    package subscript(attack: AttackClass) -> UInt64 { counts.withLock { $0[attack] ?? 0 } }
}
