// Preloaded: the machine's time is CLOCK_AHEAD seconds ahead for this process. Its monotonic clock is not, because no
// machine sets that one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*next)(clockid_t, struct timespec *);
    if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += atoi(getenv("CLOCK_AHEAD"));
    return result;
}
