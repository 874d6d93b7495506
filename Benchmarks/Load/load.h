// A load generator for APNs' provider API: many pushes over few connections, each push as back ends send it.
//
// It speaks HTTP/2 by itself (frames are nine bytes and a payload), so that it can encode headers as different clients do;
// libnghttp2's HPACK codec compresses strings and decodes answers, OpenSSL does TLS.
#ifndef PUSHCOTE_LOAD_H
#define PUSHCOTE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What differs from one push to the next.
enum traffic {
    TRAFFIC_SAME,        // nothing: one request, repeated byte for byte
    TRAFFIC_CAMPAIGN,    // the device token
    TRAFFIC_REAL,        // the device token, apns-id, expiration, some collapse ids, and the payload
};

/// How a client encodes header fields (RFC 7541 §6).
enum encoding {
    ENCODING_NGHTTP2,    // libnghttp2's own choice: authorization is never indexed
    ENCODING_APPLE,      // Apple's advice: all but the path, apns-id and apns-expiration are indexed
    ENCODING_GO,         // golang.org/x/net: every field is indexed
    ENCODING_LITERAL,    // nothing is indexed, no Huffman code
};

struct options {
    const char *host, *port, *authorization;
    enum traffic traffic;
    enum encoding encoding;
    int connections, streams, pushes, devices;
    bool fixed_path;    // for a peer that serves one file
};

/// A buffer that grows.
struct bytes {
    uint8_t *base;
    size_t count, capacity;
};
void bytes_append(struct bytes *bytes, const void *source, size_t count);

/// Prints a message and ends the program.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// traffic.c

enum { FIELD_LIMIT = 12, TEXT_LIMIT = 512 };

struct field {
    const char *name, *value;
    bool is_varying;    // Apple's advice: not worth a place in the dynamic table
};

/// One push. The strings of its fields live in `texts` or in the options.
struct push {
    struct field fields[FIELD_LIMIT];
    int field_count;
    char path[96], id[40], expiration[16], length[16], collapse[32];
    char payload[TEXT_LIMIT];
    size_t payload_count;
};

/// Fills in push `number`, which is the same in every run.
void push_make(struct push *push, const struct options *options, uint64_t number);

// hpack.c

/// Encodes header blocks of one connection.
struct encoder;
struct encoder *encoder_new(enum encoding encoding);
void encoder_free(struct encoder *encoder);
void encoder_append(struct encoder *encoder, struct bytes *block, const struct push *push);

// connection.c

struct connection;
struct run {
    const struct options *options;
    int pushes_sent, pushes_answered;
    uint64_t payload_bytes;    // sent
};
struct connection *connection_new(struct run *run, void *tls_context);
void connection_free(struct connection *connection);
int connection_socket(const struct connection *connection);
bool connection_wants_to_write(const struct connection *connection);
/// Reads, answers, sends what the stream limit allows.
void connection_advance(struct connection *connection);

#endif
