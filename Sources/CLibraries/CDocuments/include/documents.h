#ifndef DOCUMENTS_H
#define DOCUMENTS_H

/// Sources/AdminAPI/openapi.yaml, ending in a NUL.
const char *documents_openapi(void);

/// docs/clients.md, ending in a NUL: `pushcote setup` prints its sections.
const char *documents_clients(void);

// The files of Sources/Extensions/Templates.
const char *documents_notification_service(void);
const char *documents_info_plist(void);
const char *documents_push_json(void);
const char *documents_extension_py(void);
const char *documents_server_py(void);

#endif
