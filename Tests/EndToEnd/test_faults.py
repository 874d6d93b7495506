"""Faults on purpose, seen on the wire: every effect, and every scenario by its name."""

import json
import signal
import socket
import ssl
import time
from contextlib import contextmanager

import httpx
import pytest

import tokens
from gateway import device_token, pushcote
from provider import Answer, Provider, connect

SHUTDOWN = b'{"reason":"Shutdown"}'


@pytest.fixture(scope="module")
def faulty(tmp_path_factory, certificates, bearer):
    """A gateway that these tests have to themselves."""
    from conftest import _started

    gateway = _started(tmp_path_factory.mktemp("faults"), certificates, bearer, "seed=7", "streams.oneUntilAccepted=false")
    yield gateway
    try:
        gateway.stop()
    finally:
        gateway.kill()


@pytest.fixture(autouse=True)
def clear(request):
    if "faulty" in request.fixturenames:
        request.getfixturevalue("faulty").api("DELETE", "/faults")


def rule(gateway, effect, match=None, name="fault", **members):
    answer = gateway.api(
        "POST", "/faults", 201, json={"name": name, "effect": effect, "match": match or {}, **members})
    return answer["faults"][0]


def apply(gateway, name):
    return gateway.api("POST", "/faults", 201, json={"scenario": name})["faults"]


def fired(gateway, name="fault"):
    return gateway.api("GET", f"/faults/{name}")["fired"]


def recorded(gateway, token):
    requests, since = [], 0
    while True:
        page = gateway.api("GET", "/requests", params={"limit": 1000, "since": since})
        if not page["requests"]:
            return requests
        requests += [record for record in page["requests"] if record.get("token") == token]
        since = page["next"]


def until_ended(provider):
    """Reads until the peer is gone; how it went."""
    while True:
        try:
            data = provider.channel.recv(65536)
        except ConnectionResetError:
            return "reset"
        except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
            return "closed"
        if not data:
            return "closed"


def stays_open(provider, seconds=0.3):
    """Whether nothing at all comes for a while, not even the end."""
    provider.channel.settimeout(seconds)
    try:
        data = provider.channel.recv(65536)
    except (TimeoutError, socket.timeout):
        return True
    finally:
        provider.channel.settimeout(15)
    return False if not data else pytest.fail(f"got {data!r}")


@contextmanager
def connection(gateway, **options):
    """A connection whose settings have come, so that nothing else is under way."""
    with Provider.to(gateway, **options) as provider:
        provider.until_settled()
        yield provider


@contextmanager
def clear_connection(gateway):
    """The same without TLS, through which Python cannot tell a reset from an end."""
    with Provider(socket.create_connection(gateway.clear_text, 15), bearer=gateway.bearer) as provider:
        provider.until_settled()
        yield provider


# MARK: - Answers


def test_any_status_and_reason(faulty):
    rule(faulty, {"answer": {"status": 418, "reason": "Teapot"}}, name="tea")
    token = device_token()
    with Provider.to(faulty) as provider:
        answer = provider.push(token)
    assert (answer.status, answer.body, answer.data_frames) == (418, b'{"reason":"Teapot"}', 1)
    (record,) = recorded(faulty, token)
    assert (record["status"], record["reason"], record["fault"]) == (418, "Teapot", "tea")
    assert record["apnsId"] == answer.apns_id and "notification" not in record


@pytest.mark.parametrize(
    "answer, body, frames",
    [
        ({"status": 400, "reason": "BadTopic", "omits": ["body"]}, b"", 0),
        ({"status": 400, "reason": "BadTopic", "bodyFrames": 2}, b'{"reason":"BadTopic"}', 2),
        ({"status": 400, "body": "<html>"}, b"<html>", 1),
        ({"status": 410, "reason": "Unregistered", "timestamp": 5}, b'{"reason":"Unregistered","timestamp":5}', 1),
        ({"status": 410, "reason": "Unregistered", "omits": ["timestamp"]}, b'{"reason":"Unregistered"}', 1),
    ], ids=str)
def test_bodies(faulty, answer, body, frames):
    rule(faulty, {"answer": answer})
    with Provider.to(faulty) as provider:
        got = provider.push(device_token())
    assert (got.status, got.body, got.data_frames) == (answer["status"], body, frames)


def test_requests_are_found_by_the_answer_they_got(faulty):
    device, token = faulty.device()
    rule(faulty, {"answer": {"status": 418, "reason": "Samovar"}}, {"token": token}, count=1)
    with Provider.to(faulty) as provider:
        assert provider.push(token).status == 418
        assert provider.push(token).status == 200
    faulty.api("DELETE", "/faults")
    assert [one["token"] for one in faulty.api("GET", "/requests", params={"reason": "Samovar"})["requests"]] == [token]
    assert "'reason'" in faulty.api("GET", "/requests", 400, params={"reason": "Kettle"})["error"]
    faulty.api("DELETE", f"/devices/{device}")
    accepted = faulty.api("GET", "/requests", params={"device": device, "status": 200})["requests"]
    assert [one["token"] for one in accepted] == [token], "its device is gone"


def test_an_answer_without_apns_id(faulty):
    rule(faulty, {"answer": {"status": 200, "omits": ["apnsId"]}})
    _, token = faulty.device()
    with Provider.to(faulty) as provider:
        assert "apns-id" not in provider.push(token).headers
    (record,) = recorded(faulty, token)
    assert record["notification"]


def test_answers_by_script_for_each_token(faulty):
    rule(faulty, {"answers": [{"status": 500, "reason": "InternalServerError"}, {"status": 410}, {"status": 200}]})
    first, second = device_token(), device_token()
    with Provider.to(faulty) as provider:
        got = [provider.push(token).status for token in (first, first, second, first, first, second)]
    assert got == [500, 410, 500, 200, 200, 410]


def test_a_delay_holds_up_no_ping(faulty):
    rule(faulty, {"delay": "400ms", "jitter": "100ms"})
    with connection(faulty) as provider:
        begin = time.monotonic()
        stream = provider.send(device_token())
        provider.http.ping(b"12345678")
        provider.flush()
        provider.until(lambda: provider.pongs, "a PING's answer")
        ponged = time.monotonic() - begin
        assert not provider.answers[stream].ended
        assert provider.answer(stream).status == 200
        assert ponged < 0.4 <= time.monotonic() - begin


def test_a_trickling_body_comes_byte_by_byte(faulty):
    rule(faulty, {"trickle": "5ms", "answer": {"status": 400, "reason": "BadTopic"}})
    with connection(faulty) as provider:
        answer = provider.push(device_token())
        assert (answer.body, answer.data_frames) == (b'{"reason":"BadTopic"}', 21)
        faulty.api("DELETE", "/faults")
        rule(faulty, {"trickle": "5ms"})
        answer = provider.push(device_token())
        assert (answer.status, answer.body, answer.data_frames) == (200, b"", 1)


def test_a_request_that_is_lost_is_not_delivered(faulty):
    rule(faulty, {"loses": "request"}, count=1)
    token = device_token()
    with connection(faulty) as provider:
        lost = provider.send(token)
        assert provider.push(token).status == 200
        assert not provider.answers[lost].ended
    first, second = recorded(faulty, token)
    assert "status" not in first and "notification" not in first and first["fault"] == "fault"
    assert second["status"] == 200 and "fault" not in second


def test_an_answer_that_is_lost_belongs_to_a_push_that_is_delivered(faulty):
    rule(faulty, {"loses": "answer"}, count=1)
    token = device_token()
    with connection(faulty) as provider:
        lost = provider.send(token)
        assert provider.push(token).status == 200
        assert not provider.answers[lost].ended
    first, second = recorded(faulty, token)
    assert "status" not in first and first["notification"] < second["notification"]


def test_a_stream_is_reset_with_any_code(faulty):
    rule(faulty, {"resets": "ENHANCE_YOUR_CALM"}, count=1)
    with Provider.to(faulty) as provider:
        assert provider.push(device_token()).reset == 11
        assert provider.push(device_token()).status == 200


# MARK: - Connections


def test_goaway_and_a_connection_that_lingers(faulty):
    rule(faulty, {"goAway": {"reason": "Shutdown", "code": "NO_ERROR", "closes": False}}, count=1)
    with connection(faulty) as provider:
        assert provider.push(device_token()).status == 200
        provider.until(lambda: provider.goaways, "GOAWAY")
        assert provider.goaways == [(1, 0, SHUTDOWN)]
        assert stays_open(provider)


def test_goaway_twice_with_another_last_stream(faulty):
    rule(faulty, {"goAway": {"reason": "Shutdown", "times": 2, "lastStream": 0, "code": "INTERNAL_ERROR"}})
    token = device_token()
    with connection(faulty) as provider:
        stream = provider.send(token)
        provider.until_closed()
        assert provider.goaways == [(0, 2, SHUTDOWN), (0, 2, b"")]
        assert not provider.answers[stream].ended
    (record,) = recorded(faulty, token)
    assert "status" not in record and "notification" not in record


@pytest.mark.parametrize("how, end", [("reset", "reset"), ("close", "closed")])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_connection_ends_without_a_word(faulty, how, end, when):
    rule(faulty, {"connection": {"how": how, "when": when}})
    token = device_token()
    with clear_connection(faulty) as provider:
        stream = provider.send(token)
        if when == "after":
            assert provider.answer(stream).status == 200
        assert until_ended(provider) == end
        assert not provider.goaways and provider.answers[stream].ended == (when == "after")
    (record,) = recorded(faulty, token)
    assert ("notification" in record) == (when == "after")


def test_silence_answers_nobody_not_even_ping(faulty):
    rule(faulty, {"connection": {"how": "silence", "when": "after"}})
    with connection(faulty) as provider:
        assert provider.push(device_token()).status == 200
        provider.send(device_token())
        provider.http.ping(b"12345678")
        provider.flush()
        assert stays_open(provider)
    assert fired(faulty) == 1


def test_a_stream_limit_and_back(faulty):
    rule(faulty, {"streamLimit": 3}, count=1)
    with connection(faulty) as provider:
        provider.push(device_token())
        provider.until(lambda: len(provider.settings) > 1, "SETTINGS")
        assert list(provider.settings[1].values()) == [3]
        provider.push(device_token())
        provider.until(lambda: len(provider.settings) > 2, "SETTINGS")
        assert list(provider.settings[2].values()) == [1000]


def test_clients_are_turned_away_as_they_connect(faulty):
    rule(faulty, {"connection": {"how": "reset"}}, stage="accept", count=1, name="reset")
    rule(faulty, {"connection": {"how": "close"}}, stage="accept", count=1, name="close")
    rule(faulty, {"failsTLS": True}, stage="accept", count=1, name="alert")
    rule(faulty, {"delay": "300ms"}, stage="accept", count=1, name="slow")
    with pytest.raises(ConnectionResetError):
        connect(faulty)
    with pytest.raises((ssl.SSLEOFError, ConnectionResetError)):
        connect(faulty)
    with pytest.raises(ssl.SSLError, match="(?i)handshake.failure"):
        connect(faulty)
    begin = time.monotonic()
    with Provider.to(faulty) as provider:
        assert time.monotonic() - begin >= 0.3
        assert provider.push(device_token()).status == 200
    assert [one["fired"] for one in faulty.api("GET", "/faults")["faults"]] == [1, 1, 1, 1]


def test_a_client_that_waits_for_its_turn_loses_nothing(faulty):
    rule(faulty, {"delay": "300ms"}, stage="accept", count=1)
    with httpx.Client(timeout=20, trust_env=False) as client:
        answer = client.post(
            "http://%s:%d/3/device/%s" % (*faulty.clear_text, device_token()), content=b"x" * 300_000,
            headers={"authorization": f"bearer {faulty.bearer}", "apns-topic": "com.example.app"})
    assert (answer.status_code, answer.json()) == (413, {"reason": "PayloadTooLarge"})


def test_a_silent_listener(faulty):
    rule(faulty, {"connection": {"how": "silence"}}, stage="accept", count=1)
    with socket.create_connection(faulty.provider, 15) as plain:
        plain.sendall(b"\x16\x03\x01\x00\x05hello")
        plain.settimeout(0.3)
        with pytest.raises((TimeoutError, socket.timeout)):
            plain.recv(1)


def test_what_a_client_sends_on_does_not_make_a_reset_of_a_close(faulty):
    rule(faulty, {"connection": {"how": "close"}}, count=1)
    with clear_connection(faulty) as provider:
        provider.send(device_token())
        body = bytes([0, 0x3e, 0x80, 0, 0]) + (5).to_bytes(4, "big") + bytes(16_000)
        for _ in range(20):
            provider.channel.sendall(body)
        assert until_ended(provider) == "closed"


def test_a_proxy_takes_the_connect_and_fails_tls(faulty):
    rule(faulty, {"failsTLS": True}, stage="accept", count=1, name="behind-proxy")
    with socket.create_connection(faulty.proxy, 15) as plain:
        plain.sendall(b"CONNECT api.push.apple.com:443 HTTP/1.1\r\nhost: api.push.apple.com:443\r\n\r\n")
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += plain.recv(1)
        assert head.startswith(b"HTTP/1.1 200")
        from provider import trust

        with pytest.raises(ssl.SSLError, match="(?i)handshake.failure"):
            trust(faulty.ca).wrap_socket(plain, server_hostname="api.push.apple.com")
    found = traced(faulty, "behind-proxy")
    assert (found["traffic"], found["connectTarget"], found["ending"]) == ("proxy", "api.push.apple.com", "alert")


# MARK: - What is recorded


def until(condition, what):
    deadline = time.monotonic() + 15
    while not (found := condition()):
        assert time.monotonic() < deadline, f"no {what}"
    return found


def traced(gateway, name):
    """The connection that a rule fired for, once it has ended."""
    def find():
        for one in gateway.api("GET", "/connections")["connections"]:
            if name in [fault["rule"] for fault in one["faults"]] and one.get("closedAt"):
                return one
    return until(find, f"connection with {name}")


def outcome(gateway, token, *words):
    def find():
        records = recorded(gateway, token)
        return records if [one.get("answer", {}).get("outcome") for one in records] == list(words) else None
    return until(find, f"records that are {words}")


def test_the_record_of_a_delayed_answer(faulty):
    rule(faulty, {"delay": "500ms"})
    _, token = faulty.device()
    with connection(faulty) as provider:
        stream = provider.send(token)
        (waiting,) = outcome(faulty, token, "waiting")
        assert "status" not in waiting and waiting["notification"]
        assert provider.answer(stream).status == 200
        (sent,) = recorded(faulty, token)
        assert sent["status"] == 200 and sent["answer"]["outcome"] == "sent"
        assert sent["answer"]["at"] > sent["receivedAt"]


def test_the_records_of_answers_that_nobody_got(faulty):
    rule(faulty, {"delay": "30s"})
    _, token = faulty.device()
    with connection(faulty) as provider:
        provider.http.reset_stream(provider.send(token), 8)
        provider.flush()
        (cancelled,) = outcome(faulty, token, "cancelled")
        provider.send(token)
        outcome(faulty, token, "cancelled", "waiting")
    _, lost = outcome(faulty, token, "cancelled", "connectionLost")
    for record in (cancelled, lost):
        assert "status" not in record and record["notification"] and record["answer"]["at"] >= record["receivedAt"]
    found = faulty.api("GET", "/requests", params={"fault": "fault", "status": "none", "connection": lost["connection"]})
    assert [one["number"] for one in found["requests"]] == [cancelled["number"], lost["number"]]
    assert not faulty.api("GET", "/requests", params={"fault": "other"})["requests"]
    assert not faulty.api("GET", "/requests", params={"connection": lost["connection"], "status": 200})["requests"]


def test_the_record_of_a_push_that_is_cancelled_with_its_own_write(faulty):
    _, token = faulty.device()
    with connection(faulty) as provider:
        stream = provider.http.get_next_available_stream_id()
        provider.http.send_headers(stream, provider.headers(token))
        provider.http.send_data(stream, b'{"aps":{}}', end_stream=True)
        provider.http.reset_stream(stream, 8)
        provider.flush()
        (record,) = outcome(faulty, token, "cancelled")
    assert "status" not in record and "fault" not in record and record["notification"]


def test_the_record_of_a_delay_that_a_stop_cuts(start_gateway):
    gateway = start_gateway("shutdown.grace=2s")
    rule(gateway, {"delay": "60s"})
    token = device_token()
    with connection(gateway) as provider:
        provider.send(token)
        outcome(gateway, token, "waiting")
        gateway.send(signal.SIGTERM)
        # Whether the admin API is still there to tell is another matter: the client was told nothing.
        provider.until_closed()
        assert not any(answer.ended for answer in provider.answers.values())
        assert provider.goaways


@pytest.mark.parametrize(
    "effect, word",
    [
        ({"loses": "request"}, "withheld"), ({"loses": "answer"}, "withheld"), ({"resets": "CANCEL"}, "reset"),
        ({"connection": {"how": "close"}}, "withheld"), ({"goAway": {"unprocessed": 1}}, "unprocessed"),
        ({"goAway": {"unprocessed": 1}, "delay": "10ms"}, "unprocessed"),
    ], ids=str)
def test_the_record_of_an_answer_that_a_rule_keeps_back(faulty, effect, word):
    rule(faulty, effect)
    _, token = faulty.device()
    with connection(faulty) as provider:
        provider.send(token)
        (record,) = outcome(faulty, token, word)
    assert "status" not in record
    assert ("notification" in record) == (effect.get("loses") == "answer")


def test_connections_name_the_rules_that_met_them(faulty):
    rule(faulty, {"connection": {"how": "reset"}}, stage="accept", count=1, name="turned-away")
    with pytest.raises(ConnectionResetError):
        connect(faulty)
    found = traced(faulty, "turned-away")
    assert (found["traffic"], found["ending"], "httpVersion" in found) == ("provider", "reset", False)
    assert found["faults"][0]["stage"] == "accept" and found["remoteAddress"].startswith("127.0.0.1:")
    rule(faulty, {"delay": "1ms"}, stage="accept", count=1, name="held-up")
    with Provider.to(faulty) as provider:
        assert statuses(provider, 1) == [200]
    found = traced(faulty, "held-up")
    assert (found["httpVersion"], found["accepted"], found["ending"]) == ("HTTP/2", 1, "client")
    rule(faulty, {"goAway": {"reason": "BadCertificate", "times": 2}}, stage="open", count=1, name="dismissed")
    with Provider.to(faulty) as provider:
        provider.until_closed()
    found = traced(faulty, "dismissed")
    goaways = [(one["code"], one["lastStream"], one.get("debugData")) for one in found["goAways"]]
    assert goaways == [("NO_ERROR", 0, '{"reason":"BadCertificate"}'), ("NO_ERROR", 0, None)]
    assert found["ending"] == "gateway" and found["faults"][0]["stage"] == "open"
    rule(faulty, {"connection": {"how": "close", "when": "after"}}, count=1, name="cut-off")
    with connection(faulty) as provider:
        provider.send(device_token())
        until_ended(provider)
    found = traced(faulty, "cut-off")
    assert found["ending"] == "close" and found["faults"][0]["stage"] == "request"


def test_pages_of_requests_go_to_the_end(faulty):
    _, token = faulty.device()
    with Provider.to(faulty) as provider:
        assert statuses(provider, 25, token) == [200] * 25
    seen, since = [], 0
    while True:
        page = faulty.api("GET", "/requests", params={"limit": 10, "since": since, "topic": "com.example.app"})
        seen += page["requests"]
        since = page["next"]
        if not page["hasMore"]:
            break
    assert sum(one.get("token") == token for one in seen) == 25


# MARK: - GOAWAY


def burst(provider, count, token):
    """Pushes in one write; their streams."""
    streams = []
    for _ in range(count):
        stream = provider.http.get_next_available_stream_id()
        provider.answers[stream] = Answer()
        provider.http.send_headers(stream, provider.headers(token))
        provider.http.send_data(stream, b'{"aps":{"alert":"Tea"}}', end_stream=True)
        streams.append(stream)
    provider.flush()
    return streams


@pytest.mark.parametrize("place", [1, 10, 20])
@pytest.mark.parametrize("in_one_write", [True, False])
@pytest.mark.parametrize(
    "goaway", [{"closes": False}, {"closes": False, "unprocessed": 1}, {"unprocessed": 1}, {"closes": True}], ids=str)
def test_nothing_above_the_last_stream_is_delivered(faulty, goaway, in_one_write, place):
    rule(faulty, {"goAway": goaway}, {"nth": place}, name="goaway")
    _, token = faulty.device()
    with connection(faulty) as provider:
        if in_one_write:
            streams = burst(provider, 20, token)
        else:
            streams = []
            for _ in range(20):
                if provider.goaways:
                    break
                streams += burst(provider, 1, token)
        provider.until(lambda: provider.goaways, "GOAWAY")
        last = provider.goaways[0][0]
        provider.until(lambda: all(provider.answers[one].ended for one in streams if one <= last), "answers")
        # What a good client repeats is what lies above.
        again = [one for one in streams if one > last]
        with connection(faulty) as other:
            for _ in again:
                assert other.push(token).status == 200
    assert not any(provider.answers[one].status for one in again)
    delivered = [one for one in recorded(faulty, token) if "notification" in one]
    assert len(delivered) == len(streams)
    assert last == max(0, streams[place - 1] - (2 if goaway.get("unprocessed") else 0))


def test_a_request_that_later_ones_have_overtaken_is_refused_by_itself(faulty):
    rule(faulty, {"delay": "200ms", "goAway": {"unprocessed": 1}}, {"nth": 1})
    _, token = faulty.device()
    with connection(faulty) as provider:
        streams = burst(provider, 5, token)
        provider.until_closed()
        assert provider.goaways == [(streams[-1], 0, b"")]
        assert [provider.answers[one].status for one in streams] == [0, 200, 200, 200, 200]
        assert provider.answers[streams[0]].reset == 7
    assert ["notification" in one for one in recorded(faulty, token)] == [False, True, True, True, True]


def test_a_last_stream_does_not_grow_when_the_gateway_stops(start_gateway):
    gateway = start_gateway("streams.oneUntilAccepted=false")
    apply(gateway, "G1")
    with connection(gateway) as provider:
        burst(provider, 20, device_token())
        provider.until(lambda: provider.goaways, "GOAWAY")
        gateway.send(signal.SIGTERM)
        provider.until_closed()
        assert len(provider.goaways) > 1 and {last for last, _, _ in provider.goaways} == {5}


# MARK: - Matching


def test_matches_by_what_a_request_is(faulty):
    name, mine = faulty.device()
    other = device_token()
    matches = [
        {"token": mine.upper()}, {"device": name}, {"topic": "com.example.mine"}, {"pushType": "background"},
        {"headers": {"x-test": "1"}}, {"keyId": faulty.key_id + "x"}, {"verdict": "PayloadEmpty"},
    ]
    for index, match in enumerate(matches):
        rule(faulty, {"answer": {"status": 450 + index}}, match, name=f"fault-{index}")
    with Provider.to(faulty) as provider:
        assert provider.push(mine).status == 450
        assert provider.push(other).status == 200
        assert provider.push(other, apns_topic="com.example.mine").status == 452
        assert provider.push(other, apns_push_type="background", apns_priority="5").status == 453
        assert provider.push(other, x_test="1").status == 454
        assert provider.push(other, b"").status == 456
        faulty.api("DELETE", "/faults/fault-0")
        assert provider.push(mine).status == 451


def test_chance_goes_by_the_seed(faulty):
    def run():
        rule(faulty, {"answer": {"status": 500}}, {"probability": 0.5}, name="dice")
        with Provider.to(faulty) as provider:
            statuses = [provider.push(device_token()).status for _ in range(40)]
        faulty.api("DELETE", "/faults")
        return statuses

    first = run()
    assert first == run()
    assert 8 < first.count(500) < 32


def test_windows_go_by_the_gateways_clock(start_gateway):
    gateway = start_gateway()
    now = gateway.api("PUT", "/clock", json={"mode": "manual"})["now"]
    rule(gateway, {"answer": {"status": 503}}, name="outage", **{"for": "30s"})
    with Provider.to(gateway, bearer=True) as provider:
        assert provider.push(device_token()).status == 503
        gateway.api("POST", "/clock/advance", json={"by": "29s"})
        assert provider.push(device_token()).status == 503
        gateway.api("POST", "/clock/advance", json={"by": "1s"})
        assert provider.push(device_token()).status == 200
    assert now


# MARK: - Ends


def test_a_graceful_stop_waits_for_no_fault_that_never_answers(start_gateway):
    gateway = start_gateway("shutdown.grace=60s")
    rule(gateway, {"loses": "request"}, {"nth": 1})
    rule(gateway, {"connection": {"how": "silence"}}, {"nth": 1, "per": "connection"}, name="silence")
    rule(gateway, {"connection": {"how": "silence"}}, stage="accept", match={"nth": 3}, name="nobody")
    with connection(gateway) as lost, connection(gateway) as silent:
        lost.send(device_token())
        lost.http.ping(b"12345678")
        lost.flush()
        lost.until(lambda: lost.pongs, "a PING's answer")
        silent.send(device_token())
        with socket.create_connection(gateway.provider, 15):
            while fired(gateway, "silence") + fired(gateway, "nobody") < 2:
                pass
            begin = time.monotonic()
            gateway.send(15)
            lost.until(lambda: lost.goaways, "GOAWAY")
            lost.until_closed()
            gateway.stop()
            assert time.monotonic() - begin < 15


def test_clear_text_goes_wrong_too(faulty):
    rule(faulty, {"answer": {"status": 503}, "delay": "10ms"}, count=1)
    rule(faulty, {"connection": {"how": "close"}}, count=1, name="cut")
    import httpx

    url = "http://%s:%d/3/device/%s" % (*faulty.clear_text, device_token())
    headers = {"apns-topic": "com.example.app", "authorization": f"bearer {faulty.bearer}"}
    with httpx.Client(trust_env=False) as client:
        assert client.post(url, headers=headers, content=b'{"aps":{}}').status_code == 503
        with pytest.raises(httpx.RemoteProtocolError):
            client.post(url, headers=headers, content=b'{"aps":{}}')
        assert client.post(url, headers=headers, content=b'{"aps":{}}').status_code == 200


# MARK: - Scenarios


def statuses(provider, count, token=None):
    return [provider.push(token or device_token()).status for _ in range(count)]


def test_g1_goaway_and_linger(faulty):
    apply(faulty, "goaway-and-linger")
    with connection(faulty) as provider:
        assert statuses(provider, 3) == [200] * 3
        provider.until(lambda: provider.goaways, "GOAWAY")
        assert provider.goaways == [(5, 0, b"")] and stays_open(provider)
        # A client that goes on all the same is refused, stream by stream.
        from hyperframe.frame import DataFrame, HeadersFrame

        block = provider.http.encoder.encode(provider.headers(device_token()))
        provider.send_frame(HeadersFrame(7, block, flags=["END_HEADERS", "END_STREAM"]))
        assert provider.channel.recv(13)[3:9] == b"\x03\x00\x00\x00\x00\x07"


def test_g2_goaway_unprocessed(faulty):
    apply(faulty, "G2")
    token = device_token()
    with connection(faulty) as provider:
        assert statuses(provider, 2) == [200] * 2
        stream = provider.send(token)
        provider.until_closed()
        assert provider.goaways == [(3, 0, SHUTDOWN)] and not provider.answers[stream].ended
    assert "notification" not in recorded(faulty, token)[0]


def test_g3_broken_certificate_environment(faulty):
    apply(faulty, "g3")
    with Provider.to(faulty) as provider:
        provider.until_closed()
        assert provider.goaways == [(0, 0, b'{"reason":"BadCertificateEnvironment"}'), (0, 0, b"")]


def test_g4_connection_reset(faulty):
    apply(faulty, "G4")
    with clear_connection(faulty) as provider:
        assert statuses(provider, 1) == [200]
        provider.send(device_token())
        assert until_ended(provider) == "reset" and not provider.goaways


def test_g5_never_answered(faulty):
    apply(faulty, "G5")
    with connection(faulty) as provider:
        streams = [provider.send(device_token())]
        assert provider.answer(streams[0]).status == 200
        streams += [provider.send(device_token()) for _ in range(4)]
        provider.until(lambda: sum(answer.ended for answer in provider.answers.values()) == 4, "four answers")
        assert [provider.answers[stream].ended for stream in streams] == [True, True, False, True, True]


def test_g6_half_dead_connection(faulty):
    apply(faulty, "G6")
    with connection(faulty) as provider:
        assert statuses(provider, 1) == [200]
        provider.send(device_token())
        assert stays_open(provider)


def test_g7_stale_after_idle(start_gateway):
    gateway = start_gateway()
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    apply(gateway, "G7")
    with Provider.to(gateway) as provider:
        assert statuses(provider, 1) == [200]
        gateway.api("POST", "/clock/advance", json={"by": "61m"})
        answers = [provider.push(device_token()) for _ in range(2)]
        assert [(answer.status, answer.reason) for answer in answers] == [(500, "InternalServerError")] * 2
    with Provider.to(gateway) as provider:
        assert provider.push(device_token()).reason == "ExpiredProviderToken"


def test_g8_stream_limit_one(faulty, client_certificate):
    apply(faulty, "stream-limit-one")
    with Provider.to(faulty, bearer=None, certificate=client_certificate("com.example.app", "development")) as provider:
        provider.until(lambda: len(provider.settings) > 1, "SETTINGS")
        assert list(provider.settings[1].values()) == [1]
        assert statuses(provider, 1) == [200]
        provider.until(lambda: len(provider.settings) > 2, "SETTINGS")
        assert list(provider.settings[2].values()) == [1000]


def test_g9_stream_limit_after_rejection(faulty):
    apply(faulty, "G9")
    with connection(faulty) as provider:
        assert provider.push("xyz").status == 400
        provider.until(lambda: len(provider.settings) > 1, "SETTINGS")
        assert statuses(provider, 1) == [200]
        provider.until(lambda: len(provider.settings) > 2, "SETTINGS")
        assert [list(one.values()) for one in provider.settings[1:]] == [[1], [1000]]


def test_g10_streams_violated(faulty):
    apply(faulty, "G10")
    with connection(faulty) as provider:
        assert statuses(provider, 1) == [200]
        provider.send(device_token())
        provider.until_closed()
        assert provider.goaways == [(1, 7, b"Maximum active streams violated for this endpoint.")]


def test_g11_token_storm(faulty):
    apply(faulty, "token-storm")
    with Provider.to(faulty) as provider:
        assert statuses(provider, 25) == [200] * 9 + [429] * 5 + [200] * 5 + [429] * 5 + [200]


def test_g12_wedged_after_expiry(faulty):
    apply(faulty, "G12")
    expired = tokens.provider_token(faulty.private_key, faulty.key_id, faulty.team_id, age=3700)
    with Provider.to(faulty) as provider:
        assert statuses(provider, 1) == [200]
        assert provider.push(device_token(), authorization=f"bearer {expired}").status == 403
        assert provider.push(device_token()).reason == "ExpiredProviderToken"
    with Provider.to(faulty) as provider:
        assert statuses(provider, 1) == [200]


def test_g13_clock_skew(faulty):
    apply(faulty, "G13")
    with Provider.to(faulty) as provider:
        assert statuses(provider, 6) == [403, 403, 429] * 2


def test_g14_timestamp_in_milliseconds(faulty):
    apply(faulty, "G14")
    token = device_token()
    with Provider.to(faulty) as provider:
        first, second = (json.loads(provider.push(token).body) for _ in range(2))
    assert abs(first["timestamp"] / 1000 - time.time()) < 60
    assert second == {"reason": "Unregistered"}


def test_g15_fractional_expiration(faulty):
    apply(faulty, "G15")
    with Provider.to(faulty) as provider:
        assert provider.push(device_token(), apns_expiration="1795244400.5").reason == "BadExpirationDate"
        assert provider.push(device_token(), apns_expiration="1795244400").status == 200
    assert fired(faulty, "fractional-expiration") == 1


@pytest.mark.parametrize(
    "name, status, reason",
    [
        ("wrong-environment", 400, "BadDeviceToken"), ("G16", 400, "BadDeviceToken"),
        ("single-environment-key", 403, "BadEnvironmentKeyInToken"), ("outage", 503, "ServiceUnavailable"),
    ])
def test_g16_and_others_that_refuse_everything(faulty, name, status, reason):
    apply(faulty, name)
    with Provider.to(faulty) as provider:
        answer = provider.push(device_token())
        assert (answer.status, answer.reason) == (status, reason)


def test_g17_unknown_reason(faulty):
    apply(faulty, "G17")
    with Provider.to(faulty) as provider:
        answers = [provider.push(device_token()) for _ in range(2)]
    assert [(answer.status, answer.reason) for answer in answers] == [(200, None), (400, "ReasonOfTomorrow")]


def test_g18_odd_error_bodies(faulty):
    apply(faulty, "G18")
    with Provider.to(faulty) as provider:
        answers = [provider.push(device_token()) for _ in range(2)]
    assert [(answer.status, answer.reason, answer.data_frames) for answer in answers] == [
        (400, "BadDeviceToken", 2), (400, None, 0)]


def test_g19_lost_answer(faulty):
    apply(faulty, "lost-answer")
    token = device_token()
    with clear_connection(faulty) as provider:
        provider.send(token)
        assert until_ended(provider) == "reset"
    with Provider.to(faulty) as provider:
        assert statuses(provider, 1, token) == [200]
    first, second = recorded(faulty, token)
    assert first["notification"] < second["notification"]


def test_g20_unavailable_bursts(faulty):
    apply(faulty, "G20")
    with Provider.to(faulty) as provider:
        answers = [provider.push(device_token()) for _ in range(30)]
    assert [answer.reason for answer in answers] == (
        [None] * 19 + ["Shutdown"] * 5 + ["ServiceUnavailable"] * 5 + [None])


def test_g21_slow_to_connect(faulty):
    apply(faulty, "G21")
    with pytest.raises(ConnectionResetError):
        connect(faulty)
    begin = time.monotonic()
    with Provider.to(faulty) as provider:
        assert time.monotonic() - begin >= 3 and statuses(provider, 1) == [200]
    with pytest.raises(ssl.SSLError, match="(?i)handshake.failure"):
        connect(faulty)
    connect(faulty).close()


def test_g22_too_many_bad_tokens(faulty):
    apply(faulty, "too-many-bad-tokens")
    with connection(faulty) as provider:
        assert statuses(provider, 5, "xyz") == [400] * 5
        assert until_ended(provider) == "closed" and not provider.goaways


def test_graceful_shutdown(faulty):
    apply(faulty, "graceful-shutdown")
    with connection(faulty) as provider:
        assert statuses(provider, 2) == [200] * 2
        provider.send(device_token())
        provider.until_closed()
        assert provider.goaways == [(2**31 - 1, 0, SHUTDOWN), (5, 0, SHUTDOWN)] and provider.answers[5].ended


def test_stream_closed_after_refusal(faulty):
    apply(faulty, "stream-closed-after-refusal")
    with clear_connection(faulty) as provider:
        assert statuses(provider, 2) == [200] * 2
        stream = provider.send(device_token())
        data = b""
        while len(data) < 26:
            data += provider.channel.recv(26 - len(data))
        reset = b"\x00\x00\x04\x03\x00" + stream.to_bytes(4, "big")
        assert data == reset + b"\x00\x00\x00\x07" + reset + b"\x00\x00\x00\x05"


def test_idle_timeout(faulty):
    apply(faulty, "idle-timeout")
    with connection(faulty) as provider:
        provider.http.ping(b"12345678")
        provider.flush()
        provider.until(lambda: provider.pongs, "a PING's answer")
        assert stays_open(provider, 1)
        begin = time.monotonic()
        assert statuses(provider, 1) == [200]
        provider.until(lambda: provider.goaways, "GOAWAY")
        assert 2 <= time.monotonic() - begin < 2.8, "it counts from the last request"
        provider.until_closed()
        assert provider.goaways == [(1, 0, b'{"reason":"IdleTimeout"}')]


def test_closed_window(faulty):
    apply(faulty, "closed-window")
    with Provider.to(faulty) as provider:
        provider.until(lambda: len(provider.settings) > 1, "SETTINGS")
        provider.flush()
        stream = provider.http.get_next_available_stream_id()
        provider.http.send_headers(stream, provider.headers(device_token()))
        provider.flush()
        assert provider.http.local_flow_control_window(stream) == 0
        assert stays_open(provider)


def test_goaway_unprocessed_several(faulty):
    apply(faulty, "goaway-unprocessed-several")
    _, token = faulty.device()
    with connection(faulty) as provider:
        burst(provider, 8, token)
        provider.until_closed()
        assert provider.goaways == [(3, 0, SHUTDOWN)]
    assert ["notification" in one for one in recorded(faulty, token)] == [True, True, False, False, False]


def test_key_revoked(faulty):
    apply(faulty, "key-revoked")
    with Provider.to(faulty) as provider:
        answers = [provider.push(device_token()) for _ in range(5)]
    assert [answer.reason for answer in answers] == [None] * 2 + ["InvalidProviderToken"] * 3


@pytest.mark.parametrize("name, status, jump", [("G7", 500, True), ("G12", 403, True), ("G12", 403, False)])
def test_g7_and_g12_are_passed_with_a_new_token(start_gateway, name, status, jump):
    gateway = start_gateway()
    apply(gateway, name)
    if jump:
        gateway.api("PUT", "/clock", json={"mode": "manual"})
    else:
        rule(gateway, {"expiresToken": True}, {"verdict": "accepted", "nth": 3}, count=1)

    def push(client, bearer):
        return client.post(
            "https://127.0.0.1:%d/3/device/%s" % (gateway.provider[1], device_token()), content=b'{"aps":{}}',
            headers={"authorization": f"bearer {bearer}", "apns-topic": "com.example.app"}).status_code

    from provider import trust

    options = {"http2": True, "verify": trust(gateway.ca, alpn=()), "trust_env": False}
    old = tokens.provider_token(gateway.private_key, gateway.key_id, gateway.team_id)
    with httpx.Client(**options) as client:
        assert [push(client, old) for _ in range(2)] == [200, 200]
        if jump:
            gateway.api("POST", "/clock/advance", json={"by": "61m"})
        assert [push(client, old) for _ in range(2)] == [status] * 2
    with httpx.Client(**options) as client:
        new = tokens.provider_token(gateway.private_key, gateway.key_id, gateway.team_id)
        assert [push(client, new) for _ in range(3)] == [200] * 3


def test_a_scenario_for_one_device_twice(faulty):
    name, mine = faulty.device()
    faulty.api("POST", "/faults", 201, json={"scenario": "wrong-environment", "match": {"device": name}, "count": 2})
    with Provider.to(faulty) as provider:
        assert [provider.push(token).status for token in (device_token(), mine, mine, mine)] == [200, 400, 400, 200]


def test_slow_and_flaky(faulty):
    apply(faulty, "slow-answers")
    with Provider.to(faulty) as provider:
        begin = time.monotonic()
        assert statuses(provider, 1) == [200]
        assert time.monotonic() - begin >= 0.2
        faulty.api("DELETE", "/faults")
        apply(faulty, "flaky")
        assert 0 < statuses(provider, 100).count(500) < 30


# MARK: - Setting


def test_fixtures_set_faults(start_gateway, tmp_path):
    (tmp_path / "10.yaml").write_text(
        "faults:\n- {name: tea, match: {probability: 1.0}, effect: {answer: {status: 418}}, count: 1}\n- scenario: G5\n")
    gateway = start_gateway(f"fixtures={tmp_path}")
    assert [one["name"] for one in gateway.api("GET", "/faults")["faults"]] == ["tea", "never-answered"]
    with Provider.to(gateway) as provider:
        assert statuses(provider, 2) == [418, 200]


def test_the_command_sets_and_clears(faulty):
    def fault(*arguments):
        run = pushcote("fault", *arguments, "--admin", "http://%s:%d" % faulty.admin_address)
        assert run.returncode == 0, run.stderr
        return run.stdout.splitlines()

    assert fault("apply", "G4", "lost-answer") == [
        "NAME              STAGE    MATCHED  FIRED", "connection-reset  request  0        0",
        "lost-answer       request  0        0"]
    assert fault("clear", "lost-answer") == ["1 rule removed"]
    assert len(fault("list")) == 2
    assert fault("clear") == ["1 rule removed"]
    assert fault() == ["There are no fault rules."]
    assert len(fault("scenarios")) == 33
    assert fault("apply", "G4", "G5", "--match", "device=phone", "--count", "2")
    for one in faulty.api("GET", "/faults")["faults"]:
        assert (one["match"]["device"], one["count"]) == ("phone", 2)


def test_the_command_applies_all_scenarios_or_none(faulty):
    run = pushcote("fault", "apply", "G4", "G99", "--admin", "http://%s:%d" % faulty.admin_address)
    assert run.returncode == 1 and "G99" in run.stderr
    assert not faulty.api("GET", "/faults")["faults"]
    assert [one["name"] for one in apply(faulty, "G16")] == ["single-environment-key", "wrong-environment"]
    with Provider.to(faulty) as provider:
        assert statuses(provider, 4) == [400, 403, 400, 403]


def test_there_may_be_a_hundred_rules(faulty):
    rules = [{"name": f"rule-{index}", "effect": {"delay": "1ms"}} for index in range(100)]
    assert len(faulty.api("PUT", "/faults", json={"faults": rules})["faults"]) == 100
    answer = faulty.api("POST", "/faults", 409, json={"name": "one more", "effect": {"delay": "1ms"}})
    assert "100 fault rules" in answer["error"]
    faulty.api("PUT", "/faults", 409, json={"faults": rules + [{"name": "one more", "effect": {"delay": "1ms"}}]})
    assert len(faulty.api("GET", "/faults")["faults"]) == 100


def test_files_may_set_a_hundred_rules(tmp_path):
    file = tmp_path / "10.yaml"
    for count, status in [(100, 0), (101, 2)]:
        file.write_text("faults:\n" + "".join(f"- {{name: rule-{one}, effect: {{delay: 1ms}}}}\n" for one in range(count)))
        run = pushcote("config", "--set", f"fixtures={tmp_path}", cwd=tmp_path)
        assert run.returncode == status, run.stderr
    assert "10.yaml:102:" in run.stderr and "101 rules; accepted: at most 100" in run.stderr


def test_a_new_configuration_leaves_rules_of_the_api_alone(start_gateway, tmp_path):
    file = tmp_path / "10.yaml"
    file.write_text("faults:\n- {name: kept, effect: {delay: 1ms}}\n- {name: gone, effect: {delay: 1ms}}\n")
    gateway = start_gateway(f"fixtures={tmp_path}")
    rule(gateway, {"delay": "1ms"}, name="by-hand")

    def names():
        return [one["name"] for one in gateway.api("GET", "/faults")["faults"]]

    file.write_text("faults:\n" + "".join(f"- {{name: {name}, effect: {{delay: 1ms}}}}\n" for name in ("new", "kept", "by-hand")))
    gateway.send(signal.SIGHUP)
    until(lambda: "new" in names(), "new rule")
    assert names() == ["new", "kept", "by-hand"]
    until(lambda: "the admin API has set others" in gateway.stderr, "warning")
    gateway.api("DELETE", "/faults/by-hand")
    gateway.send(signal.SIGHUP)
    until(lambda: "by-hand" in names(), "rule of the file")


def test_reset_clears_faults(start_gateway):
    gateway = start_gateway()
    apply(gateway, "G5")
    gateway.api("POST", "/reset", json={"keep": ["faults"]})
    assert gateway.api("GET", "/faults")["faults"]
    gateway.api("POST", "/reset")
    assert not gateway.api("GET", "/faults")["faults"]
