#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FRAME_HEADER = 9, CONNECTION_WINDOW = 65535, WINDOW_STEP = 1 << 14 };

struct connection {
    struct run *run;
    int socket;
    SSL *tls;
    struct encoder *encoder;
    nghttp2_hd_inflater *inflater;
    struct bytes in, out;
    size_t sent;    // of `out`
    int32_t next_stream;
    int open_streams, stream_limit;
    int64_t window;       // what may be sent on the connection
    uint32_t received;    // DATA since the last WINDOW_UPDATE
    bool is_ready;        // the server's SETTINGS are here
};

static uint32_t number(const uint8_t *bytes, int count) {
    uint32_t value = 0;
    for (int index = 0; index < count; index++) value = value << 8 | bytes[index];
    return value;
}

static void append_frame_header(struct bytes *out, size_t count, uint8_t type, uint8_t flags, int32_t stream) {
    uint8_t header[FRAME_HEADER] = {
        (uint8_t)(count >> 16), (uint8_t)(count >> 8), (uint8_t)count, type, flags,
        (uint8_t)(stream >> 24), (uint8_t)(stream >> 16), (uint8_t)(stream >> 8), (uint8_t)stream};
    bytes_append(out, header, sizeof header);
}

static void append_window_update(struct bytes *out, uint32_t step) {
    append_frame_header(out, 4, NGHTTP2_WINDOW_UPDATE, 0, 0);
    uint8_t bytes[] = {(uint8_t)(step >> 24), (uint8_t)(step >> 16), (uint8_t)(step >> 8), (uint8_t)step};
    bytes_append(out, bytes, sizeof bytes);
}

static int connect_socket(const struct options *options) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    if (getaddrinfo(options->host, options->port, &hints, &found)) fail("no such host: %s", options->host);
    int descriptor = socket(found->ai_family, SOCK_STREAM, 0);
    if (descriptor < 0 || connect(descriptor, found->ai_addr, found->ai_addrlen))
        fail("cannot connect to %s:%s: %s", options->host, options->port, strerror(errno));
    freeaddrinfo(found);
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return descriptor;
}

struct connection *connection_new(struct run *run, void *tls_context) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) fail("no memory for a connection");
    connection->run = run;
    connection->socket = connect_socket(run->options);
    connection->tls = SSL_new(tls_context);
    SSL_set_fd(connection->tls, connection->socket);
    SSL_set_tlsext_host_name(connection->tls, "localhost");
    if (SSL_connect(connection->tls) != 1) fail("TLS: %s", ERR_reason_error_string(ERR_get_error()));
    fcntl(connection->socket, F_SETFL, O_NONBLOCK);
    connection->encoder = encoder_new(run->options->encoding);
    if (nghttp2_hd_inflate_new(&connection->inflater)) fail("no memory for an HPACK decoder");
    connection->next_stream = 1;
    connection->stream_limit = run->options->streams;
    connection->window = CONNECTION_WINDOW;
    bytes_append(&connection->out, NGHTTP2_CLIENT_MAGIC, NGHTTP2_CLIENT_MAGIC_LEN);
    append_frame_header(&connection->out, 0, NGHTTP2_SETTINGS, 0, 0);
    return connection;
}

void connection_free(struct connection *connection) {
    encoder_free(connection->encoder);
    nghttp2_hd_inflate_del(connection->inflater);
    SSL_free(connection->tls);
    close(connection->socket);
    free(connection->in.base);
    free(connection->out.base);
    free(connection);
}

int connection_socket(const struct connection *connection) { return connection->socket; }
bool connection_wants_to_write(const struct connection *connection) { return connection->sent < connection->out.count; }

static void send_pushes(struct connection *connection) {
    struct run *run = connection->run;
    static struct bytes block;
    struct push push;
    while (connection->is_ready && run->pushes_sent < run->options->pushes
           && connection->open_streams < connection->stream_limit && connection->open_streams < run->options->streams) {
        push_make(&push, run->options, (uint64_t)run->pushes_sent);
        if ((int64_t)push.payload_count > connection->window) return;
        connection->window -= (int64_t)push.payload_count;
        block.count = 0;
        encoder_append(connection->encoder, &block, &push);
        append_frame_header(&connection->out, block.count, NGHTTP2_HEADERS, NGHTTP2_FLAG_END_HEADERS, connection->next_stream);
        bytes_append(&connection->out, block.base, block.count);
        append_frame_header(&connection->out, push.payload_count, NGHTTP2_DATA, NGHTTP2_FLAG_END_STREAM, connection->next_stream);
        bytes_append(&connection->out, push.payload, push.payload_count);
        connection->next_stream += 2;
        connection->open_streams++;
        run->pushes_sent++;
        run->payload_bytes += push.payload_count;
    }
}

static void check_answer(struct connection *connection, const uint8_t *block, size_t count) {
    bool is_accepted = false;
    for (;;) {
        nghttp2_nv field;
        int flags = 0;
        ssize_t used = nghttp2_hd_inflate_hd2(connection->inflater, &field, &flags, block, count, 1);
        if (used < 0) fail("the answer's headers: %s", nghttp2_strerror((int)used));
        block += used;
        count -= (size_t)used;
        if (flags & NGHTTP2_HD_INFLATE_EMIT && field.namelen == 7 && memcmp(field.name, ":status", 7) == 0) {
            is_accepted = field.valuelen == 3 && memcmp(field.value, "200", 3) == 0;
            if (!is_accepted) fail("a push was answered %.*s", (int)field.valuelen, (char *)field.value);
        }
        if (flags & NGHTTP2_HD_INFLATE_FINAL) break;
        if (!(flags & NGHTTP2_HD_INFLATE_EMIT) && count == 0) break;
    }
    nghttp2_hd_inflate_end_headers(connection->inflater);
    if (!is_accepted) fail("an answer has no status");
}

static void take_settings(struct connection *connection, const uint8_t *payload, size_t count) {
    for (size_t at = 0; at + 6 <= count; at += 6) {
        uint32_t value = number(payload + at + 2, 4);
        switch (number(payload + at, 2)) {
        case NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS:
            connection->stream_limit = value > INT32_MAX ? INT32_MAX : (int)value;
            break;
        case NGHTTP2_SETTINGS_HEADER_TABLE_SIZE:
            if (value < 4096) fail("the server's header table is smaller than 4096 bytes; this generator needs that");
            break;
        case NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE:
            if (value < TEXT_LIMIT) fail("the server's stream windows are smaller than a payload");
            break;
        }
    }
    connection->is_ready = true;
    append_frame_header(&connection->out, 0, NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0);
}

static void take_frame(struct connection *connection, const uint8_t *header, const uint8_t *payload, size_t count) {
    uint8_t type = header[3], flags = header[4];
    switch (type) {
    case NGHTTP2_HEADERS:
        if (!(flags & NGHTTP2_FLAG_END_HEADERS) || flags & (NGHTTP2_FLAG_PADDED | NGHTTP2_FLAG_PRIORITY))
            fail("an answer's headers in a form that this generator does not read");
        check_answer(connection, payload, count);
        break;
    case NGHTTP2_DATA:
        connection->received += (uint32_t)count;
        if (connection->received >= WINDOW_STEP) {
            append_window_update(&connection->out, connection->received);
            connection->received = 0;
        }
        break;
    case NGHTTP2_SETTINGS:
        if (!(flags & NGHTTP2_FLAG_ACK)) take_settings(connection, payload, count);
        return;
    case NGHTTP2_PING:
        if (flags & NGHTTP2_FLAG_ACK) return;
        append_frame_header(&connection->out, count, NGHTTP2_PING, NGHTTP2_FLAG_ACK, 0);
        bytes_append(&connection->out, payload, count);
        return;
    case NGHTTP2_WINDOW_UPDATE:
        if (number(header + 5, 4) == 0) connection->window += number(payload, 4);
        return;
    case NGHTTP2_RST_STREAM: fail("a stream was reset with error %u", number(payload, 4));
    case NGHTTP2_GOAWAY: fail("GOAWAY: %.*s", (int)(count - 8), payload + 8);
    default: return;
    }
    if (flags & NGHTTP2_FLAG_END_STREAM) {
        connection->open_streams--;
        connection->run->pushes_answered++;
    }
}

static void receive(struct connection *connection) {
    uint8_t buffer[1 << 14];
    int count;
    while ((count = SSL_read(connection->tls, buffer, sizeof buffer)) > 0)
        bytes_append(&connection->in, buffer, (size_t)count);
    if (SSL_get_error(connection->tls, count) != SSL_ERROR_WANT_READ) fail("the server closed the connection");
    size_t at = 0;
    while (connection->in.count - at >= FRAME_HEADER) {
        const uint8_t *header = connection->in.base + at;
        size_t length = number(header, 3);
        if (connection->in.count - at - FRAME_HEADER < length) break;
        take_frame(connection, header, header + FRAME_HEADER, length);
        at += FRAME_HEADER + length;
    }
    memmove(connection->in.base, connection->in.base + at, connection->in.count - at);
    connection->in.count -= at;
}

static void flush(struct connection *connection) {
    while (connection->sent < connection->out.count) {
        size_t left = connection->out.count - connection->sent;
        int count = SSL_write(connection->tls, connection->out.base + connection->sent, (int)left);
        if (count > 0) {
            connection->sent += (size_t)count;
        } else if (SSL_get_error(connection->tls, count) == SSL_ERROR_WANT_WRITE) {
            return;
        } else {
            fail("cannot send: the server closed the connection");
        }
    }
    connection->out.count = connection->sent = 0;
}

void connection_advance(struct connection *connection) {
    receive(connection);
    send_pushes(connection);
    flush(connection);
}
