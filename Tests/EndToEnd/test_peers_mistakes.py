"""Mistakes of other APNs mocks, grouped by mock; Pushcote makes none of them."""

import json
import re
import time

import httpx
import pytest

import tokens
from admin import own
from gateway import device_token
from provider import PAYLOAD, Provider

TOPIC = "com.example.app"
UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def unregistered(gateway):
    name, token = gateway.device()
    gateway.api("DELETE", f"/devices/{name}/registrations/{token}")
    return token


# MARK: - Pushy's MockApnsServer


@pytest.mark.parametrize("scheme", ["bearer", "Bearer", "BEARER"])
def test_pushy_takes_bearer_in_lower_case_only(provider, scheme):
    assert provider.push(device_token(), authorization=f"{scheme} {provider.bearer}").status == 200


def test_pushy_looks_at_the_device_token_before_the_provider(provider):
    assert provider.push("xyz", authorization=None).reason == "MissingProviderToken"
    assert provider.push("xyz", authorization="bearer a.b.c").reason == "InvalidProviderToken"


def test_pushy_limits_voip_to_4096_bytes(provider):
    voip = {"apns_topic": TOPIC + ".voip", "apns_push_type": "voip"}
    assert provider.push(device_token(), b'{"aps":{}}'.ljust(5120), **voip).status == 200
    assert provider.push(device_token(), b'{"aps":{}}'.ljust(5121), **voip).status == 413
    untyped = {"apns_topic": TOPIC + ".voip", "apns_push_type": None}
    assert provider.push(device_token(), b'{"aps":{}}'.ljust(5120), **untyped).status == 200


def test_pushy_demands_a_topic_of_a_certificate_that_has_one(gateway, connect, client_certificate):
    provider = connect(gateway, bearer=None, certificate=client_certificate(TOPIC, "development"))
    assert provider.push(device_token(), apns_topic=None).status == 200


@pytest.mark.parametrize("alpn", [(), ("h2",), ("h2", "http/1.1"), ("http/1.1", "h2")], ids=str)
def test_pushy_speaks_no_alpn(gateway, connect, alpn):
    provider = connect(gateway, alpn=alpn)
    assert provider.channel.selected_alpn_protocol() == ("h2" if alpn else None)
    assert provider.push(device_token()).status == 200


# MARK: - APNSwift's APNSTestServer


def test_apnstestserver_speaks_http1_only(gateway):
    with Provider.to(gateway) as provider:
        assert provider.push(device_token()).status == 200


def test_apnstestserver_says_400_to_a_large_payload(provider):
    answer = provider.push(device_token(), b"x" * 4097)
    assert (answer.status, answer.body) == (413, b'{"reason":"PayloadTooLarge"}')


def test_apnstestserver_refuses_priority_1(provider):
    assert [provider.push(device_token(), apns_priority=one).status for one in ("1", "5", "10")] == [200] * 3


def test_apnstestserver_calls_bad_json_empty(provider):
    assert provider.push(device_token(), b"{").status == 200
    assert provider.push(device_token(), b"").reason == "PayloadEmpty"


def test_apnstestserver_has_a_body_on_200(provider):
    answer = provider.push(device_token())
    assert (answer.status, answer.body, answer.data_frames) == (200, b"", 0)


def test_apnstestserver_has_no_apns_id_on_errors(provider):
    for edits in ({"authorization": None}, {"path": "/"}, {"method": "GET"}, {"apns_id": None, "apns_priority": "7"}):
        answer = provider.push(device_token(), **edits)
        assert answer.status >= 400 and UUID.fullmatch(answer.apns_id)


@pytest.mark.parametrize("byte_count", [1, 5, 31, 32, 33, 64, 80, 100])
def test_apnstestserver_wants_64_digits(provider, byte_count):
    assert provider.push(device_token(byte_count)).status == 200


def test_apnstestserver_asks_for_no_credentials(provider):
    assert provider.push(device_token(), authorization=None).status == 403


# MARK: - go-apnsmock


def test_go_apnsmock_calls_a_large_payload_empty(provider):
    assert provider.push(device_token(), b"x" * 10_000).reason == "PayloadTooLarge"


def test_go_apnsmock_loses_the_content_type(provider):
    assert provider.push("xyz").headers["content-type"] == "application/json"
    assert "content-type" not in provider.push(device_token()).headers


def test_go_apnsmock_has_no_timestamp_on_410(gateway, provider):
    before = time.time() * 1000 - 1000
    answer = provider.push(unregistered(gateway))
    assert answer.status == 410
    assert before <= json.loads(answer.body)["timestamp"] <= time.time() * 1000 + 1000, "milliseconds, not seconds"


@pytest.mark.parametrize("path", ["", "/", "/3", "/3/", "/3/device", "/3/device/", "*", "/3/device//", "/%", "/" * 4000])
def test_go_apnsmock_panics_on_short_paths(gateway, provider, path):
    answer = provider.push("x", path=path)
    assert answer.status in (400, 404) or answer.reset is not None
    with Provider.to(gateway) as other:
        assert other.push(device_token()).status == 200


# MARK: - apns-mock-server (kamilwaz)


def test_kamilwaz_has_no_apns_id(provider):
    assert UUID.fullmatch(provider.push(device_token(), apns_id=None).apns_id)
    given = "0f3e4d5c-1111-4222-8333-abcdefabcdef"
    assert provider.push(device_token(), apns_id=given).apns_id == given


def test_kamilwaz_answers_null(provider):
    assert provider.push(device_token()).body == b""


def test_kamilwaz_has_admin_paths_on_apples_port(provider):
    for path in ("/mock/activity", "/healthcheck", "/api/v1/notifications", "/livez"):
        answer = provider.push("x", b"", path=path, method="GET")
        assert (answer.status, answer.reason) == (404, "BadPath")


# MARK: - apnsmock-go (bergusman)


def test_bergusman_answers_a_bad_header_twice(provider):
    answer = provider.push(device_token(), apns_priority="7", apns_expiration="x", apns_collapse_id="x" * 65)
    assert answer.body == b'{"reason":"BadExpirationDate"}'
    assert answer.data_frames == 1


@pytest.mark.parametrize("priority", ["0", "2", "9", "11", "05", "+5", "5.0", "1000"])
def test_bergusman_takes_any_number_as_priority(provider, priority):
    answer = provider.push(device_token(), apns_priority=priority)
    assert (answer.status, answer.reason) == (400, "BadPriority")


# MARK: - apnsmock (blueshift)


def test_blueshift_demands_what_is_optional(provider):
    optional = {"apns_id": None, "apns_priority": None, "apns_expiration": None, "apns_push_type": None}
    assert provider.push(device_token(), **optional).status == 200


@pytest.mark.parametrize("expiration", ["0", "1", "1000000000", "4102444800"])
def test_blueshift_refuses_a_past_expiration(provider, expiration):
    assert provider.push(device_token(), apns_expiration=expiration).status == 200


def test_blueshift_takes_a_mebibyte(gateway, provider):
    answer = provider.push(device_token(), b"x" * (1 << 20))
    assert answer.status == 413
    record = gateway.request(answer.apns_id, reason="PayloadTooLarge")
    detail = gateway.api("GET", f"/requests/{record['number']}")
    assert detail["payloadByteCount"] >= 4097


def test_blueshift_takes_five_connections(gateway, connect):
    for provider in [connect(gateway) for _ in range(50)]:
        assert provider.push(device_token()).status == 200


# MARK: - go-apns-server (CleverTap)


def test_clevertap_fails_at_random(provider):
    assert {provider.push(device_token()).status for _ in range(300)} == {200}


# MARK: - stunt


def test_stunt_calls_a_payload_without_aps_empty(gateway, provider):
    device, token = gateway.device()
    assert provider.push(token, b'{"mdm":"magic"}').status == 200
    assert len(gateway.wait(device=device)) == 1


def test_stunt_goes_by_exp(gateway, connect):
    """A token's age counts from `iat`, whatever the value of `exp`."""
    now = int(time.time())
    make = lambda **options: tokens.provider_token(gateway.private_key, gateway.key_id, gateway.team_id, **options)
    assert connect(gateway, bearer=make(exp=now - 9)).push(device_token()).status == 200
    assert connect(gateway, bearer=make(age=4000, exp=now + 9999)).push(device_token()).reason == "ExpiredProviderToken"


def test_stunt_speaks_clear_text_http1_only(gateway):
    url = "http://%s:%d/3/device/%s" % (*gateway.clear_text, device_token())
    headers = {"apns-topic": TOPIC, "authorization": f"bearer {gateway.bearer}"}
    with httpx.Client(http2=True, http1=False, trust_env=False, timeout=20) as client:
        answer = client.post(url, content=PAYLOAD, headers=headers)
    assert (answer.http_version, answer.status_code) == ("HTTP/2", 200)


# MARK: - fakepushprovider


def test_fakepushprovider_echoes_an_empty_apns_id(provider):
    assert UUID.fullmatch(provider.push(device_token(), apns_id="").apns_id)


def test_an_answer_to_head_has_no_data(own, connect):
    answer = connect(own).push(device_token(), b"", method="HEAD")
    assert (answer.status, answer.body) == (405, b"")
