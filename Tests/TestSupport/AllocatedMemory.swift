internal import CAllocator

/// Bytes that this process has allocated and not freed; 0 without glibc.
///
/// Resident memory is no measure of them: glibc keeps freed memory per thread, so that it depends on which threads ran what.
package func allocatedByteCount() -> Int { shim_malloc_used() }
