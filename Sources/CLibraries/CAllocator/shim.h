#ifndef PUSHCOTE_CALLOCATOR_SHIM_H
#define PUSHCOTE_CALLOCATOR_SHIM_H

#include <stdlib.h>
// Swift's Glibc module omits it; other C libraries lack these functions.
#ifdef __GLIBC__
#include <malloc.h>
#endif

static inline void shim_malloc_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static inline void shim_malloc_without_fastbins(void) {
#ifdef __GLIBC__
    mallopt(M_MXFAST, 0);
#endif
}

// Bytes of all allocations; 0 where unknown.
static inline size_t shim_malloc_used(void) {
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

#endif
