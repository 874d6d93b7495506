"""Pushes that are accepted, tokens as libraries make them, and the order of the checks."""

import re
import time
import uuid

from cryptography.hazmat.primitives import hashes
import pytest

from gateway import device_token
from provider import PRODUCTION, SANDBOX
from signing import UPPER_UUID, signed
import tokens


TOPIC = "com.example.app"
LOWER_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
ACCEPTED = {
    "everything given": {"apns_priority": "10", "apns_expiration": "0", "apns_collapse_id": "x" * 64},
    "nothing optional": {"apns_push_type": None, "apns_id": None},
    "a collapse id of 64 bytes in 32 characters": {"apns_collapse_id": "é" * 32},
    "priority 5": {"apns_priority": "5"},
    "priority 1": {"apns_priority": "1"},
    "an expiration in the past": {"apns_expiration": "1"},
    "an expiration in 30 days": {"apns_expiration": str(int(time.time()) + 30 * 86400)},
    "an upper-case apns-id": {"apns_id": str(uuid.uuid4()).upper()},
    "a mixed-case apns-id": {"apns_id": "AbCdEf01-2345-6789-aBcD-" + uuid.uuid4().hex[:12]},
    "host instead of :authority": {"authority": None, "host": SANDBOX},
    "a content type of its own": {"content_type": "application/x-www-form-urlencoded"},
    "a user agent twice": {"user_agent": ["a", "b"]},
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_push_is_accepted(name, gateway, provider):
    edits = ACCEPTED[name]
    device, token = gateway.device()
    answer = provider.push(token, **edits)
    assert (answer.status, answer.body, answer.data_frames) == (200, b"", 0)
    given = edits.get("apns_id", "made by the helper")
    if given is None:
        assert UPPER_UUID.fullmatch(answer.apns_id)
    elif "apns_id" in edits:
        assert answer.apns_id == given
    assert LOWER_UUID.fullmatch(answer.headers["apns-unique-id"])
    [notification] = gateway.wait(device=device)
    assert notification["apnsId"] == answer.apns_id
    assert notification["apnsUniqueId"] == answer.headers["apns-unique-id"]


@pytest.mark.parametrize(
    "kind, suffix, limit",
    [
        ("alert", "", 4096), ("background", "", 4096), ("complication", ".complication", 4096),
        ("controls", ".push-type.controls", 4096), ("fileprovider", ".pushkit.fileprovider", 4096),
        ("liveactivity", ".push-type.liveactivity", 4096), ("location", ".location-query", 4096),
        ("pushtotalk", ".voip-ptt", 4096), ("voip", ".voip", 5120), ("widgets", ".push-type.widgets", 4096),
    ])
def test_each_push_type_goes_with_its_topic_up_to_its_size(kind, suffix, limit, gateway, provider):
    edits = {"apns_push_type": kind, "apns_topic": TOPIC + suffix, "apns_priority": "5"}
    payload = b'{"aps":{}}'.ljust(limit)
    assert provider.push(device_token(), payload, **edits).status == 200
    answer = provider.push(device_token(), payload + b" ", **edits)
    assert (answer.status, answer.reason) == (413, "PayloadTooLarge")


@pytest.mark.parametrize("byte_count", [1, 32, 80, 100])
def test_device_tokens_have_any_length_and_case(byte_count, gateway, provider):
    token = device_token(byte_count) if byte_count > 1 else "a7"
    upper, lower = provider.push(token.upper()), provider.push(token)
    assert (upper.status, lower.status) == (200, 200)
    [first] = gateway.notifications(apnsId=upper.apns_id)
    [second] = gateway.notifications(apnsId=lower.apns_id)
    assert first["token"] == second["token"] == token
    assert first["device"] == second["device"], "one device, whatever the case"


LENIENCIES = {
    "DER signature": (signed(form="der"), "auth.leniency.derSignature", "token.signature-form"),
    "standard base64": (signed(encode=tokens.standard_base64), "auth.leniency.standardBase64", "token.standard-base64"),
    "no alg": (signed({"alg": ...}), "auth.leniency.missingAlgorithm", "token.algorithm"),
    "iat as text": (signed(claims={"iat": str(int(time.time()))}), "auth.leniency.stringIssuedAt", "token.iat"),
    "fractional iat": (signed(claims={"iat": time.time() - 0.5}), "auth.leniency.fractionalIssuedAt", "token.iat"),
    "extra members": (signed({"typ": "JWT"}, {"exp": 1}), "auth.leniency.extraMembers", "token.members"),
}


@pytest.fixture(scope="module")
def exact_gateway(tmp_path_factory, certificates, bearer):
    """A gateway with every leniency switched off."""
    from gateway import Gateway

    options = [f"{switch}=false" for _, switch, _ in LENIENCIES.values()]
    gateway = Gateway(tmp_path_factory.mktemp("exact"), certificates, options)
    gateway.bearer = bearer
    gateway.start()
    gateway.private_key = tokens.load(gateway.key_file.read_bytes())
    yield gateway
    try:
        gateway.stop()
    finally:
        gateway.kill()


@pytest.mark.parametrize("name", LENIENCIES)
def test_tokens_as_libraries_sign_them_are_accepted_by_default(name, gateway, exact_gateway, connect):
    prepare, _, rule = LENIENCIES[name]
    assert connect(gateway).push(device_token(), **prepare(gateway, None)).status == 200
    answer = connect(exact_gateway).push(device_token(), **prepare(exact_gateway, None))
    assert (answer.status, answer.reason) == (403, "InvalidProviderToken")
    assert exact_gateway.request(answer.apns_id)["diagnosis"]["id"] == rule


def test_pushoks_es512_is_accepted_if_configured(start_gateway, connect):
    gateway = start_gateway("auth.leniency.es512OverP256=true")
    edits = signed({"alg": "ES512"}, digest=hashes.SHA512, width=66)(gateway, None)
    assert connect(gateway).push(device_token(), **edits).status == 200


def test_only_the_sandbox_returns_a_unique_id(gateway, connect):
    assert "apns-unique-id" in connect(gateway, host=SANDBOX).push(device_token()).headers
    assert "apns-unique-id" not in connect(gateway, host=PRODUCTION).push(device_token()).headers


def test_the_request_log_has_the_apns_id_as_the_provider_knows_it(gateway, provider):
    given = str(uuid.uuid4())
    answer = provider.push(device_token(), apns_id=given, apns_priority="7")
    assert answer.apns_id == given
    assert gateway.request(given)["apnsId"] == given


def test_the_authority_decides_the_environment_before_the_server_name(gateway, connect):
    provider = connect(gateway, host=SANDBOX)
    device, token = gateway.device(environment="production")
    assert provider.push(token, authority=PRODUCTION).status == 200
    assert provider.push(token, authority=None, host=f"{PRODUCTION}:443").status == 200
    assert provider.push(token).reason == "BadDeviceToken"
    assert len(gateway.wait(device=device, count=2)) == 2


def test_other_host_names_get_the_configured_environment(start_gateway, connect):
    gateway = start_gateway("environment=production")
    answer = connect(gateway, host="localhost").push(device_token())
    assert answer.status == 200
    assert gateway.request(answer.apns_id)["environment"] == "production"


# The remaining mistakes; each push is rejected for the first of them.
ORDER = [
    ("DuplicateHeaders", {"apns_priority": ["7", "7"]}),
    ("BadPath", {"path": "/4/device/xyz"}),
    ("MethodNotAllowed", {"method": "DELETE", "path": "/3/device/xyz"}),
    ("MissingProviderToken", {"authorization": None}),
    ("MissingTopic", {"apns_topic": None}),
    ("BadMessageId", {"apns_id": "x"}),
    ("BadExpirationDate", {"apns_expiration": "x"}),
    ("BadPriority", {"apns_priority": "7"}),
    ("InvalidPushType", {"apns_push_type": "x"}),
    ("BadCollapseId", {"apns_collapse_id": "x" * 65}),
    ("BadDeviceToken", {"path": "/3/device/xyz"}),
    ("PayloadTooLarge", {}),
]


@pytest.mark.parametrize("first", range(len(ORDER)), ids=[reason for reason, _ in ORDER])
def test_the_first_failing_check_decides_the_reason(first, provider):
    edits = {}
    for _, wrong in reversed(ORDER[first:]):
        edits |= wrong
    answer = provider.push(device_token(), b"x" * 5000, **edits)
    assert answer.reason == ORDER[first][0]
