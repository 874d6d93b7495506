internal import CNghttp2
internal import Glibc

/// Memory for one nghttp2 session: the system's, except for the buffer of 16 KiB in which it builds frames.
///
/// Answers use that buffer's first page only. From `malloc` it would lie where the buffers of a handshake were, in memory that is
/// resident already; pages of its own become resident as they are used. That saves a quarter of an idle TLS connection.
///
/// - Note: nghttp2 keeps a pointer to it, so it stays where it is.
struct FrameBufferMemory: ~Copyable {
    private var buffer: UnsafeMutableRawPointer?
    private var byteCount = 0

    /// nghttp2 asks for no other block as large as this.
    private static let leastByteCount = 16384

    /// What nghttp2 calls. It copies this.
    /// - Parameter memory: Outlives the session.
    static func functions(_ memory: UnsafeMutablePointer<FrameBufferMemory>) -> nghttp2_mem {
        nghttp2_mem(
            mem_user_data: memory, malloc: { FrameBufferMemory.from($1).pointee.allocate($0) },
            free: { FrameBufferMemory.from($1).pointee.free($0) }, calloc: { count, size, _ in calloc(count, size) },
            realloc: { FrameBufferMemory.from($2).pointee.reallocate($0, $1) })
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<FrameBufferMemory> {
        context!.assumingMemoryBound(to: FrameBufferMemory.self)
    }

    private mutating func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        guard count >= Self.leastByteCount, buffer == nil else { return malloc(count) }
        let pages = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let pages, pages != MAP_FAILED else { return nil }
        (buffer, byteCount) = (pages, count)
        return pages
    }

    private mutating func free(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer, pointer == buffer else { return Glibc.free(pointer) }
        munmap(pointer, byteCount)
        buffer = nil
    }

    private mutating func reallocate(_ pointer: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        guard let pointer, pointer == buffer else { return realloc(pointer, count) }
        guard let other = malloc(count) else { return nil }
        other.copyMemory(from: pointer, byteCount: min(count, byteCount))
        free(pointer)
        return other
    }
}
