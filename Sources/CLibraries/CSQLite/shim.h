#ifndef PUSHCOTE_CSQLITE_SHIM_H
#define PUSHCOTE_CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLite copies the bytes. Swift does not import SQLITE_TRANSIENT, and no bytes at NULL would be a null.
static inline int shim_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

#endif
