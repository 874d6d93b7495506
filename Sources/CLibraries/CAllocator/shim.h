#ifndef PUSHCOTE_CALLOCATOR_SHIM_H
#define PUSHCOTE_CALLOCATOR_SHIM_H

#include <stdlib.h>

// Swift's Glibc module omits <malloc.h>; other C libraries lack both.
static inline void shim_malloc_trim(void) {
#ifdef __GLIBC__
    extern int malloc_trim(size_t pad);
    malloc_trim(0);
#endif
}

static inline void shim_malloc_without_fastbins(void) {
#ifdef __GLIBC__
    extern int mallopt(int parameter, int value);
    mallopt(1 /* M_MXFAST */, 0);
#endif
}

#endif
