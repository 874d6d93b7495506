"""Lists with the newest first, waits for requests, and snippets, while a real provider pushes."""

import concurrent.futures
import json
import re
import signal
import threading

import httpx

from admin import own, wait_until_waiting
from gateway import device_token, pushcote


def pages(gateway, path, member, number, after=lambda: None, **query):
    """The numbers of all entries, newest first across pages, and the first page."""
    numbers, first, before = [], None, {}
    while True:
        page = gateway.api("GET", path, params={"order": "newest", **query, **before})
        first = first or page
        numbers += [one[number] for one in page[member]]
        if not page["hasMore"]:
            return numbers, first
        before = {"before": page["next"]}
        after()


def test_pages_are_consistent_while_a_provider_pushes_at_full_speed(start_gateway, connect):
    # Large enough that nothing is evicted, however slow the reader is.
    own = start_gateway("inbox.perDevice=100000")
    _, token = own.device("phone")
    provider = connect(own)
    for _ in range(50):
        assert provider.push(token).status == 200
    stop = threading.Event()

    def push():
        count = 0
        while not stop.is_set():
            assert provider.push(token).status == 200
            count += 1
        return count

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        pushed = pool.submit(push)
        try:
            for _ in range(5):
                seen, first = pages(own, "/notifications", "notifications", "id", limit=20, state="delivered")
                assert seen == list(range(seen[0], 0, -1))
                assert first["total"] >= seen[0] and first["isTotalExact"]
        finally:
            stop.set()
        assert pushed.result(30) > 0


def test_pages_report_notifications_evicted_meanwhile(start_gateway, connect):
    gateway = start_gateway("inbox.perDevice=10")
    provider = connect(gateway)
    _, token = gateway.device("phone")
    for _ in range(12):
        provider.push(token)
    seen, first = pages(gateway, "/notifications", "notifications", "id", limit=4, after=lambda: provider.push(token))
    assert seen == list(range(12, 4, -1)), "3 and 4 made room for 13 and 14"
    assert (first["total"], first["dropped"], first["hasGap"]) == (10, 2, True)


def test_stopping_the_gateway_ends_a_wait_for_requests(own):
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        wait = pool.submit(own.api, "GET", "/requests", params={"wait": "10m"})
        wait_until_waiting(own)
        own.send(signal.SIGTERM)
        assert wait.result(60)["outcome"] == "stopping"


def test_snippets_have_this_gateways_addresses_and_files(gateway):
    snippets = gateway.api("GET", "/snippets", params={"topic": "com.example.mail"})["snippets"]
    assert len(snippets) > 30
    text = "\n".join(one["text"] for snippet in snippets for one in snippet["texts"])
    for port in (gateway.provider[1], gateway.clear_text[1], gateway.proxy[1]):
        assert f"localhost:{port}" in text
    assert str(gateway.certificates / "ca.pem") in text and str(gateway.key_file) in text
    assert not re.search(r"localhost:(2197|2198|2199|8197)\b", text) and "com.example.app" not in text
    one = gateway.api("GET", "/snippets/pushy", params={"topic": "com.example.mail"})
    assert one in snippets and one["language"] == "Java"
    assert "Did you mean pushy?" in gateway.api("GET", "/snippets/pushi", expect=404)["error"]
    assert "'topic' is 'a b'" in gateway.api("GET", "/snippets/curl", params={"topic": "a b"}, expect=400)["error"]
    foreign = gateway.admin.get("/api/v1/snippets", headers={"host": "evil.example"})
    assert foreign.status_code == 403


def test_snippets_use_the_host_requested(start_gateway):
    gateway = start_gateway("listen.provider=0.0.0.0:0")
    answer = gateway.admin.get("/api/v1/snippets/pushy", headers={"host": "build-box:8197"}).json()
    [code] = [one["text"] for one in answer["texts"] if one.get("code") == "java"]
    port = gateway.provider[1]
    assert f'.setApnsServer("build-box", {port})' in code


def test_the_command_that_waits_for_a_rejection(own, connect, tmp_path):
    admin = "http://%s:%d" % own.admin_address
    command = ["requests", "--reason", "BadDeviceToken", "--json", "--admin", admin, "--wait"]
    none = pushcote(*command, "20ms", cwd=tmp_path)
    assert none.returncode == 3 and "0 of 1 matched" in none.stderr
    assert connect(own).push(device_token()[:-1]).reason == "BadDeviceToken"
    one = pushcote(*command, "10s", cwd=tmp_path)
    assert one.returncode == 0 and '"outcome":"complete"' in one.stdout, one.stderr


def test_costly_conditions_delay_no_other_request(own):
    """Each list takes long for its regular expression; the gateway has two threads for all other requests."""
    own.device("phone")
    for _ in range(10):
        payload = json.dumps({"aps": {"badge": 1}, "t": "a" * 3900})
        own.api("POST", "/devices/phone/push", params={"topic": "com.example.app"}, content=payload)
    pattern = ".*" * 20 + "z"

    def costly():
        assert own.api("GET", "/notifications", params={"where": f"payload.t=~{pattern}"})["notifications"] == []

    own.api("GET", "/notifications")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        lists = [pool.submit(costly) for _ in range(4)]
        others = 0
        while not any(one.done() for one in lists):
            httpx.get(own.admin.base_url.join("/livez"), trust_env=False, timeout=30).raise_for_status()
            others += 1
        for one in lists:
            one.result()
    # One that waits for the lists would be answered once.
    assert others >= 3
