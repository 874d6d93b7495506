internal import CAllocator

#if canImport(Darwin)
internal import Darwin
#endif

/// The process's allocator.
enum Allocator {
    /// Gives memory back to the system that is free inside of its pools. glibc does so by itself only at the end of its heap, so that
    /// what ten thousand connections had would stay with the process.
    static func trim() {
        #if canImport(Darwin)
        malloc_zone_pressure_relief(nil, 0)
        #else
        shim_malloc_trim()
        #endif
    }
}
