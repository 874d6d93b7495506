#ifndef DOCUMENTS_H
#define DOCUMENTS_H

/// Sources/AdminAPI/openapi.yaml, ending in a NUL.
const char *documents_openapi(void);

#endif
