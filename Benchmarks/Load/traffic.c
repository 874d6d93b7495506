#include "load.h"

#include <stdio.h>
#include <string.h>

/// splitmix64: every push has random numbers of its own, whatever was sent before it.
static uint64_t random_number(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

static const char *const bodies[] = {
    "Your parcel has left our warehouse and is on its way to you",
    "Mia Chen: shall we meet at eight in front of the station?",
    "The price of an item on your wish list has dropped by a fifth",
    "Ihr Zug hat heute voraussichtlich 12 Minuten Versp\xC3\xA4tung",
    "Goal! It is two to one after a header in the 83rd minute",
    "Someone signed in to your account from a new device",
    "\xE3\x81\x94\xE6\xB3\xA8\xE6\x96\x87\xE3\x81\xAE\xE5\x95\x86\xE5\x93\x81\xE3\x82\x92\xE7\x99\xBA\xE9\x80\x81\xE3\x81\x97\xE3\x81\xBE\xE3\x81\x97\xE3\x81\x9F",
    "The door of your garage has been open for ten minutes",
};

/// About 207 bytes.
static void make_payload(struct push *push, uint64_t *state) {
    unsigned order = (unsigned)(random_number(state) % 90000) + 10000;
    const char *body = bodies[random_number(state) % (sizeof bodies / sizeof *bodies)];
    push->payload_count = (size_t)snprintf(
        push->payload, sizeof push->payload,
        "{\"aps\":{\"alert\":{\"title\":\"Order %u\",\"body\":\"%s.\"},\"badge\":%u,\"sound\":\"default\","
        "\"thread-id\":\"order-%u\"},\"order\":\"%u\",\"total\":%u.%02u,\"trace\":\"%016llx\"}",
        order, body, (unsigned)(random_number(state) % 20) + 1, order, order, (unsigned)(random_number(state) % 900),
        (unsigned)(random_number(state) % 100), (unsigned long long)random_number(state));
}

static void add(struct push *push, const char *name, const char *value, bool is_varying) {
    push->fields[push->field_count++] = (struct field){name, value, is_varying};
}

static void make_identifier(char *text, size_t size, uint64_t *state) {
    uint64_t high = random_number(state), low = random_number(state);
    snprintf(
        text, size, "%08x-%04x-4%03x-%04x-%012llx", (unsigned)(high >> 32), (unsigned)(high >> 16) & 0xFFFF,
        (unsigned)high & 0xFFF, ((unsigned)(low >> 48) & 0x3FFF) | 0x8000, (unsigned long long)low & 0xFFFFFFFFFFFF);
}

void push_make(struct push *push, const struct options *options, uint64_t number) {
    uint64_t constant = 1, own = number * 0x2545F4914F6CDD1D + 1;
    uint64_t *state = options->traffic == TRAFFIC_REAL ? &own : &constant;
    uint64_t device = options->fixed_path || options->traffic == TRAFFIC_SAME ? 0 : number % (uint64_t)options->devices;
    // The first byte is set, so that a token never begins with zeros only.
    snprintf(push->path, sizeof push->path, "/3/device/a5%062llx", (unsigned long long)device);
    make_payload(push, state);
    snprintf(push->length, sizeof push->length, "%zu", push->payload_count);
    push->field_count = 0;
    add(push, ":method", "POST", false);
    add(push, ":scheme", "https", false);
    add(push, ":path", push->path, true);
    add(push, ":authority", "api.push.apple.com", false);
    add(push, "authorization", options->authorization, false);
    add(push, "apns-topic", "com.example.app", false);
    add(push, "apns-push-type", "alert", false);
    add(push, "apns-priority", "10", false);
    if (options->traffic != TRAFFIC_REAL) {
        add(push, "apns-expiration", "0", true);
    } else {
        // Far enough from now to be accepted in every run.
        snprintf(push->expiration, sizeof push->expiration, "%u", 4000000000U + (unsigned)(random_number(state) % 86400));
        add(push, "apns-expiration", push->expiration, true);
        make_identifier(push->id, sizeof push->id, state);
        add(push, "apns-id", push->id, true);
        if (random_number(state) % 10 == 0) {
            snprintf(push->collapse, sizeof push->collapse, "score-%u", (unsigned)(random_number(state) % 1000));
            add(push, "apns-collapse-id", push->collapse, true);
        }
    }
    add(push, "content-length", push->length, true);
}
