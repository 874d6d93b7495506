"""Where two features meet: a clock, settings, faults and states, with pushes on their way."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from admin import alert, own, wait_until_waiting
from provider import Provider
from test_extensions import example, phone, push

TOPIC = "com.example.app"
NOON = "2030-01-07T12:00:00Z"


@pytest.fixture
def at_noon(start_gateway):
    # The tests' provider tokens are from today.
    own = start_gateway("auth.mode=off")
    own.api("PUT", "/clock", json={"mode": "manual", "now": NOON})
    return own


def device(gateway, name="phone", **members):
    gateway.api("PUT", f"/devices/{name}", json={"registrations": [{"topic": TOPIC}], **members})
    return name


def send(gateway, name="phone", **query):
    body = {"aps": {"alert": {"title": "Hello", "body": "There"}}, **query.pop("body", {})}
    return gateway.api("POST", f"/devices/{name}/push", params={"topic": TOPIC, **query}, json=body)["id"]


def advance(gateway, by):
    return gateway.api("POST", "/clock/advance", json={"by": by})


def preview(gateway, number):
    return gateway.api("POST", "/preview", json={"notification": number})["outcomes"][0]


def events(gateway, name="phone"):
    return [event["event"] for event in gateway.api("GET", f"/devices/{name}/events")["events"]]


def test_numbers_follow_the_times_of_several_devices(at_noon):
    for name, seconds in (("d", 60), ("e", 67)):
        device(at_noon, name)
        at_noon.api("POST", f"/devices/{name}/local-notifications", json={
            "app": TOPIC, "identifier": "r", "content": {"title": "L"},
            "trigger": {"type": "timeInterval", "timeInterval": seconds, "repeats": True}})
    advance(at_noon, "1h")
    fired = at_noon.api("GET", "/notifications", params={"limit": 1000})["notifications"]
    dates = [one["receivedAt"] for one in fired]
    assert len(dates) == 60 + 53 and dates == sorted(dates)
    assert at_noon.api("GET", "/notifications/latest")["receivedAt"] == dates[-1]


@pytest.mark.parametrize("steps", [["1m"], ["10200ms", "1m"], ["10500ms", "1ms"]])
def test_devices_that_are_due_together_take_turns_by_name(at_noon, steps):
    """whatever the steps of the clock"""
    for name, seconds in (("b", 10), ("b", 10.5), ("a", 10.5)):
        device(at_noon, name)
        at_noon.api("POST", f"/devices/{name}/local-notifications", json={
            "app": TOPIC, "identifier": f"{seconds}", "content": {"title": f"{name} {seconds}"},
            "trigger": {"type": "timeInterval", "timeInterval": seconds}})
    for by in steps:
        advance(at_noon, by)
    fired = at_noon.api("GET", "/notifications")["notifications"]
    assert [one["title"] for one in fired] == ["b 10", "a 10.5", "b 10.5"]


@pytest.mark.parametrize("name", ["Slow", "NeverAnswers"])
@pytest.mark.parametrize("steps", [["2m"], ["29s"], ["29s", "2m"]])
def test_an_extension_ends_at_its_time_limit_however_far_the_clock_goes(phone, name, steps):
    """C.2 the push is decided after 29 s: before a Focus that begins a minute later"""
    iphone = phone(example(name), "auth.mode=off")
    own = iphone.gateway
    own.api("PUT", "/clock", json={"mode": "manual", "now": NOON})
    modes = [{"id": "work", "schedule": [{"from": "12:01", "to": "13:00"}]}]
    own.api("PATCH", f"/devices/{iphone.name}", json={"focus": {"modes": modes}})
    waiting = iphone.receive(push(name), "accepted", apns_push_type="alert")
    for by in steps:
        advance(own, by)
    found = own.detail(waiting)
    run = found["extension"]["run"]
    assert (found["state"], found["outcome"]) == ("delivered", "alerted"), found
    assert run["endedAt"] < "2030-01-07T12:00:31" and found["shownAt"] < "2030-01-07T12:00:31"


def test_a_simulated_wait_sees_the_push_that_its_extension_has(phone):
    iphone = phone(example("Slow"), "auth.mode=off")
    own = iphone.gateway
    own.api("PUT", "/clock", json={"mode": "manual", "now": NOON})
    assert iphone.provider.push(iphone.token, push("Slow"), apns_push_type="alert").status == 200
    own.api("POST", "/verify", json={"device": iphone.name, "where": "shownAt", "clock": "simulated", "within": "60s"})


def test_a_cursor_beyond_the_newest_event_is_an_error(own):
    name = device(own)
    body = {"of": "events", "device": name, "never": True, "where": "event=banner"}
    assert "newest of the events" in own.api("POST", "/verify", 400, json={**body, "since": 99999})["error"]
    newest = own.api("GET", f"/devices/{name}")["eventCount"]
    assert own.api("POST", "/verify", json={**body, "since": newest})["verified"]


@pytest.mark.parametrize("reset", [("/reset", {"keep": ["faults"]}), ("/clock/reset", None)])
@pytest.mark.parametrize("start", [NOON, None])
def test_a_rule_has_the_time_left_when_the_clock_goes_back(start_gateway, start, reset):
    own = start_gateway("auth.mode=off")
    if start:
        own.api("PUT", "/clock", json={"mode": "manual", "now": start})
    own.api("POST", "/faults", json={
        "name": "o", "match": {"topic": TOPIC}, "effect": {"answer": {"status": 503, "reason": "Shutdown"}}, "for": "1h"})
    own.api("PUT", "/clock", json={"mode": "manual"})
    advance(own, "40m")
    path, body = reset
    own.api("POST", path, json=body)
    token = own.device("other")[1]
    own.api("PUT", "/clock", json={"mode": "manual"})
    with Provider.to(own) as provider:
        assert provider.push(token, alert(title="x")).status == 503
        advance(own, "21m")
        assert provider.push(token, alert(title="x")).status == 200


def test_an_outage_of_a_rule_has_the_time_left_when_the_clock_goes_back(at_noon):
    name, token = at_noon.device("phone")
    at_noon.api("POST", "/faults", json={
        "match": {"topic": TOPIC}, "effect": {"device": {"offlineFor": "10m"}}, "count": 1})
    with Provider.to(at_noon) as provider:
        assert provider.push(token, alert(title="x")).status == 200
    advance(at_noon, "4m")
    at_noon.api("POST", "/clock/reset")
    now = at_noon.api("PUT", "/clock", json={"mode": "manual"})["now"]
    until = at_noon.api("GET", f"/devices/{name}")["offlineUntil"]
    assert now[:4] == until[:4] and now < until
    advance(at_noon, "5m")
    assert not at_noon.api("GET", f"/devices/{name}")["isOnline"]
    advance(at_noon, "2m")
    assert at_noon.api("GET", f"/devices/{name}")["isOnline"]


def test_a_deleted_app_has_the_default_settings_at_once(at_noon):
    """H.1, B.1 as if the person had changed them"""
    at_noon.api("PUT", f"/apps/{TOPIC}", json={"settings": {"scheduledDelivery": "enabled"}})
    name = device(at_noon, summary={"isEnabled": True})
    number = send(at_noon)
    assert at_noon.api("GET", f"/notifications/{number}")["outcome"] == "deferred"
    at_noon.api("DELETE", f"/apps/{TOPIC}")
    assert "lockScreen" in at_noon.api("GET", f"/notifications/{number}")["places"]
    at_noon.api("PUT", f"/apps/{TOPIC}", json={"settings": {"authorizationStatus": "provisional"}})
    send(at_noon)
    assert at_noon.api("GET", f"/devices/{name}/screen")["prompts"]
    at_noon.api("DELETE", f"/apps/{TOPIC}")
    assert not at_noon.api("GET", f"/devices/{name}/screen")["prompts"]


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_settings_change_before_the_phone_comes_online(at_noon, method):
    name = device(at_noon, isOnline=False)
    number = send(at_noon)
    change = {"isOnline": True, "apps": {TOPIC: {"authorizationStatus": "denied"}}}
    at_noon.api(method, f"/devices/{name}", json=change)
    found = at_noon.api("GET", f"/notifications/{number}")
    assert (found["state"], found["discardReason"]) == ("discarded", "disabled")
    assert not {"lockScreen", "sound", "contentDelivered"} & set(events(at_noon))


def test_the_circumstances_are_those_of_the_reason(at_noon):
    name = device(at_noon, isSavingPower=True)
    number = send(at_noon, priority=5)
    assert at_noon.api("GET", f"/notifications/{number}")["holdReason"] == "power"
    at_noon.api("PATCH", f"/devices/{name}", json={"isOnline": False})
    found = at_noon.api("GET", f"/notifications/{number}")
    assert found["holdReason"] == "offline" and not found["circumstances"]["device"]["isOnline"]
    assert preview(at_noon, number)["holdReason"] == "offline"


def test_a_past_push_asks_no_question_that_an_earlier_one_asked(at_noon):
    at_noon.api("PUT", f"/apps/{TOPIC}", json={"settings": {"authorizationStatus": "provisional"}})
    name = device(at_noon)
    first, second = send(at_noon), send(at_noon)
    at_noon.api("POST", f"/devices/{name}/actions", json={"action": "uninstall", "app": TOPIC})
    asks = ["provisionalPrompt" in preview(at_noon, number)["presentation"] for number in (first, second)]
    assert asks == [True, False]


def test_a_focus_that_ends_releases_what_a_list_shows(at_noon):
    """B.4 nothing on an unlocked phone without Notification Center"""
    modes = [{"id": "work"}]
    quiet = device(at_noon, "quiet", focus={"modes": modes, "active": "work"}, apps={
        TOPIC: {"notificationCenter": "disabled"}})
    send(at_noon, quiet)
    for act in ({"action": "unlock"}, {"action": "switchFocus", "focus": None}):
        at_noon.api("POST", f"/devices/{quiet}/actions", json=act)
    assert "released" not in events(at_noon, quiet)


def test_a_request_names_no_notification_of_a_loaded_state(start_gateway):
    (first, second) = start_gateway(), start_gateway()
    device(first, "d")
    send(first, "d")
    token = second.device("x")[1]
    with Provider.to(second) as provider:
        assert provider.push(token, alert(title="FROM B")).status == 200
    assert second.api("GET", "/requests/1")["notification"] == 1
    second.api("PUT", "/state", json=first.api("GET", "/state"))
    assert "notification" not in second.api("GET", "/requests/1")


def test_a_refused_edit_changes_nothing(at_noon):
    gone = "com.example.gone"
    name = device(at_noon, registrations=[{"topic": TOPIC}, {"topic": gone}])
    at_noon.api("POST", f"/devices/{name}/actions", json={"action": "uninstall", "app": gone})
    change = {"foregroundApp": gone, "apps": {TOPIC: {"authorizationStatus": "denied"}}}
    at_noon.api("PATCH", f"/devices/{name}", 409, json=change)
    assert at_noon.api("GET", f"/devices/{name}")["apps"][TOPIC]["authorizationStatus"] == "authorized"


@pytest.mark.parametrize("end, reason", [
    (lambda own: send(own, collapseId="x"), None),
    (lambda own: send(own, body={"aps": {"badge": 0}}), "badgeCleared"),
    (lambda own: own.api("PATCH", "/devices/phone", json={"apps": {TOPIC: {"authorizationStatus": "denied"}}}), "turnedOff"),
])
def test_what_only_a_banner_shows_is_replaced_and_removed_as_what_lists_show(at_noon, end, reason):
    device(at_noon, isLocked=False, isScreenOn=True, apps={TOPIC: {"notificationCenter": "disabled"}})
    number = send(at_noon, collapseId="x")
    assert at_noon.api("GET", "/devices/phone/screen")["banner"]
    end(at_noon)
    ends = [event for event in at_noon.api("GET", "/devices/phone/events")["events"]
            if event["event"] in ("replaced", "removed") and event["notification"] == number]
    assert [event["details"].get("reason") for event in ends] == [reason]
    at_noon.api("POST", "/devices/phone/actions", 409, json={"action": "tap", "notification": number})


@pytest.mark.parametrize("replace", ["device", "state"])
def test_waits_and_verifications_begin_anew_with_another_life_of_the_device(at_noon, replace):
    device(at_noon)
    state = at_noon.api("GET", "/state")
    for _ in range(4):
        send(at_noon)
    newest = at_noon.api("GET", "/devices/phone")["eventCount"]
    where = {"of": "events", "device": "phone", "where": "event=replaced"}
    calls = [
        ("POST", "/verify", 406, {"json": {**where, "never": True, "within": "60s"}}),
        ("POST", "/verify", 200, {"json": {**where, "within": "60s"}}),
        ("GET", "/devices/phone/events", 200, {"params": {"kind": "replaced", "wait": "60s"}}),
    ]
    with ThreadPoolExecutor() as pool:
        answers = [pool.submit(at_noon.api, *call[:3], **call[3]) for call in calls]
        wait_until_waiting(at_noon, len(calls))
        if replace == "device":
            at_noon.api("DELETE", "/devices/phone")
            device(at_noon)
        else:
            at_noon.api("PUT", "/state", json=state)
        for _ in range(2):
            send(at_noon, collapseId="k")
        found = [answer.result() for answer in answers]
    assert found[0]["matched"] == found[1]["matched"] == [found[2]["events"][0]["number"]]
    assert found[2]["events"][0]["number"] <= newest


def test_a_state_that_is_put_does_not_hide_what_comes_after(at_noon):
    device(at_noon)
    state = at_noon.api("GET", "/state")
    send(at_noon)
    at_noon.api("DELETE", "/notifications")
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(at_noon.api, "GET", "/notifications", params={"device": "phone", "since": 0, "wait": "60s"})
        wait_until_waiting(at_noon)
        send(at_noon)
        assert len(answer.result()["notifications"]) == 1
        other = at_noon.api("GET", "/state")
        at_noon.api("PUT", "/state", json=state)
        answer = pool.submit(at_noon.api, "GET", "/notifications", params={"device": "phone", "wait": "60s"})
        wait_until_waiting(at_noon)
        at_noon.api("PUT", "/state", json=other)
        assert len(answer.result()["notifications"]) == 1


def test_what_the_phone_holds_waits_for_its_budget_only(at_noon):
    """L3 not for what APNs would hold a push for"""
    at_noon.api("PUT", f"/apps/{TOPIC}", json={"backgroundModes": ["remote-notification"]})
    device(at_noon)
    background = {"pushType": "background", "priority": 5}
    for _ in range(4):
        number = at_noon.api("POST", "/devices/phone/push", params={"topic": TOPIC, **background},
                             json={"aps": {"content-available": 1}})["id"]
    assert at_noon.api("GET", f"/notifications/{number}")["holdReason"] == "backgroundBudget"
    at_noon.api("PATCH", "/devices/phone", json={"isSavingPower": True})
    advance(at_noon, "61m")
    assert at_noon.api("GET", f"/notifications/{number}")["state"] == "delivered"


def test_an_outage_that_ended_while_the_phone_was_off_ends_at_its_start(at_noon):
    device(at_noon, isOnline=False, offlineUntil="2030-01-07T13:00:00Z")
    at_noon.api("PATCH", "/devices/phone", json={"isPoweredOn": False})
    advance(at_noon, "2h")
    before = at_noon.api("GET", "/devices/phone")
    at_noon.api("PATCH", "/devices/phone", json={"locale": before["locale"]})
    assert at_noon.api("GET", "/devices/phone") == before and not before["isOnline"]
    at_noon.api("PATCH", "/devices/phone", json={"isPoweredOn": True})
    assert at_noon.api("GET", "/devices/phone")["isOnline"]


def active_focus(gateway, name="phone"):
    return gateway.api("GET", f"/devices/{name}")["focus"].get("active")


@pytest.mark.parametrize("chosen, active", [
    ("read", ["read", "gym", "gym", None]), (None, [None, "gym", "gym", None]),
    ("work", ["work", "work", "gym", None])])
def test_a_schedule_that_overlaps_another_still_starts_and_ends(at_noon, chosen, active):
    """S0-12 unless the other one is on: of two schedules, the first in the list"""
    modes = [{"id": "work", "schedule": [{"from": "11:00", "to": "14:00"}]},
             {"id": "gym", "schedule": [{"from": "13:00", "to": "15:00"}]}, {"id": "read"}]
    device(at_noon, focus={"modes": modes})
    at_noon.api("POST", "/devices/phone/actions", json={"action": "switchFocus", "focus": chosen})
    found = []
    for by in ("30m", "1h", "1h", "1h"):
        advance(at_noon, by)
        found.append(active_focus(at_noon))
    assert found == active


def test_a_schedule_within_another_ends_what_it_started(at_noon):
    modes = [{"id": "work", "schedule": [{"from": "11:00", "to": "16:00"}]},
             {"id": "gym", "schedule": [{"from": "13:00", "to": "14:00"}]}, {"id": "read"}]
    device(at_noon, focus={"modes": modes})
    at_noon.api("POST", "/devices/phone/actions", json={"action": "switchFocus", "focus": "read"})
    advance(at_noon, "90m")
    assert active_focus(at_noon) == "gym"
    advance(at_noon, "1h")
    assert active_focus(at_noon) == "work"


@pytest.mark.parametrize("settings, query, outcome", [
    (dict.fromkeys(["lockScreen", "notificationCenter", "sound", "badge"], "disabled") | {"alertStyle": "none"}, {},
     "dropped"),
    ({"lockScreen": "disabled", "alertStyle": "none", "sound": "disabled"}, {}, "quiet"), ({}, {}, "alerted"),
    ({}, {"interruption-level": "passive"}, "quiet")])
def test_alerted_means_that_the_person_noticed(at_noon, settings, query, outcome):
    device(at_noon, apps={TOPIC: settings})
    at_noon.api("POST", "/devices/phone/push", params={"topic": TOPIC}, json={
        "aps": {"alert": "Hi", "sound": "default", **query}})
    assert at_noon.api("GET", "/notifications/latest")["outcome"] == outcome
    for one in ("alerted", "quiet", "dropped"):
        found = at_noon.api("GET", "/notifications", params={"outcome": one})["notifications"]
        assert len(found) == (one == outcome)


def test_a_push_that_cannot_wait_is_not_called_offline(at_noon):
    name, token = at_noon.device()
    for members, words in [
            ({"isSavingPower": True}, "saves power"), ({"isSavingPower": False, "isOnline": False}, "Device Offline")]:
        at_noon.api("PATCH", f"/devices/{name}", json=members)
        with Provider.to(at_noon) as provider:
            assert provider.push(token, alert(title="x"), apns_priority="5", apns_expiration="0").status == 200
        found = at_noon.api("GET", "/notifications/latest")
        assert found["discardReason"] == "notStored" and words in found["why"]
        assert [words in one["text"] for one in found["deliveryLog"]] == [False, True]
