"""Faults on purpose, seen on the wire: every effect, and every scenario by its name."""

import json
import socket
import ssl
import time
from contextlib import contextmanager

import httpx
import pytest

import tokens
from gateway import device_token, pushcote
from provider import Provider, connect

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
    assert len(fault("scenarios")) == 27


def test_reset_clears_faults(start_gateway):
    gateway = start_gateway()
    apply(gateway, "G5")
    gateway.api("POST", "/reset", json={"keep": ["faults"]})
    assert gateway.api("GET", "/faults")["faults"]
    gateway.api("POST", "/reset")
    assert not gateway.api("GET", "/faults")["faults"]
