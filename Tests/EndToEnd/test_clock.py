"""The clock: running faster than real time, and the effects of advancing it."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from admin import own
from gateway import pushcote

TOPIC = "com.example.app"


def remind(gateway, device, seconds):
    gateway.api("PUT", f"/devices/{device}")
    gateway.api("POST", f"/devices/{device}/local-notifications", json={
        "app": TOPIC, "identifier": "again", "content": {"title": "Again"},
        "trigger": {"type": "timeInterval", "timeInterval": seconds, "repeats": True}})


def test_an_advance_lists_what_happened_in_order(own):
    own.api("PUT", "/clock", json={"mode": "manual", "now": "2030-01-01T00:00:00Z"})
    remind(own, "fast", 60)
    remind(own, "slow", 100)
    answer = own.api("POST", "/clock/advance", json={"by": "2m"})
    fired = [(event["device"], event["at"][14:19]) for event in answer["events"] if event["event"] == "localFired"]
    assert fired == [("fast", "01:00"), ("slow", "01:40"), ("fast", "02:00")]
    assert answer["devices"] == 2 and answer["eventCount"] == len(answer["events"]) and answer["rest"] == []
    nothing = own.api("POST", "/clock/advance", json={"by": "1s"})
    assert (nothing["eventCount"], nothing["events"], nothing["rest"]) == (0, [], [])


def test_a_long_list_has_a_cursor(own):
    own.api("PUT", "/clock", json={"mode": "manual", "now": "2030-01-01T00:00:00Z"})
    for number in range(3):
        remind(own, f"phone{number}", 60 + number)
    answer = own.api("POST", "/clock/advance", json={"by": "1h", "limit": 4})
    assert len(answer["events"]) == 4
    assert {entry["device"] for entry in answer["rest"]} == {"phone0", "phone1", "phone2"}
    left = 0
    for entry in answer["rest"]:
        page = own.api("GET", f"/devices/{entry['device']}/events", params={"since": entry["since"], "limit": 1000})
        assert len(page["events"]) == entry["count"]
        left += entry["count"]
    assert 4 + left == answer["eventCount"]


def test_a_long_advance_does_not_block_other_requests(own):
    """Other requests may apply some of the due events; the advance still reports all of them."""
    own.api("PUT", "/clock", json={"mode": "manual", "now": "2030-01-01T00:00:00Z"})
    remind(own, "phone", 60)
    own.api("PUT", "/devices/tablet")
    answers = {"health": 0, "device": 0}
    with ThreadPoolExecutor() as pool:
        advance = pool.submit(own.api, "POST", "/clock/advance", json={"by": "P10D", "limit": 1}, timeout=170)

        def read(name, get):
            while not advance.done():
                get()
                answers[name] += 1

        readers = [
            pool.submit(read, "health", lambda: own.admin.get("/livez").raise_for_status()),
            pool.submit(read, "device", lambda: own.api("GET", "/devices/tablet"))]
        for reader in readers:
            reader.result()
    # Six events each; the first has no `replaced`.
    assert advance.result()["eventCount"] == 10 * 24 * 60 * 6 - 1
    assert answers["health"] > 20, answers
    assert answers["device"] > 0


def test_a_scaled_clock_applies_due_events(own):
    own.api("PUT", "/clock", json={"mode": "manual", "now": "2030-01-01T00:00:00Z"})
    remind(own, "phone", 3600)
    clock = own.api("PUT", "/clock", json={"scale": 3600})
    assert (clock["mode"], clock["scale"]) == ("scaled", 3600)
    assert clock["now"] < "2030-01-01T12"
    page = own.api("GET", "/devices/phone/events", params={"kind": "localFired", "wait": "30s"})
    assert page["events"][0]["at"] == "2030-01-01T01:00:00.000Z"
    assert own.api("POST", "/clock/advance", expect=409, json={"by": "1s"})["status"] == 409
    assert own.api("PUT", "/clock", json={"mode": "manual"})["now"] >= "2030-01-01T01"


def test_a_scaled_clock_survives_a_restart(start_gateway, tmp_path):
    options = ("journal=sqlite", f"sqlite.file={tmp_path / 'clock.sqlite'}")
    gateway = start_gateway(*options)
    gateway.api("PUT", "/clock", json={"scale": 2, "now": "2030-01-01T00:00:00Z"})
    gateway.crash()
    clock = start_gateway(*options).api("GET", "/clock")
    assert (clock["mode"], clock["scale"]) == ("scaled", 2)
    assert clock["now"] > "2030-01-01T00:00:00.000Z"


def test_the_command(own):
    def run(*arguments):
        return pushcote("clock", *arguments, "--admin", "http://%s:%d" % own.admin_address).stdout

    run("set", "2030-01-01T00:00:00Z")
    remind(own, "phone", 60)
    lines = run("advance", "1m").splitlines()
    assert lines[0].startswith("2030-01-01T00:01:00.000Z  stopped; next due at 2030-01-01T00:02:00.000Z")
    assert lines[1].endswith(" events") and lines[2].split()[:2] == ["DEVICE", "NUMBER"]
    assert lines[3].split()[0] == "phone" and "localFired" in lines[3]
    assert run("advance", "1s") == "2030-01-01T00:01:01.000Z  stopped; next due at 2030-01-01T00:02:00.000Z\n0 events\n"
    assert "runs 60 times as fast as real time" in run("scale", "60")
