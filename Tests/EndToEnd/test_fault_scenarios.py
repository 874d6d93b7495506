"""Every named fault scenario, as observed on the wire."""

import json
import ssl
import time

import httpx
import pytest

from faulty import (
    apply, burst, clear, clear_connection, connection, expect_reset_on_connect, faulty, fired, recorded, rule, statuses,
    stays_open, until_ended,
)
from gateway import device_token
from provider import connect, Provider
import tokens


SHUTDOWN = b'{"reason":"Shutdown"}'


def test_g1_goaway_and_linger(faulty):
    apply(faulty, "goaway-and-linger")
    with connection(faulty) as provider:
        assert statuses(provider, 3) == [200] * 3
        provider.until(lambda: provider.goaways, "GOAWAY")
        assert provider.goaways == [(5, 0, b"")] and stays_open(provider)
        # Streams from a client that continues after GOAWAY are refused one by one.
        from hyperframe.frame import DataFrame, HeadersFrame

        block = provider.http.encoder.encode(provider.headers(device_token()))
        provider.send_frame(HeadersFrame(7, block, flags=["END_HEADERS", "END_STREAM"]))
        assert provider.channel.recv(13)[3:9] == b"\x03\x00\x00\x00\x00\x07"


@pytest.mark.parametrize("name, answers", [
    ("token-storm", ["200"] * 9 + ["429"] * 5 + ["200"] * 5 + ["429"] * 5 + ["200"]), ("G13", ["403", "403", "429"] * 2),
    ("wrong-environment", ["400 BadDeviceToken"]), ("G16", ["400 BadDeviceToken"]), ("outage", ["503 ServiceUnavailable"]),
    ("single-environment-key", ["403 BadEnvironmentKeyInToken"]), ("G17", ["200 None", "400 ReasonOfTomorrow"]),
    ("G20", ["200"] * 19 + ["503 Shutdown"] * 5 + ["503 ServiceUnavailable"] * 5 + ["200"]),
    ("key-revoked", ["200"] * 2 + ["403 InvalidProviderToken"] * 3)])
def test_a_scenario_answers_in_turn(faulty, name, answers):
    apply(faulty, name)
    with Provider.to(faulty) as provider:
        for place, expected in enumerate(answers):
            answer = provider.push(device_token())
            assert f"{answer.status} {answer.reason}".startswith(expected), place


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


def test_g12_wedged_after_expiry(faulty):
    apply(faulty, "G12")
    expired = tokens.provider_token(faulty.private_key, faulty.key_id, faulty.team_id, age=3700)
    with Provider.to(faulty) as provider:
        assert statuses(provider, 1) == [200]
        assert provider.push(device_token(), authorization=f"bearer {expired}").status == 403
        assert provider.push(device_token()).reason == "ExpiredProviderToken"
    with Provider.to(faulty) as provider:
        assert statuses(provider, 1) == [200]


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


def test_g21_slow_to_connect(faulty):
    apply(faulty, "G21")
    expect_reset_on_connect(faulty)
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
        assert stays_open(provider, 0.5)
        begin = time.monotonic()
        assert statuses(provider, 1) == [200]
        provider.until(lambda: provider.goaways, "GOAWAY")
        assert 2 <= time.monotonic() - begin, "it counts from the last request"
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


def test_g23_too_many_requests(faulty):
    apply(faulty, "G23")
    token = device_token()
    with connection(faulty) as provider:
        assert statuses(provider, 4, token) + statuses(provider, 1) == [200] * 3 + [429, 200]
        assert provider.push(token).reason == "TooManyRequests"


def test_g24_long_tail(faulty):
    apply(faulty, "long-tail")
    _, token = faulty.device()
    with connection(faulty) as provider:
        streams = burst(provider, 20, token)
        assert {provider.answer(stream).status for stream in streams} == {200}
    answered = [one["answer"]["at"] for one in recorded(faulty, token)]
    assert answered != sorted(answered)


def test_g25_starved_window(faulty):
    apply(faulty, "G25")
    payload = b'{"aps":{"alert":"' + b"T" * 4000 + b'"}}'
    with connection(faulty) as provider:
        count = 65535 // len(payload)
        assert [provider.push(device_token(), payload).status for _ in range(count)] == [200] * count
        stream = provider.http.get_next_available_stream_id()
        provider.http.send_headers(stream, provider.headers(device_token()))
        assert provider.http.local_flow_control_window(stream) == 65535 - count * len(payload) < len(payload)
        provider.flush()
        assert stays_open(provider)


def test_g26_settings_churn(faulty):
    apply(faulty, "G26")
    limit, window = 3, 4
    with Provider.to(faulty) as provider:
        def seen(setting):
            return [one[setting] for one in provider.settings if setting in one]

        provider.until(lambda: len(seen(window)) > 8, "changes of the window")
        assert seen(window)[1:9] == [100, 65535, 1] * 2 + [100, 65535]
        provider.until(lambda: len(seen(limit)) > 6, "changes of the limit")
        assert seen(limit)[1:7] == [1, 100, 2] * 2
        # A client that applies the changed SETTINGS is served.
        assert statuses(provider, 3) == [200] * 3


def test_goaway_unprocessed_several(faulty):
    apply(faulty, "goaway-unprocessed-several")
    _, token = faulty.device()
    with connection(faulty) as provider:
        burst(provider, 8, token)
        provider.until_closed()
        assert provider.goaways == [(3, 0, SHUTDOWN)]
    records = recorded(faulty, token)
    assert ["notification" in one for one in records] == [True, True, False, False, False]
    assert [one.get("answer", {}).get("outcome") for one in records] == [None, None] + ["unprocessed"] * 3


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
