#ifndef PUSHCOTE_CPROCESS_SHIM_H
#define PUSHCOTE_CPROCESS_SHIM_H

#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc declares these only with _GNU_SOURCE, which Swift's importer does not define.
extern int pipe2(int descriptors[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// syscall is variadic, so invisible to Swift; <sys/pidfd.h> needs glibc 2.36.
static inline int shim_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

// The resource is an enum in C++ and with _GNU_SOURCE, otherwise an int. The kernel uses 64-bit limits.
static inline int shim_prlimit(pid_t process, int resource, unsigned long long soft, unsigned long long hard) {
    unsigned long long limit[2] = {soft, hard};
    return (int)syscall(SYS_prlimit64, process, resource, limit, 0);
}

#endif
