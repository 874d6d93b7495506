"""The event stream: clients that follow it receive every change on a gateway."""

import concurrent.futures
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import time

import pytest

from activities import Phone, T0, state
from admin import own  # noqa: F401
from channels import APP, broadcast, create, manager, sender
from event_stream import EventStream, PATH, small_socket
from provider import Provider, SECONDS

LIMIT = 16


def request(headers="", query="", version="1.1", method="GET"):
    return f"{method} {PATH}{query} HTTP/{version}\r\nhost: localhost\r\n{headers}\r\n".encode()


def raw(gateway, *arguments, **options):
    """A socket on which the event stream has been requested."""
    opened = small_socket(gateway.admin_address)
    opened.sendall(request(*arguments, **options))
    return opened


def answered(opened, *texts):
    """Reads until one of the texts arrives; returns everything received."""
    received = b""
    while not any(text in received for text in texts):
        received += (chunk := opened.recv(65536))
        assert chunk, received
    return received


def stream_count(gateway):
    return int(re.search(r"^pushcote_event_streams (\d+)$", gateway.admin.get("/metrics").text, re.M)[1])


def wait_until(condition, seconds=SECONDS):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"


def push_many(provider, token, count, payload=b'{"aps":{"alert":"Hi"}}'):
    """Sends pushes on many concurrent streams, once the first is accepted."""
    assert provider.push(token, payload).status == 200
    for start in range(1, count, 100):
        streams = [provider.send(token, payload) for _ in range(min(100, count - start))]
        for stream in streams:
            assert provider.answer(stream).status == 200


# MARK: - Messages

def test_the_first_message_has_the_start_of_the_stream(own):
    with EventStream(own) as stream:
        assert stream.answer.status == 200
        assert stream.answer.headers["content-type"] == "text/event-stream"
        assert stream.answer.headers["cache-control"] == "no-store"
        assert stream.answer.headers["x-accel-buffering"] == "no"
        hello = stream.next()
        assert (hello.event, hello.data["next"], hello.data["mode"]) == ("hello", "0", "real")
        assert hello.run == hello.data["run"]
        assert "oldest" not in hello.data
        assert hello.data["counts"] == own.api("GET", "/info")["counts"]


def test_a_push_arrives_as_the_row_of_the_list(own):
    device, token = own.device()
    with EventStream(own) as stream, Provider.to(own) as provider:
        hello = stream.next()
        provider.push(token)
        added = stream.until("notifications")
        assert added.data["rows"] == own.notifications()
        assert (added.data["added"], added.data["changed"], added.data["skipped"], added.data["next"]) == (1, 0, 0, "1")
        assert device in stream.until("devices").data["names"]
        refused = provider.push(token, apns_topic="com.example.other")
        assert refused.status == 400
        requests = stream.until("requests", lambda message: message.data["refused"])
        assert requests.data["rows"] == own.api("GET", "/requests", params={"status": 400})["requests"]
        assert hello.number < added.number < requests.number


def test_a_held_update_is_told_when_it_is_applied(start_gateway, connect):
    own = start_gateway(*(f"assumptions.{name}" for name in (
        "enforceActivityBudgets=true", "holdUntilRefill=true", "updateBudget=1")))
    phone = Phone(own, connect)
    activity = phone.started()
    for step in (2, 3):
        phone.push(activity["push"]["token"], "update", T0 + step, content_state=state(step))
    why = lambda: own.detail(own.notifications()[-1])["why"]
    assert why().startswith("Held")
    with EventStream(own) as stream:
        assert stream.next().event == "hello"
        own.api("POST", "/clock/advance", json={"by": "61m"})
        changed = stream.until("notifications")
        assert (changed.data["changed"], changed.data["rows"]) == (1, own.notifications()[-1:])
    assert why().startswith("Updated")


def test_deleted_requests_are_a_gap(own):
    with EventStream(own) as stream:
        assert stream.next().event == "hello"
        own.api("DELETE", "/requests")
        assert stream.next().event == "gap"


def test_an_accepted_broadcast_is_not_a_refused_request(own):
    channel = create(manager(own))
    with EventStream(own, topic=APP, kind="requests") as stream:
        assert stream.next().event == "hello"
        assert broadcast(sender(own), channel).status == 200
        requests = stream.until("requests").data
        assert (requests["accepted"], requests["refused"], requests["rows"]) == (1, 0, [])


@pytest.mark.timeout(900)
def test_many_pushes_are_few_messages_that_count_each_push(own):
    _, token = own.device()
    with EventStream(own, kind="notifications") as stream, Provider.to(own) as provider:
        stream.next()
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pushing = pool.submit(push_many, provider, token, 3_000)
            messages = []
            while sum(message.data["added"] for message in messages) < 3_000:
                messages.append(stream.next())
            seconds = time.monotonic() - start
            pushing.result()
        assert len(messages) / seconds <= 12, f"{len(messages)} in {seconds:.1f} s"
        assert all(len(message.ids) <= 50 for message in messages)
        shown = sum(len(message.ids) for message in messages)
        assert shown + sum(message.data["skipped"] for message in messages) == 3_000
        assert messages[-1].data["next"] == "3000"
        assert [message.number for message in messages] == sorted({message.number for message in messages})


# MARK: - Positions

def test_a_stream_resumes_after_the_last_message(own):
    _, token = own.device()
    with Provider.to(own) as provider:
        with EventStream(own, kind="notifications") as stream:
            stream.next()
            provider.push(token)
            first = stream.next()
        # No client is following now.
        provider.push(token)
        for options in ({"last": first.id}, {"lastEventId": first.id}):
            with EventStream(own, kind="notifications", **options) as stream:
                hello, second = stream.next(), stream.next()
                assert (hello.event, hello.id) == ("hello", first.id)
                assert (second.event, second.ids) == ("notifications", [2])
                assert second.number > first.number


@pytest.mark.parametrize("headers, query, statuses", [
    ("last-event-id: 17\r\n", "", (400,)),
    ("", "?lastEventId=0a1b2c", (400,)),
    ("", "?kind=gap", (400,)),
    ("", "?state=stored", (400,)),
    (f"last-event-id: {'1' * 2 ** 20}\r\n", "", (400, 431)),
])
def test_an_invalid_request_gets_a_finite_answer(gateway, headers, query, statuses):
    try:
        with raw(gateway, headers, query) as opened:
            assert int(answered(opened, b"\r\n\r\n").split()[1]) in statuses
    except ConnectionError:
        assert 431 in statuses, "only a long header ends the connection before the answer is read"
    assert gateway.admin.get("/readyz").status_code == 200


# MARK: - Readers

def test_the_seventeenth_stream_is_rejected_with_an_explanation(own):
    streams = [EventStream(own) for _ in range(LIMIT)]
    assert stream_count(own) == LIMIT
    refused = own.admin.get(PATH)
    assert refused.status_code == 503
    assert "16 event streams are open" in refused.json()["error"]
    assert own.admin.head("/api/v1/info").status_code == 200, "others are served"
    streams.pop().close()
    wait_until(lambda: stream_count(own) < LIMIT)
    with EventStream(own) as stream:
        assert stream.next().event == "hello"
    for stream in streams:
        stream.close()


def test_head_requests_and_http_1_0_clients_leave_no_stream(own):
    with raw(own, method="HEAD") as opened:
        assert b"text/event-stream" in answered(opened, b"\r\n\r\n")
    with raw(own, version="1.0") as opened:
        assert b"event: hello" in answered(opened, b"event: hello")
    wait_until(lambda: stream_count(own) == 0)


def test_a_stream_needs_the_token(start_gateway):
    gateway = start_gateway("admin.token=secret")
    with EventStream(gateway) as stream:
        assert stream.answer.status == 401
    with EventStream(gateway, headers={"authorization": "Bearer secret"}) as stream:
        assert stream.next().event == "hello"


def test_curl_shows_it_line_by_line(own):
    url = "http://%s:%d%s?kind=clock" % (*own.admin_address, PATH)
    with subprocess.Popen(["curl", "-sN", url], stdout=subprocess.PIPE, text=True) as curl:
        assert [curl.stdout.readline() for _ in range(2)] == ["retry: 1000\n", "event: hello\n"]
        own.send(signal.SIGTERM)
        assert '\nevent: stopping\n' in curl.stdout.read()
        assert curl.wait(SECONDS) == 0, "the answer has ended"
    assert own.wait_for_end() == 0


def test_a_stop_ends_every_stream_without_waiting_for_its_reader(start_gateway):
    own = start_gateway("shutdown.grace=10m")
    _, token = own.device()
    streams = [EventStream(own)] + [EventStream(own, kind="clock") for _ in range(LIMIT - 2)]
    for stream in streams:
        assert stream.next().event == "hello"
    # A reader that stops reading, with more to read than the socket buffers hold.
    with raw(own) as stuck, Provider.to(own) as provider:
        wait_until(lambda: stream_count(own) == LIMIT)
        payload = json.dumps({"aps": {"alert": "x" * 4000}}).encode()
        for _ in range(30):
            push_many(provider, token, 50, payload)
            # All of them: a reader that lags is stuck, too.
            added = 0
            while added < 50:
                added += streams[0].until("notifications").data["added"]
        provider.channel.close()
        own.send(signal.SIGTERM)
        assert own.wait_for_end() == 0
        with contextlib.suppress(ConnectionError):
            assert b"event: stopping" not in b"".join(iter(lambda: stuck.recv(2 ** 20), b"")), "it has read everything"
    for stream in streams:
        assert stream.rest()[-1].event == "stopping"


@pytest.mark.timeout(900)
def test_a_stalled_reader_gets_a_gap_and_uses_no_memory(start_gateway):
    gateway = start_gateway("inbox.total=1000", "requests.kept=1000")
    _, token = gateway.device()
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    memory = lambda: int(open(f"/proc/{gateway.pid}/statm").read().split()[1]) * resource.getpagesize() / 2 ** 20
    payload = json.dumps({"aps": {"alert": "x" * 4000}}).encode()
    with Provider.to(gateway) as provider, EventStream(gateway, kind="clock") as fast, EventStream(gateway) as slow:
        slow.next()
        before, pushed = None, 0
        while True:
            push_many(provider, token, 60, payload)
            pushed += 60
            gateway.api("POST", "/clock/advance", json={"by": "1ms"})
            number = fast.until("clock").number
            # More than the socket buffers hold: from here on, the slow reader is stuck.
            if before is None and pushed >= 2000:
                before, stuck = memory(), number
            if before is not None and number > stuck + 600:
                break
        grown = memory() - before
        messages = []
        while not messages or messages[-1].event != "gap":
            messages.append(slow.next())
        assert messages[-1].number >= number
        assert grown < 20, f"{grown:.1f} MB"
        gateway.api("POST", "/clock/advance", json={"by": "1ms"})
        assert slow.until("clock").number > messages[-1].number


@pytest.mark.timeout(900)
def test_many_streams_leave_no_memory_or_descriptors(own):
    descriptors = lambda: len(os.listdir(f"/proc/{own.pid}/fd"))

    def open_and_leave(count):
        for _ in range(count):
            # The id of a message may contain 503, too.
            received = b" 503 "
            while b" 503 " in received:
                with raw(own) as opened:
                    received = answered(opened, b"event: hello", b" 503 ")

    open_and_leave(100)
    wait_until(lambda: stream_count(own) == 0)
    before = descriptors()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(open_and_leave, 500) for _ in range(4)]:
            done.result()
    wait_until(lambda: stream_count(own) == 0)
    wait_until(lambda: descriptors() <= before + 2)


def test_a_crash_loses_nothing_that_a_stream_sent(start_gateway, tmp_path):
    gateway = start_gateway("journal=sqlite", f"sqlite.file={tmp_path}/journal.sqlite")
    with EventStream(gateway, kind="notifications") as stream:
        for _ in range(20):
            gateway.api("POST", "/devices/phone/push?topic=com.example.app", json={"aps": {"alert": "Hi"}})
        shown = []
        while len(shown) < 20:
            shown += stream.until("notifications").ids
        gateway.crash()
    gateway.start()
    assert {row["id"] for row in gateway.notifications()} >= set(shown)
