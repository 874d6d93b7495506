#ifndef PUSHCOTE_CLIBPQ_SHIM_H
#define PUSHCOTE_CLIBPQ_SHIM_H

#include <dlfcn.h>
#include <string.h>

// libpq is opened when it is needed and not linked: it brings Kerberos, LDAP and a dozen other libraries, which only the
// journal in Postgres uses. These declarations are those of libpq-fe.h; the ABI of libpq.so.5 has them since 2010.

#pragma clang assume_nonnull begin

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct PQconninfoOption PQconninfoOption;
typedef void (*PQnoticeReceiver)(void *context, const PGresult *result);

struct libpq {
    PQconninfoOption *_Nullable (*conninfoParse)(const char *text, char *_Nullable *_Nullable message);
    void (*conninfoFree)(PQconninfoOption *options);
    PGconn *_Nullable (*connectdbParams)(
        const char *_Nullable const *keywords, const char *_Nullable const *values, int expandsName);
    void (*finish)(PGconn *connection);
    int (*status)(const PGconn *connection);
    char *_Nullable (*errorMessage)(const PGconn *connection);
    int (*socket)(const PGconn *connection);
    int (*setnonblocking)(PGconn *connection, int isNonblocking);
    PQnoticeReceiver _Nullable (*setNoticeReceiver)(PGconn *connection, PQnoticeReceiver receiver, void *context);
    int (*sendQueryParams)(
        PGconn *connection, const char *command, int count, const unsigned *types,
        const char *_Nullable const *values, const int *lengths, const int *formats, int resultFormat);
    int (*flush)(PGconn *connection);
    int (*consumeInput)(PGconn *connection);
    int (*isBusy)(PGconn *connection);
    PGresult *_Nullable (*getResult)(PGconn *connection);
    int (*resultStatus)(const PGresult *result);
    char *_Nullable (*resultErrorField)(const PGresult *result, int code);
    int (*ntuples)(const PGresult *result);
    int (*nfields)(const PGresult *result);
    char *_Nullable (*getvalue)(const PGresult *result, int row, int column);
    int (*getlength)(const PGresult *result, int row, int column);
    char *_Nullable (*cmdTuples)(PGresult *result);
    void (*clear)(PGresult *result);
};

// Not thread-safe at the first call. Returns NULL without a libpq on this system.
static inline const struct libpq *_Nullable shim_libpq(void) {
    static struct libpq functions;
    static int isLoaded;
    if (isLoaded) return &functions;
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    void *symbol;
#define SHIM_LOAD(name)                                 \
    if (!(symbol = dlsym(library, "PQ" #name))) return 0; \
    memcpy(&functions.name, &symbol, sizeof symbol);
    SHIM_LOAD(conninfoParse) SHIM_LOAD(conninfoFree) SHIM_LOAD(connectdbParams) SHIM_LOAD(finish) SHIM_LOAD(status)
    SHIM_LOAD(errorMessage) SHIM_LOAD(socket) SHIM_LOAD(setnonblocking) SHIM_LOAD(setNoticeReceiver)
    SHIM_LOAD(sendQueryParams) SHIM_LOAD(flush) SHIM_LOAD(consumeInput) SHIM_LOAD(isBusy) SHIM_LOAD(getResult)
    SHIM_LOAD(resultStatus) SHIM_LOAD(resultErrorField) SHIM_LOAD(ntuples) SHIM_LOAD(nfields)
    SHIM_LOAD(getvalue) SHIM_LOAD(getlength) SHIM_LOAD(cmdTuples) SHIM_LOAD(clear)
#undef SHIM_LOAD
    isLoaded = 1;
    return &functions;
}

#pragma clang assume_nonnull end

#endif
