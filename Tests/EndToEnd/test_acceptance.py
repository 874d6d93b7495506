"""Pushes that are accepted, and tokens as libraries make them."""

import re
import time
import uuid

from cryptography.hazmat.primitives import hashes
import pytest

from gateway import device_token
from provider import SANDBOX
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


def test_pushoks_es512_is_accepted_if_configured(start_gateway, connect):
    gateway = start_gateway("auth.leniency.es512OverP256=true")
    edits = signed({"alg": "ES512"}, digest=hashes.SHA512, width=66)(gateway, None)
    assert connect(gateway).push(device_token(), **edits).status == 200
