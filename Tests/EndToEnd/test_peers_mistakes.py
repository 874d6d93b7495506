"""Mistakes of other APNs mocks; Pushcote makes none of them. Its other rules are in `test_acceptance`,
`test_reasons` and `HeaderRulesTests`."""

import re

import pytest

from gateway import device_token
from provider import PAYLOAD, Provider

TOPIC = "com.example.app"
UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
VOIP = {"apns_topic": TOPIC + ".voip", "apns_push_type": None}


@pytest.mark.parametrize("mock, token, payload, edits", [
    ("Pushy limits VoIP to 4096 bytes", device_token(), b'{"aps":{}}'.ljust(5120), VOIP),
    ("APNSTestServer calls bad JSON empty", device_token(), b"{", {}),
    ("stunt calls a payload without aps empty", device_token(), b'{"mdm":"magic"}', {}),
], ids=lambda value: value if isinstance(value, str) and " " in value else "")
def test_a_push_that_another_mock_refuses_is_accepted(provider, mock, token, payload, edits):
    answer = provider.push(token, payload, **edits)
    assert (answer.status, answer.body, answer.data_frames) == (200, b"", 0)
    assert "content-type" not in answer.headers and UUID.fullmatch(answer.apns_id)


@pytest.mark.parametrize("mock, token, payload, edits, reason", [
    ("kamilwaz has admin paths on Apple's port", "x", b"", {"path": "/livez", "method": "GET"}, "BadPath"),
    ("none has an apns-id", device_token(), PAYLOAD, {"apns_id": None, "apns_priority": "7"}, "BadPriority"),
], ids=lambda value: value if isinstance(value, str) and " " in value else "")
def test_a_push_that_another_mock_accepts_is_rejected(provider, mock, token, payload, edits, reason):
    answer = provider.push(token, payload, **edits)
    assert (answer.reason, answer.body, answer.data_frames) == (reason, b'{"reason":"%s"}' % reason.encode(), 1)
    assert answer.headers["content-type"] == "application/json" and UUID.fullmatch(answer.apns_id)


@pytest.mark.parametrize("scheme", ["Bearer", "BEARER"])
def test_pushy_takes_bearer_in_lower_case_only(provider, scheme):
    assert provider.push(device_token(), authorization=f"{scheme} {provider.bearer}").status == 200


@pytest.mark.parametrize("alpn", [(), ("http/1.1", "h2")], ids=str)
def test_pushy_speaks_no_alpn(gateway, connect, alpn):
    provider = connect(gateway, alpn=alpn)
    assert provider.channel.selected_alpn_protocol() == ("h2" if alpn else None)
    assert provider.push(device_token()).status == 200


@pytest.mark.parametrize("path", ["", "/", "/3", "/3/", "/3/device", "/3/device/", "*", "/3/device//", "/%", "/" * 4000])
def test_go_apnsmock_panics_on_short_paths(gateway, provider, path):
    answer = provider.push("x", path=path)
    assert answer.status in (400, 404) or answer.reset is not None
    with Provider.to(gateway) as other:
        assert other.push(device_token()).status == 200


def test_fakepushprovider_echoes_an_empty_apns_id(provider):
    assert UUID.fullmatch(provider.push(device_token(), apns_id="").apns_id)


def test_an_answer_to_head_has_no_data(provider):
    answer = provider.push(device_token(), b"", method="HEAD")
    assert (answer.status, answer.body) == (405, b"")
