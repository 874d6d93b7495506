"""The admin API: devices, tokens, manual pushes, keys, apps and the request log."""

import re

from cryptography.hazmat.primitives import serialization
import pytest

from admin import own
from gateway import device_token
import tokens


TOPIC = "com.example.app"


@pytest.mark.parametrize("name", ["Anna's iPhone", "電話", "a%2", "x.y-z_1", "…", "a" * 128])
def test_device_names(gateway, name):
    path = "/api/v1/devices/" + "".join(f"%{byte:02X}" for byte in name.encode())
    assert gateway.admin.put(path, json={}).status_code == 201
    assert gateway.admin.get(path).json()["name"] == name
    assert gateway.admin.delete(path).json() == {"removed": 1}


def test_keys_are_generated_registered_and_removed(gateway, connect):
    minted = gateway.api("POST", "/keys", json={})
    assert re.fullmatch(r"[A-Z0-9]{10}", minted["keyId"]) and minted["teamId"] == "PUSHCOTEAM"
    assert "BEGIN PRIVATE KEY" in minted["privateKey"]
    kept = gateway.api("GET", f"/keys/{minted['keyId']}")
    assert "privateKey" not in kept and sorted(kept["environments"]) == ["production", "sandbox"]

    own = tokens.new_key()
    public = own.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    gateway.api("POST", "/keys", json={"keyId": "MYOWNKEY01", "teamId": "MYOWNTEAM1", "publicKey": public})
    bearer = tokens.provider_token(own, "MYOWNKEY01", "MYOWNTEAM1")
    answer = connect(gateway, bearer=bearer).push(device_token())
    assert answer.status == 200
    assert gateway.request(answer.apns_id)["authentication"] == "verifiedToken"
    assert gateway.api("DELETE", "/keys/MYOWNKEY01") == {"removed": 1}
    gateway.api("GET", "/keys/MYOWNKEY01", expect=404)


def test_null_restores_the_apps_own_settings(start_gateway):
    gateway = start_gateway()
    gateway.api("PUT", "/apps/com.example.app", json={"settings": {"sound": "disabled", "showPreviews": "never"}})
    gateway.device("phone")
    set_app = lambda method, **settings: gateway.api(
        method, "/devices/phone", json={"apps": {"com.example.app": settings}})["apps"]["com.example.app"]
    assert set_app("PATCH", sound="enabled", showPreviews="always", badge="disabled")["sound"] == "enabled"
    for method in ("PATCH", "PUT"):
        restored = set_app(method, sound=None, showPreviews=None)
        assert (restored["sound"], restored["showPreviews"]) == ("disabled", "never")
        assert restored["badge"] == ("disabled" if method == "PATCH" else "enabled")
