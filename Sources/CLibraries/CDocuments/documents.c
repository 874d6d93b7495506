// Embedded files. SwiftPM's .embedInCode writes an array literal; 180 kB take a minute to compile. #embed takes none.
#pragma clang diagnostic ignored "-Wc23-extensions"
#include "documents.h"

static const char openapi[] = {
#embed "../../Admin/AdminAPI/openapi.yaml"
    , 0};

const char *documents_openapi(void) { return openapi; }

static const char clients[] = {
#embed "../../../docs/clients.md"
    , 0};

const char *documents_clients(void) { return clients; }

static const char airports[] = {
#embed "../../Phone/SiriModel/Reservations/airports.tsv"
    , 0};

const char *documents_airports(void) { return airports; }

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

// Compound literals outside functions have static storage; a macro cannot hold #embed.
static const struct document page[] = {
    {"index.html", (const char[]){
#embed "../../Admin/AdminAPI/Page/index.html"
        , 0}},
    {"style.css", (const char[]){
#embed "../../Admin/AdminAPI/Page/style.css"
        , 0}},
    {"icon.svg", (const char[]){
#embed "../../Admin/AdminAPI/Page/icon.svg"
        , 0}},
    {"api.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/api.js"
        , 0}},
    {"app.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/app.js"
        , 0}},
    {"apps.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/apps.js"
        , 0}},
    {"channels.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/channels.js"
        , 0}},
    {"copies.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/copies.js"
        , 0}},
    {"device.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/device.js"
        , 0}},
    {"dom.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/dom.js"
        , 0}},
    {"feed.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/feed.js"
        , 0}},
    {"inbox.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/inbox.js"
        , 0}},
    {"list.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/list.js"
        , 0}},
    {"login.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/login.js"
        , 0}},
    {"notification.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/notification.js"
        , 0}},
    {"page.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/page.js"
        , 0}},
    {"recordings.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/recordings.js"
        , 0}},
    {"requests.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/requests.js"
        , 0}},
    {"rows.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/rows.js"
        , 0}},
    {"send.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/send.js"
        , 0}},
    {"setup.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/setup.js"
        , 0}},
    {"timeline.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/timeline.js"
        , 0}},
    {"views.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/views.js"
        , 0}},
    {"webhooks.js", (const char[]){
#embed "../../Admin/AdminAPI/Page/webhooks.js"
        , 0}},
    {0, 0}};

const struct document *documents_page(void) { return page; }
