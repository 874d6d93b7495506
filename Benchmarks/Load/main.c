#include "load.h"

#include <getopt.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

static const char usage[] =
    "usage: load-generator HOST PORT --authorization \"bearer TOKEN\" [options]\n"
    "  --connections N   connections (10)\n"
    "  --streams N       streams at a time on each, as far as the server allows (10)\n"
    "  --pushes N        pushes in all (40000)\n"
    "  --devices N       device tokens to push to in turn (10000)\n"
    "  --traffic KIND    same, campaign (the token differs), real (everything differs but the authorization)\n"
    "  --encoding KIND   nghttp2, apple, go, literal: how header fields are encoded\n"
    "  --fixed-path      push to one device whatever the traffic: for a server of one file\n"
    "Prints one line of JSON. Ends with 1 as soon as a push is not answered 200.\n";

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("load-generator: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

void bytes_append(struct bytes *bytes, const void *source, size_t count) {
    if (bytes->count + count > bytes->capacity) {
        bytes->capacity = 2 * (bytes->count + count);
        if (!(bytes->base = realloc(bytes->base, bytes->capacity))) fail("no memory");
    }
    if (count) memcpy(bytes->base + bytes->count, source, count);
    bytes->count += count;
}

/// The index of `text` among `names`.
static int choice(const char *text, const char *const *names, const char *option) {
    for (int index = 0; names[index]; index++)
        if (strcmp(text, names[index]) == 0) return index;
    fail("--%s: unknown kind '%s'", option, text);
}

static int positive(const char *text, const char *option) {
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < 1 || value > 1000000000) fail("--%s: '%s' is not a positive number", option, text);
    return (int)value;
}

static struct options parse(int count, char **arguments) {
    static const char *const traffics[] = {"same", "campaign", "real", NULL};
    static const char *const encodings[] = {"nghttp2", "apple", "go", "literal", NULL};
    static const struct option names[] = {
        {"authorization", required_argument, NULL, 'a'}, {"connections", required_argument, NULL, 'c'},
        {"streams", required_argument, NULL, 's'},       {"pushes", required_argument, NULL, 'p'},
        {"devices", required_argument, NULL, 'd'},       {"traffic", required_argument, NULL, 't'},
        {"encoding", required_argument, NULL, 'e'},      {"fixed-path", no_argument, NULL, 'f'},
        {NULL, 0, NULL, 0}};
    struct options options = {
        .connections = 10, .streams = 10, .pushes = 40000, .devices = 10000, .traffic = TRAFFIC_REAL};
    int letter, index = 0;
    while ((letter = getopt_long(count, arguments, "", names, &index)) != -1) {
        switch (letter) {
        case 'a': options.authorization = optarg; break;
        case 'c': options.connections = positive(optarg, names[index].name); break;
        case 's': options.streams = positive(optarg, names[index].name); break;
        case 'p': options.pushes = positive(optarg, names[index].name); break;
        case 'd': options.devices = positive(optarg, names[index].name); break;
        case 't': options.traffic = (enum traffic)choice(optarg, traffics, names[index].name); break;
        case 'e': options.encoding = (enum encoding)choice(optarg, encodings, names[index].name); break;
        case 'f': options.fixed_path = true; break;
        default: fputs(usage, stderr); exit(64);
        }
    }
    if (count - optind != 2 || !options.authorization) {
        fputs(usage, stderr);
        exit(64);
    }
    if (strlen(options.authorization) >= TEXT_LIMIT) fail("--authorization: %d bytes at most", TEXT_LIMIT - 1);
    options.host = arguments[optind];
    options.port = arguments[optind + 1];
    return options;
}

static void *tls_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_alpn_protos(context, (const unsigned char *)"\x02h2", 3);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return context;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void watch(int poll, int operation, struct connection *connection) {
    struct epoll_event event = {
        .events = EPOLLIN | (connection_wants_to_write(connection) ? EPOLLOUT : 0), .data.ptr = connection};
    epoll_ctl(poll, operation, connection_socket(connection), &event);
}

int main(int count, char **arguments) {
    struct options options = parse(count, arguments);
    signal(SIGPIPE, SIG_IGN);
    struct run run = {.options = &options};
    struct connection **connections = calloc((size_t)options.connections, sizeof *connections);
    int poll = epoll_create1(0);
    void *tls = tls_context();
    if (!connections || poll < 0 || !tls) fail("cannot start");
    for (int index = 0; index < options.connections; index++) connections[index] = connection_new(&run, tls);
    double start = now();
    for (int index = 0; index < options.connections; index++) {
        connection_advance(connections[index]);
        watch(poll, EPOLL_CTL_ADD, connections[index]);
    }
    while (run.pushes_answered < options.pushes) {
        struct epoll_event events[64];
        int ready = epoll_wait(poll, events, 64, 10000);
        if (ready == 0) fail("no answer for 10 s; %d of %d pushes are answered", run.pushes_answered, options.pushes);
        for (int index = 0; index < ready; index++) {
            struct connection *connection = events[index].data.ptr;
            bool wanted = connection_wants_to_write(connection);
            connection_advance(connection);
            if (connection_wants_to_write(connection) != wanted) watch(poll, EPOLL_CTL_MOD, connection);
        }
    }
    double seconds = now() - start;
    printf(
        "{\"pushes\":%d,\"seconds\":%.4f,\"pushesPerSecond\":%.0f,\"payloadBytes\":%llu}\n", options.pushes, seconds,
        options.pushes / seconds, (unsigned long long)run.payload_bytes);
    for (int index = 0; index < options.connections; index++) connection_free(connections[index]);
    SSL_CTX_free(tls);
    free(connections);
}
