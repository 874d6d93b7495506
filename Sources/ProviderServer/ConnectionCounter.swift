internal import CAllocator
internal import DequeModule
internal import Glibc
internal import HTTP2Engine
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Counts connections, in total and by address. At a limit, the oldest connection that has not sent its first SETTINGS or request
/// is closed for the new one, so that silent clients keep nobody out.
final class ConnectionCounter: Sendable {
    fileprivate struct Member {
        var serial: UInt64
        var address: String
        /// The connection, until it is served.
        var unserved: (any Channel)?
    }

    fileprivate struct State {
        var members: [ObjectIdentifier: Member] = [:]
        var addresses: [String: Int] = [:]
        var serial: UInt64 = 0
        /// Connections in the order in which they came; those that are served or gone meanwhile are passed over.
        var order = Deque<(serial: UInt64, id: ObjectIdentifier)>()
        var unservedCount = 0
        /// The most there were since memory was given back.
        var peak = 0
        var isTrimDue = false
    }

    /// Descriptors kept for listeners, event loops, files and the admin API.
    private static let reservedDescriptors = 64
    /// So many connections less than there were have left memory behind that is worth giving back: nine megabytes of TLS state.
    private static let trimmedCount = 1000

    private let limit: Int
    private let addressLimit: Int
    private let state = Mutex(State())

    init(_ limits: ConnectionLimits) {
        limit = min(limits.connections, max(1, Self.descriptors - Self.reservedDescriptors))
        addressLimit = limits.connectionsPerAddress
    }

    /// What becomes of a new connection.
    enum Admission {
        case admitted
        /// It takes the place of another one, which is to be closed: of the limit that it would have been over.
        case replaces(any Channel, AttackClass)
        case refused(AttackClass)
    }

    /// Takes a connection in.
    func add(_ channel: any Channel, _ address: String) -> Admission {
        state.withLock { state in
            let isAddressFull = state.addresses[address, default: 0] >= addressLimit
            guard state.members.count >= limit || isAddressFull else {
                state.insert(channel, address)
                return .admitted
            }
            let attack = state.members.count >= limit ? AttackClass.connections : .connectionsPerAddress
            // One of the same address makes room under both limits.
            guard let oldest = state.removeOldestUnserved(from: isAddressFull ? address : nil) else {
                return .refused(attack)
            }
            state.insert(channel, address)
            return .replaces(oldest, attack)
        }
    }

    var count: Int { state.withLock { $0.members.count } }

    /// A connection has said what it wants, in due form: it is not given up for others any more.
    func served(_ channel: any Channel) {
        state.withLock { $0.serve(ObjectIdentifier(channel)) }
    }

    /// A connection is gone.
    /// - Returns: Whether memory is to be given back soon: so many are gone.
    func remove(_ channel: any Channel) -> Bool {
        state.withLock { state in
            _ = state.remove(ObjectIdentifier(channel))
            guard !state.isTrimDue, state.peak - state.members.count >= Self.trimmedCount else { return false }
            state.isTrimDue = true
            return true
        }
    }

    /// Memory is given back.
    func noteTrim() {
        state.withLock { state in
            state.peak = state.members.count
            state.isTrimDue = false
        }
    }

    /// How many descriptors this process may have open.
    private static var descriptors: Int {
        var limit = rlimit()
        let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return status == 0 ? Int(clamping: limit.rlim_cur) : .max
    }
}

extension ConnectionCounter.State {
    fileprivate mutating func insert(_ channel: any Channel, _ address: String) {
        let id = ObjectIdentifier(channel)
        serial += 1
        members[id] = .init(serial: serial, address: address, unserved: channel)
        addresses[address, default: 0] += 1
        unservedCount += 1
        peak = max(peak, members.count)
        order.append((serial, id))
        // Half of them at most are passed over, so that each is looked at a few times in all.
        if order.count > 2 * unservedCount + 64 {
            order.removeAll { entry in members[entry.id]?.serial != entry.serial || members[entry.id]?.unserved == nil }
        }
    }

    fileprivate mutating func serve(_ id: ObjectIdentifier) {
        if members[id]?.unserved.take() != nil { unservedCount -= 1 }
    }

    /// - Returns: The connection, if it was not served yet; `nil` also when it has left its place to another one.
    fileprivate mutating func remove(_ id: ObjectIdentifier) -> (any Channel)? {
        guard let member = members.removeValue(forKey: id) else { return nil }
        let count = addresses[member.address, default: 1] - 1
        addresses[member.address] = count == 0 ? nil : count
        if member.unserved != nil { unservedCount -= 1 }
        return member.unserved
    }

    /// - Parameter address: Only one from there; `nil` for any.
    fileprivate mutating func removeOldestUnserved(from address: String?) -> (any Channel)? {
        for (place, entry) in order.enumerated() {
            guard let member = members[entry.id], member.serial == entry.serial, member.unserved != nil,
                address == nil || member.address == address
            else { continue }
            // Whatever stands before it is passed over for good, unless it is of another address.
            if address == nil { order.removeFirst(place + 1) } else { order.remove(at: place) }
            return remove(entry.id)
        }
        return nil
    }
}

extension ServerCore {
    /// How long after many connections went memory is given back: most of the others that go with them are gone, too.
    private static let trimDelay = TimeAmount.seconds(1)

    /// Lets a new connection in.
    /// - Throws: `ConnectionRefused`, which closes the connection.
    func admit(_ channel: any Channel) throws {
        switch connections.add(channel, channel.remoteAddress?.ipAddress ?? "") {
        case .admitted: break
        case .replaces(let oldest, let attack):
            attacks.add(attack)
            // Its event loop runs these in order, so the reason is recorded before the close.
            oldest.pipeline.fireUserInboundEventTriggered(Eviction(limit: attack))
            oldest.close(promise: nil)
        case .refused(let attack):
            attacks.add(attack)
            throw ConnectionRefused(limit: attack)
        }
        let eventLoop = channel.eventLoop
        channel.closeFuture.whenComplete { [connections] _ in
            guard connections.remove(channel) else { return }
            eventLoop.scheduleTask(in: Self.trimDelay) {
                // Some milliseconds: not on an event loop.
                NIOThreadPool.singleton.submit { _ in
                    Allocator.trim()
                    connections.noteTrim()
                }
            }
        }
    }
}

/// Tells a connection's handlers that it makes room for another one.
struct Eviction {
    /// The limit that the other one would have exceeded.
    var limit: AttackClass
}

/// There are as many connections as there may be.
struct ConnectionRefused: Error {
    var limit: AttackClass
}

/// Lets a listener rest when the system has no descriptor for another connection; it would ask again at once, for ever.
///
/// NIO's `AcceptBackoffHandler` does not do: after a failed accept the socket stays registered, and stays readable.
final class AcceptRest: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// Long enough to cost nothing, short enough not to be noticed by whoever waits.
    private static let rest = TimeAmount.milliseconds(100)

    private let attacks: AttackCounters

    init(attacks: AttackCounters) { self.attacks = attacks }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        attacks.add(.descriptors)
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenFailure { _ in }
        context.eventLoop.scheduleTask(in: Self.rest) {
            channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }
    }
}

/// The process's allocator.
enum Allocator {
    /// Gives memory back to the system that is free inside of its pools. glibc does so by itself only at the end of its heap, so that
    /// what ten thousand connections had would stay with the process.
    static func trim() { shim_malloc_trim() }
}
