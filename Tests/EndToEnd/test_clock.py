"""The clock: running faster than real time, and the effects of advancing it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
import json

from admin import own
import contract
from gateway import clock_ahead, environment, pushcote

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


def test_the_longest_advance_is_described(own):
    own.api("PUT", "/clock", json={"mode": "manual"})
    assert "ten years" in own.api("POST", "/clock/advance", json={"by": "3661d"}, expect=400)["error"]
    assert "ten years" in own.api("POST", "/clock/advance", json={"to": "2222-01-01T00:00:00Z"}, expect=409)["error"]
    forms = contract.of(own.description).document["components"]["schemas"]["NewAdvance"]["oneOf"]
    assert all("ten years" in form["properties"][form["required"][0]]["description"] for form in forms)


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


YEARS = 4 * 365 * 86400
ACTIVITY = {"app": TOPIC, "type": "Ride", "attributes": {}, "content": {}}


def later(**step):
    return (datetime.now(timezone.utc) + timedelta(**step)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def live_in_the_future(gateway, device="phone"):
    gateway.api("PUT", f"/devices/{device}", json={
        "registrations": [{"topic": TOPIC}], "focus": {"modes": [{"id": "work"}]}})
    gateway.api("POST", f"/devices/{device}/actions", json={"action": "open", "app": TOPIC})
    return gateway.api("GET", f"/devices/{device}")["registrations"][0]["token"]


def check_the_present(gateway, provider, token, device="phone"):
    """Decisions follow the present, and so do the times of events."""
    path = f"/devices/{device}"
    before = gateway.api("GET", path + "/events", params={"limit": 1000})["events"]
    assert any(event["at"] > later(days=900) for event in before), "it has lived in the future"
    gateway.api("PATCH", path, json={
        "isOnline": False, "offlineUntil": later(minutes=10),
        "focus": {"active": "work", "until": later(minutes=10)}})
    state = gateway.api("GET", path)
    assert state["isOnline"] is False and state["focus"]["active"] == "work"
    expiration = int((datetime.now() + timedelta(hours=1)).timestamp())
    answer = provider.push(
        token, json.dumps({"aps": {"alert": "Hello"}}).encode(), apns_topic=TOPIC, apns_expiration=str(expiration))
    assert answer.status == 200
    assert gateway.api("GET", "/notifications/latest")["state"] == "stored"
    gateway.api("POST", path + "/actions", json={"action": "open", "app": TOPIC})
    activity = gateway.api("POST", path + "/activities", expect=201, json=ACTIVITY | {"staleDate": later(minutes=10)})
    assert activity["state"] == "active"
    after = gateway.api("GET", path + "/events", params={"limit": 1000})["events"]
    assert after[:len(before)] == before
    assert all(event["at"] < later(minutes=1) for event in after[len(before):])


def test_a_device_that_has_lived_in_the_future_works_after_a_reset(own, connect):
    own.api("PUT", "/clock", json={"mode": "manual", "now": "2030-01-01T00:00:00Z"})
    token = live_in_the_future(own)
    live_in_the_future(own, "tablet")
    own.api("POST", "/clock/reset")
    check_the_present(own, connect(own), token)
    own.api("POST", "/devices/tablet/actions", json={"action": "lock"})
    assert own.api("GET", "/devices/tablet/events")["events"][-1]["at"] < later(minutes=1)


def test_a_state_from_the_future_works_in_the_present(start_gateway, connect):
    future = start_gateway()
    future.api("PUT", "/clock", json={"mode": "manual", "now": "2030-01-01T00:00:00Z"})
    token = live_in_the_future(future)
    state = future.api("GET", "/state")
    present = start_gateway()
    present.api("PUT", "/state", json=state)
    check_the_present(present, connect(present), token)
    # Where the clock shows that time, the state is as it was.
    present.api("PUT", "/clock", json={"mode": "manual", "now": "2030-01-01T00:00:00Z"})
    present.api("PUT", "/state", json=state)
    assert present.api("GET", "/state") == state | {"lastSequence": 1}


def test_a_journal_from_the_future_works_in_the_present(start_gateway, tmp_path, connect):
    options = ("journal=sqlite", f"sqlite.file={tmp_path / 'future.sqlite'}")
    # Certificates of its own: theirs begin in the future.
    future = start_gateway(
        *options, certificates=tmp_path / "certs", env=environment(**clock_ahead(tmp_path, YEARS)))
    token = live_in_the_future(future)
    future.crash()
    present = start_gateway(*options)
    check_the_present(present, connect(present), token)
    before = present.api("GET", "/state")
    present.crash()
    assert start_gateway(*options).api("GET", "/state") == before
