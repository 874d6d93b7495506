"""Pushes that are accepted, and tokens as libraries make them."""

import re
import time
import uuid

from cryptography.hazmat.primitives import hashes
import pytest

from gateway import device_token
from provider import PRODUCTION, SANDBOX
from signing import UPPER_UUID, signed
import tokens


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
    "DER signature": signed(form="der"),
    "standard base64": signed(encode=tokens.standard_base64),
    "no alg": signed({"alg": ...}),
    "iat as text": signed(claims={"iat": str(int(time.time()))}),
    "fractional iat": signed(claims={"iat": time.time() - 0.5}),
    "extra members": signed({"typ": "JWT"}, {"exp": 1}),
}


@pytest.mark.parametrize("prepare", LENIENCIES.values(), ids=LENIENCIES)
def test_tokens_as_libraries_sign_them_are_accepted_by_default(prepare, gateway, connect):
    assert connect(gateway).push(device_token(), **prepare(gateway, None)).status == 200


def test_pushoks_es512_is_accepted_if_configured(start_gateway, connect):
    gateway = start_gateway("auth.leniency.es512OverP256=true")
    edits = signed({"alg": "ES512"}, digest=hashes.SHA512, width=66)(gateway, None)
    assert connect(gateway).push(device_token(), **edits).status == 200


def test_the_authority_decides_the_environment_before_the_server_name(gateway, connect):
    provider = connect(gateway, host=SANDBOX)
    device, token = gateway.device(environment="production")
    assert provider.push(token, authority=PRODUCTION).status == 200
    assert provider.push(token, authority=None, host=f"{PRODUCTION}:443").status == 200
    assert provider.push(token).reason == "BadDeviceToken"
    assert len(gateway.wait(device=device, count=2)) == 2
