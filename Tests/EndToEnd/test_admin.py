"""The admin API: reading a gateway with curl or any HTTP client."""

import concurrent.futures
import re

import httpx
import pytest

from admin import ISO8601, own, wait_until_waiting
from gateway import pushcote


TOPIC = "com.example.app"


@pytest.mark.parametrize("path", ["/", "/api/v1"])
def test_the_index_leads_to_everything_else(start_gateway, path):
    gateway = start_gateway("admin.token=secret")
    index = gateway.admin.get(path).json()
    assert index.pop("message").startswith("Pushcote")
    for place in index.values():
        found = gateway.admin.get(place, headers={"authorization": "Bearer secret"})
        assert found.status_code == 200, place
    page = gateway.admin.get(path, headers={"accept": "text/html"})
    assert ("<html" in page.text) == (path == "/")


def test_the_health_command(gateway, tmp_path):
    admin = "http://%s:%d" % gateway.admin_address
    assert pushcote("readyz", "--admin", admin, cwd=tmp_path).returncode == 0
    assert pushcote("readyz", "--admin", "http://127.0.0.1:9", cwd=tmp_path).returncode == 4


def test_info_matches_the_addresses_file(gateway):
    info = gateway.api("GET", "/info")
    assert info["addresses"] == gateway.facts["addresses"]
    assert info["demonstrationKey"]["keyId"] == gateway.key_id
    assert info["demonstrationKey"]["teamId"] == gateway.team_id
    assert (info["profile"], info["environment"], info["authMode"]) == ("faithful", "sandbox", "verify")
    assert ISO8601.fullmatch(info["startedAt"])
    assert set(info["counts"]) == {"devices", "apps", "notifications", "requests", "connections", "keys"}


def test_the_announcement_has_all_addresses(gateway):
    text = "\n".join(gateway.announcement)
    for addresses in gateway.facts["addresses"].values():
        for address in addresses:
            assert address in text
    assert gateway.announcement[-1] == "Ready."


def test_metrics_are_prometheus_text(gateway, provider):
    provider.push("xyz")
    answer = gateway.admin.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in answer.text.splitlines():
        assert line.startswith("#") or re.fullmatch(r'\w+(\{[^}]*\})? [0-9.e+-]+', line), line
    assert re.search(r'^pushcote_requests_total\{status="400",reason="BadDeviceToken"\} [1-9]', answer.text, re.M)


def test_no_credential_is_shown(gateway, provider):
    device, token = gateway.device()
    answer = provider.push(token)
    [summary] = gateway.wait(device=device)
    signature = gateway.bearer.rpartition(".")[2]
    number = gateway.request(answer.apns_id)["number"]
    for path in (f"/notifications/{summary['id']}", f"/requests/{number}", "/state", "/connections"):
        assert signature not in gateway.admin.get("/api/v1" + path).text, path


def test_a_delete_takes_no_body(own):
    """What it would name is in the query, and without one everything is deleted."""
    own.device("ann")
    own.api("POST", "/devices/ann/push", params={"topic": TOPIC}, json={"aps": {"alert": "Tea"}})
    for path in ("/notifications", "/requests", "/faults", "/devices/ann"):
        refused = own.admin.request("DELETE", f"/api/v1{path}", json={"device": "nobody"})
        assert refused.status_code == 400 and "takes no body" in refused.json()["error"]
    for nothing in (b"null", b"{}"):
        assert own.admin.request("DELETE", "/api/v1/notifications?device=nobody", content=nothing).json() == {"removed": 0}
    assert own.api("DELETE", "/notifications", params={"device": "ann"})["removed"] == 1


def test_a_hundred_waits_end_with_one_push_each(gateway, provider):
    devices = [gateway.device() for _ in range(100)]
    limits = httpx.Limits(max_connections=None)
    hooks = gateway.admin.event_hooks
    with httpx.Client(
            base_url=gateway.admin.base_url, timeout=50, trust_env=False, limits=limits, event_hooks=hooks) as client:
        with concurrent.futures.ThreadPoolExecutor(100) as pool:
            waits = [
                pool.submit(client.get, "/api/v1/notifications", params={"device": device, "wait": "40s"})
                for device, _ in devices]
            wait_until_waiting(gateway, 100)
            for _, token in devices:
                assert provider.push(token).status == 200
            pages = [wait.result(40).json() for wait in waits]
    assert [page["outcome"] for page in pages] == ["complete"] * 100
    assert [page["notifications"][0]["device"] for page in pages] == [device for device, _ in devices]
