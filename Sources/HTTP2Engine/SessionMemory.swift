internal import CNghttp2

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Memory for nghttp2, which takes and gives back the same few small blocks with each request: they are kept, by size, and handed
/// out again.
///
/// - Note: Not `Sendable`; the sessions of one event loop share one, and each keeps it alive.
package final class SessionMemory {
    /// What nghttp2 calls. It copies this.
    let functions: nghttp2_mem
    private let shelves: UnsafeMutablePointer<MemoryShelf>

    package init() {
        shelves = .allocate(capacity: MemoryShelf.count)
        shelves.initialize(repeating: MemoryShelf(), count: MemoryShelf.count)
        functions = nghttp2_mem(
            mem_user_data: shelves, malloc: { MemoryBlock.take($0, from: $1) },
            free: { MemoryBlock.giveBack($0, to: $1) },
            calloc: { MemoryBlock.takeZeroed($0, $1, from: $2) }, realloc: { MemoryBlock.resize($0, to: $1, from: $2) })
    }

    deinit {
        for shelf in 0..<MemoryShelf.count {
            while let block = shelves[shelf].pop() { free(block) }
        }
        shelves.deallocate()
    }
}

/// Blocks of one size that nobody uses. Each begins with the address of the next one.
private struct MemoryShelf {
    /// Shelf n has blocks for n units; nothing larger is kept.
    static let count = 33
    static let unit = 16
    /// More are given back to the system.
    private static let capacity = 256

    private var first: UnsafeMutableRawPointer?
    private var count = 0

    mutating func pop() -> UnsafeMutableRawPointer? {
        guard let block = first else { return nil }
        first = block.load(as: UnsafeMutableRawPointer?.self)
        count -= 1
        return block
    }

    /// - Returns: Whether there is room for it.
    mutating func push(_ block: UnsafeMutableRawPointer) -> Bool {
        guard count < Self.capacity else { return false }
        block.storeBytes(of: first, as: UnsafeMutableRawPointer?.self)
        first = block
        count += 1
        return true
    }
}

/// A block of memory in nghttp2's hands: its room in units stands before it.
private enum MemoryBlock {
    /// As wide as the strictest alignment.
    private static let headerByteCount = 16

    private static func shelves(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<MemoryShelf> {
        context!.assumingMemoryBound(to: MemoryShelf.self)
    }

    static func take(_ byteCount: Int, from context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        let (rounded, isTooMuch) = byteCount.addingReportingOverflow(MemoryShelf.unit - 1)
        guard !isTooMuch, rounded >= 0, rounded < Int.max - 2 * headerByteCount else { return nil }
        let units = max(1, rounded / MemoryShelf.unit)
        if units < MemoryShelf.count, let block = shelves(context)[units].pop() { return begin(block, units) }
        return malloc(headerByteCount + units * MemoryShelf.unit).map { begin($0, units) }
    }

    private static func begin(_ block: UnsafeMutableRawPointer, _ units: Int) -> UnsafeMutableRawPointer {
        block.storeBytes(of: units, as: Int.self)
        return block + headerByteCount
    }

    static func giveBack(_ pointer: UnsafeMutableRawPointer?, to context: UnsafeMutableRawPointer?) {
        guard let block = pointer.map({ $0 - headerByteCount }) else { return }
        let units = block.load(as: Int.self)
        if units >= MemoryShelf.count || !shelves(context)[units].push(block) { free(block) }
    }

    static func takeZeroed(
        _ count: Int, _ size: Int, from context: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        let (byteCount, isTooMuch) = count.multipliedReportingOverflow(by: size)
        guard !isTooMuch, let pointer = take(byteCount, from: context) else { return nil }
        memset(pointer, 0, byteCount)
        return pointer
    }

    static func resize(
        _ pointer: UnsafeMutableRawPointer?, to byteCount: Int, from context: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard let pointer else { return take(byteCount, from: context) }
        let room = (pointer - headerByteCount).load(as: Int.self) * MemoryShelf.unit
        if byteCount <= room { return pointer }
        guard let larger = take(byteCount, from: context) else { return nil }
        larger.copyMemory(from: pointer, byteCount: room)
        giveBack(pointer, to: context)
        return larger
    }
}
