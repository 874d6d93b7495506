// Preloaded: for this process, the machine's time is CLOCK_AHEAD seconds ahead. The monotonic clock is not, because no
// machine sets that one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

static int ahead(void) { return atoi(getenv("CLOCK_AHEAD")); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*next)(clockid_t, struct timespec *);
    if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += ahead();
    return result;
}

// Dispatch adds the time to wait to the time above; the kernel compares the sum with its own.
int sem_timedwait(sem_t *semaphore, const struct timespec *end) {
    static int (*next)(sem_t *, const struct timespec *);
    if (!next) next = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec time = {end->tv_sec - ahead(), end->tv_nsec};
    return next(semaphore, &time);
}
