#ifndef DOCUMENTS_H
#define DOCUMENTS_H

/// Sources/Admin/AdminAPI/openapi.yaml, NUL-terminated.
const char *documents_openapi(void);

/// docs/clients.md, NUL-terminated; `pushcote setup` prints its sections.
const char *documents_clients(void);

/// Sources/Phone/SiriModel/Reservations/airports.tsv, NUL-terminated.
const char *documents_airports(void);

// Files of Sources/Extensions/Templates.
const char *documents_notification_service(void);
const char *documents_info_plist(void);
const char *documents_push_json(void);
const char *documents_extension_py(void);
const char *documents_server_py(void);

/// A text file of Sources/Admin/AdminAPI/Page, NUL-terminated.
struct document {
    const char *name;
    const char *text;
};

/// Ends with a name of NULL.
const struct document *documents_page(void);

#endif
