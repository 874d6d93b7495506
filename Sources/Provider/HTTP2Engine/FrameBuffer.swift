internal import CNghttp2
internal import Glibc

/// The buffer in which nghttp2 builds frames, on memory pages of its own.
///
/// nghttp2 allocates room for the largest frame, 16 KiB, but an answer has a few dozen bytes. `malloc` reuses pages
/// that are already resident. Of freshly mapped pages only the first, which answers use, becomes resident.
struct FrameBuffer {
    private static let byteCount = 5 * 4096
    private var start: UnsafeMutableRawPointer?

    /// nghttp2's allocation functions: malloc's, except for the frame buffer.
    /// - Parameter sink: Must outlive the session.
    static func allocator(for sink: UnsafeMutablePointer<EventSink>) -> nghttp2_mem {
        nghttp2_mem(
            mem_user_data: sink, malloc: { size, _ in malloc(size) },
            free: { address, context in
                if !EventSink.from(context).pointee.frameBuffer.unmap(address) { free(address) }
            },
            calloc: { count, size, _ in calloc(count, size) },
            realloc: { address, size, context in
                EventSink.from(context).pointee.frameBuffer.resize(address, to: size)
            })
    }

    private mutating func resize(_ address: UnsafeMutableRawPointer?, to size: Int) -> UnsafeMutableRawPointer? {
        if address == nil, start == nil, size > 16384, size <= Self.byteCount { return map() ?? malloc(size) }
        guard let start, address == start else { return realloc(address, size) }
        guard size > Self.byteCount else { return start }
        guard let larger = malloc(size) else { return nil }
        larger.copyMemory(from: start, byteCount: Self.byteCount)
        _ = unmap(start)
        return larger
    }

    private mutating func map() -> UnsafeMutableRawPointer? {
        let address = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        start = address == MAP_FAILED ? nil : address
        return start
    }

    private mutating func unmap(_ address: UnsafeMutableRawPointer?) -> Bool {
        guard let start, address == start else { return false }
        munmap(start, Self.byteCount)
        self.start = nil
        return true
    }
}
