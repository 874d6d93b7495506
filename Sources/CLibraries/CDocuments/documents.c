// Embedded files. SwiftPM's .embedInCode writes an array literal; 180 kB take a minute to compile. #embed takes none.
#pragma clang diagnostic ignored "-Wc23-extensions"
#include "documents.h"

static const char openapi[] = {
#embed "../../AdminAPI/openapi.yaml"
    , 0};

const char *documents_openapi(void) { return openapi; }

static const char clients[] = {
#embed "../../../docs/clients.md"
    , 0};

const char *documents_clients(void) { return clients; }

static const char notification_service[] = {
#embed "../../Extensions/Templates/NotificationService.swift"
    , 0};

const char *documents_notification_service(void) { return notification_service; }

static const char info_plist[] = {
#embed "../../Extensions/Templates/Info.plist"
    , 0};

const char *documents_info_plist(void) { return info_plist; }

static const char push_json[] = {
#embed "../../Extensions/Templates/push.json"
    , 0};

const char *documents_push_json(void) { return push_json; }

static const char extension_py[] = {
#embed "../../Extensions/Templates/extension.py"
    , 0};

const char *documents_extension_py(void) { return extension_py; }

static const char server_py[] = {
#embed "../../Extensions/Templates/server.py"
    , 0};

const char *documents_server_py(void) { return server_py; }
