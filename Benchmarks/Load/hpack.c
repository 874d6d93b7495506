#include "load.h"

#include <nghttp2/nghttp2.h>
#include <stdlib.h>
#include <string.h>

/// An entry of the dynamic table (RFC 7541 §2.3.2).
struct entry {
    char *name, *value;
    size_t size;
};

enum { TABLE_LIMIT = 4096, ENTRY_LIMIT = TABLE_LIMIT / 32, STATIC_COUNT = 61 };

struct encoder {
    enum encoding encoding;
    nghttp2_hd_deflater *deflater;
    struct entry entries[ENTRY_LIMIT];    // oldest first
    int entry_count;
    size_t table_size;
};

struct encoder *encoder_new(enum encoding encoding) {
    struct encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder || nghttp2_hd_deflate_new(&encoder->deflater, TABLE_LIMIT)) fail("no memory for an HPACK encoder");
    encoder->encoding = encoding;
    return encoder;
}

static void evict(struct encoder *encoder) {
    struct entry oldest = encoder->entries[0];
    encoder->table_size -= oldest.size;
    free(oldest.name);
    free(oldest.value);
    memmove(encoder->entries, encoder->entries + 1, (size_t)--encoder->entry_count * sizeof oldest);
}

void encoder_free(struct encoder *encoder) {
    while (encoder->entry_count) evict(encoder);
    nghttp2_hd_deflate_del(encoder->deflater);
    free(encoder);
}

static void append_byte(struct bytes *block, uint8_t byte) { bytes_append(block, &byte, 1); }

/// An integer behind `prefix` bits (RFC 7541 §5.1); `first` has the bits before it.
static void append_integer(struct bytes *block, uint8_t first, int prefix, size_t value) {
    size_t limit = ((size_t)1 << prefix) - 1;
    if (value < limit) {
        append_byte(block, (uint8_t)(first | value));
        return;
    }
    append_byte(block, (uint8_t)(first | limit));
    for (value -= limit; value >= 128; value >>= 7) append_byte(block, (uint8_t)(value | 128));
    append_byte(block, (uint8_t)value);
}

static size_t read_integer(const uint8_t **at, int prefix) {
    size_t limit = ((size_t)1 << prefix) - 1, value = *(*at)++ & limit;
    if (value < limit) return value;
    int shift = 0;
    uint8_t byte;
    do {
        byte = *(*at)++;
        value += (size_t)(byte & 127) << shift;
        shift += 7;
    } while (byte & 128);
    return value;
}

static nghttp2_nv pair(const struct field *field, uint8_t flags) {
    return (nghttp2_nv){
        (uint8_t *)field->name, (uint8_t *)field->value, strlen(field->name), strlen(field->value), flags};
}

/// A field as libnghttp2 writes a literal that is never indexed: its name's static index or 0, then its strings.
static size_t literal(struct encoder *encoder, const struct field *field, uint8_t *bytes, size_t capacity) {
    nghttp2_nv nv = pair(field, NGHTTP2_NV_FLAG_NO_INDEX);
    ssize_t count = nghttp2_hd_deflate_hd(encoder->deflater, bytes, capacity, &nv, 1);
    if (count < 0) fail("HPACK: %s", nghttp2_strerror((int)count));
    return (size_t)count;
}

/// The index of the newest entry with this name, and the value if that is asked for; 0 when there is none.
static size_t dynamic_index(const struct encoder *encoder, const struct field *field, bool with_value) {
    for (int index = encoder->entry_count - 1; index >= 0; index--) {
        const struct entry *entry = &encoder->entries[index];
        if (strcmp(entry->name, field->name) == 0 && (!with_value || strcmp(entry->value, field->value) == 0))
            return (size_t)(STATIC_COUNT + encoder->entry_count - index);
    }
    return 0;
}

static void insert(struct encoder *encoder, const struct field *field) {
    size_t size = strlen(field->name) + strlen(field->value) + 32;
    while (encoder->entry_count && encoder->table_size + size > TABLE_LIMIT) evict(encoder);
    if (size > TABLE_LIMIT) return;
    encoder->entries[encoder->entry_count++] = (struct entry){strdup(field->name), strdup(field->value), size};
    encoder->table_size += size;
}

static void append_field(struct encoder *encoder, struct bytes *block, const struct field *field, bool is_indexed) {
    size_t index = is_indexed ? dynamic_index(encoder, field, true) : 0;
    if (index) return append_integer(block, 0x80, 7, index);
    uint8_t bytes[2 * TEXT_LIMIT];
    size_t count = literal(encoder, field, bytes, sizeof bytes);
    const uint8_t *rest = bytes;
    size_t name = read_integer(&rest, 4);
    if (!name && (name = dynamic_index(encoder, field, false))) {
        size_t length = read_integer(&rest, 7);
        rest += length;
    }
    append_integer(block, is_indexed ? 0x40 : 0, is_indexed ? 6 : 4, name);
    bytes_append(block, rest, (size_t)(bytes + count - rest));
    if (is_indexed) insert(encoder, field);
}

/// A literal without an index, its strings as they are.
static void append_raw(struct bytes *block, const struct field *field) {
    append_byte(block, 0);
    const char *texts[] = {field->name, field->value};
    for (int index = 0; index < 2; index++) {
        append_integer(block, 0, 7, strlen(texts[index]));
        bytes_append(block, texts[index], strlen(texts[index]));
    }
}

static void append_as_nghttp2(struct encoder *encoder, struct bytes *block, const struct push *push) {
    nghttp2_nv fields[FIELD_LIMIT];
    for (int index = 0; index < push->field_count; index++) fields[index] = pair(&push->fields[index], 0);
    uint8_t bytes[4 * TEXT_LIMIT];
    ssize_t count = nghttp2_hd_deflate_hd(encoder->deflater, bytes, sizeof bytes, fields, (size_t)push->field_count);
    if (count < 0) fail("HPACK: %s", nghttp2_strerror((int)count));
    bytes_append(block, bytes, (size_t)count);
}

void encoder_append(struct encoder *encoder, struct bytes *block, const struct push *push) {
    if (encoder->encoding == ENCODING_NGHTTP2) return append_as_nghttp2(encoder, block, push);
    for (int index = 0; index < push->field_count; index++) {
        const struct field *field = &push->fields[index];
        if (strcmp(field->name, ":method") == 0) append_byte(block, 0x83);    // POST, static
        else if (strcmp(field->name, ":scheme") == 0) append_byte(block, 0x87);    // https, static
        else if (encoder->encoding == ENCODING_LITERAL) append_raw(block, field);
        else append_field(encoder, block, field, encoder->encoding == ENCODING_GO || !field->is_varying);
    }
}
