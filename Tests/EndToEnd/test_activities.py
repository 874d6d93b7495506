"""Live Activities over real sockets: what a back end pushes, what the user sees, and the life of the tokens."""

import concurrent.futures

from activities import APP, T0, at, phone, state
from admin import own, wait_until_waiting
from gateway import pushcote


def test_L_1_a_start_push_shows_a_card_and_issues_a_token(phone):
    answer = phone.start()
    assert (answer.status, answer.body) == (200, b"")
    activity = phone.activity()
    assert (activity["state"], activity["origin"], activity["title"]) == ("active", "push", "Order 7")
    assert activity["lines"][0] == "Step 1"
    assert len(activity["push"]["token"]) == 160
    issued = phone.events("tokenIssued")[-1]
    assert (issued["kind"], issued["activity"], issued["token"]) == (
        "liveactivity", activity["id"], activity["push"]["token"])
    assert phone.events("activityAlert")[-1]["lit"] is True
    card = phone.screen()["activities"]["lockScreen"][0]
    assert (card["activity"], card["title"]) == (activity["id"], "Order 7")
    assert phone.last()["state"] == "delivered"


def test_L_5_and_6_the_token_waits_for_consent(phone):
    phone.settings(setting="undecided")
    activity = phone.started()
    assert activity["push"]["isConsentPending"] and "token" not in activity["push"]
    answer = phone.gateway.api(
        "POST", f"{phone.path}/apps/{APP}/live-activities/answer", json={"choice": "allow"})
    assert answer["setting"] == "allowed"
    assert len(phone.activity()["push"]["token"]) == 160
    phone.gateway.api("POST", f"{phone.path}/apps/{APP}/live-activities/answer", json={"choice": "deny"})
    assert phone.activity()["state"] == "dismissed"
    phone.start()
    assert phone.last()["discardReason"] == "denied"


def test_updates_and_their_log(phone):
    token = phone.started()["push"]["token"]
    assert phone.push(token, "update", T0 + 60, content_state=state(2)).status == 200
    assert phone.activity()["content"]["step"] == 2
    phone.push(token, "update", T0 + 30, content_state=state(9))
    assert (phone.activity()["content"]["step"], phone.last()["discardReason"]) == (2, "timestampOlder")
    phone.push(token, "update", T0 + 60, content_state={"step": 3})
    assert "eta" in phone.last()["why"]
    phone.push(token, "update", T0 + 60, content_state=state(3, T0 + 3600))
    assert "la.state.date1970" in [finding["id"] for finding in phone.last()["findings"]]
    assert [entry["outcome"] for entry in phone.activity()["log"]] == ["applied", "applied", "dropped", "dropped", "applied"]
    phone.gateway.api("POST", phone.path + "/actions", json={"action": "unlock"})
    phone.push(token, "update", T0 + 61, content_state=state(4), alert={"title": "Near", "body": "!", "sound": "default"})
    alert = phone.events("activityAlert")[-1]
    assert (alert["lit"], alert["presentation"]) == (True, "expanded")
    assert phone.screen()["notificationCenter"] == []


def test_the_clock_and_an_end_change_its_state(phone):
    token = phone.started()["push"]["token"]
    phone.push(token, "update", T0 + 1, content_state=state(2), stale_date=T0 + 120)
    phone.advance(to=at(T0 + 120))
    assert phone.activity()["state"] == "stale"
    phone.push(token, "update", T0 + 121, content_state=state(3))
    assert phone.activity()["state"] == "active"
    phone.push(token, "end", T0 + 122, content_state=state(4), dismissal_date=T0 + 36_000)
    ended = phone.activity()
    assert (ended["state"], ended["dismissAt"]) == ("ended", at(T0 + 120 + 4 * 3600).replace("+00:00", ".000Z"))
    assert phone.push(token, "update", T0 + 123, content_state=state(5)).reason == "ExpiredToken"
    phone.advance(by="4h")
    assert phone.activity()["state"] == "dismissed"


def test_L_21_the_persons_swipe(phone):
    swiped = phone.started()
    phone.act(swiped, "dismiss")
    assert phone.activity()["state"] == "dismissed"
    gone = phone.push(swiped["push"]["token"], "update", T0 + 1, content_state=state(2))
    assert (gone.status, gone.reason) == (410, "ExpiredToken")
    assert phone.act(swiped, "dismiss", 409)["error"]


def test_T4_a_rotated_token_replaces_the_former(phone):
    activity = phone.started()
    former = activity["push"]["token"]
    new = phone.act(activity, "rotate-token")["push"]
    assert (new["former"], new["token"] != former) == ([former], True)
    assert phone.events("tokenIssued")[-1]["replaces"] == former
    assert phone.push(former, "update", T0 + 1, content_state=state(2)).status == 410
    assert phone.push(new["token"], "update", T0 + 1, content_state=state(2)).status == 200


def test_T7_a_stale_push_to_start_token_gets_200_and_starts_nothing(phone):
    issue = lambda: phone.gateway.api(
        "POST", f"{phone.path}/apps/{APP}/live-activities/push-to-start", json={})["pushToStart"]
    first = issue()[-1]["token"]
    tokens = issue()
    assert [token["isCurrent"] for token in tokens[-2:]] == [False, True]
    phone.start_token = first
    answer = phone.start()
    assert (answer.status, phone.last()["discardReason"]) == (200, "p2sTokenStale")


def test_the_app_starts_updates_and_ends(phone):
    body = {"app": APP, "type": "Delivery", "attributes": {"orderId": "8"}, "content": state(1), "push": "token"}
    path = phone.path + "/activities"
    assert "visibility" in phone.gateway.api("POST", path, json=body, expect=409)["error"]
    phone.gateway.api("POST", phone.path + "/actions", json={"action": "open", "app": APP})
    activity = phone.gateway.api("POST", path, json=body, expect=201)
    assert (activity["origin"], activity["title"]) == ("app", "Order 8")
    assert phone.act(activity, "update", content=state(2))["lines"][0] == "Step 2"
    assert "content.eta" in phone.act(activity, "update", 400, content={"step": 3})["error"]
    assert phone.act(activity, "end")["state"] == "ended"
    assert "has ended" in phone.act(activity, "update", 409, content=state(3))["error"]
    for wrong, word in [({"app": APP}, "type"), ({**body, "push": "both"}, "push"), ({**body, "tpye": 1}, "tpye"),
                        ({**body, "attributes": {}}, "orderId")]:
        assert word in phone.gateway.api("POST", path, json=wrong, expect=400)["error"]
    phone.gateway.api("GET", path + "/nothing", expect=404)


def test_L_31_a_scheduled_start(phone):
    phone.gateway.api("POST", phone.path + "/actions", json={"action": "open", "app": APP})
    made = phone.gateway.api("POST", phone.path + "/activities", expect=201, json={
        "app": APP, "type": "Delivery", "attributes": {"orderId": "9"}, "content": state(1), "startsAt": at(T0 + 600),
        "alert": {"title": "Soon"}})
    assert made["state"] == "pending"
    phone.advance(by="10m")
    assert phone.activity()["state"] == "active"


def test_lists_can_wait_and_a_device_that_is_off_rejects_acts(phone):
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(phone.activities, state="ended", wait="60s")
        wait_until_waiting(phone.gateway)
        activity = phone.started()
        phone.act(activity, "end")
        assert [one["id"] for one in waiting.result(timeout=30)] == [activity["id"]]
    assert phone.activities(state="pending", wait="10ms") == []
    phone.gateway.api("PATCH", phone.path, json={"isPoweredOn": False})
    assert "switched off" in phone.act(activity, "dismiss", 409)["error"]


def test_a_restored_state_has_its_activities_and_their_explanations(phone, start_gateway):
    token = phone.started()["push"]["token"]
    phone.push(token, "update", T0 + 60, content_state=state(2))
    phone.push(token, "update", T0 + 30, content_state=state(9))
    saved = phone.gateway.api("GET", "/state")
    other = start_gateway()
    other.api("PUT", "/clock", json={"mode": "manual", "now": at(T0)})
    other.api("PUT", "/state", json=saved)
    for path in ["/activities", "/events?limit=1000", "/screen"]:
        assert other.api("GET", phone.path + path) == phone.gateway.api("GET", phone.path + path), path
    for number in (1, 2, 3):
        mine, theirs = phone.gateway.api("GET", f"/notifications/{number}"), other.api("GET", f"/notifications/{number}")
        assert (theirs["trace"], theirs["why"], theirs["findings"]) == (mine["trace"], mine["why"], mine["findings"])


def test_the_command_lists_them(phone):
    phone.started()
    admin = ["--admin", "http://%s:%d" % phone.gateway.admin_address]
    listed = pushcote("activities", "phone", *admin)
    assert listed.returncode == 0 and "Order 7 | Step 1" in listed.stdout
    assert pushcote("activities", "phone", "--state", "ended", "--wait", "10ms", *admin).returncode == 3
    explained = pushcote("explain", "1", *admin)
    assert "Started the Live Activity" in explained.stdout and "Rules, in the order tried" in explained.stdout


def test_T6_the_token_of_an_ended_activity_is_forgotten_and_counted(phone):
    activity = phone.started()
    phone.act(activity, "end")
    assert phone.push(activity["push"]["token"], "update", T0 + 1, content_state=state(2)).status == 410
    listed = phone.gateway.api("GET", phone.path + "/registrations")
    assert (len(listed["registrations"]), listed["forgottenCount"]) == (3, 0)
    phone.advance(by="30d")
    listed = phone.gateway.api("GET", phone.path + "/registrations")
    assert ([one["kind"] for one in listed["registrations"]], listed["forgottenCount"]) == (["app", "pushtostart"], 1)


def test_a_device_with_activities_can_be_written_back(phone):
    phone.act(phone.started(), "rotate-token")
    device = phone.gateway.api("GET", phone.path)
    assert phone.activity()["id"] in [one.get("subject") for one in device["registrations"]]
    for method in ("PUT", "PATCH"):
        assert phone.gateway.api(method, phone.path, json=device)["registrations"] == device["registrations"]
    settings = phone.settings()
    assert phone.settings(**settings) == settings and "pushToStart" in settings


def test_the_version_of_ios_and_the_locked_screen_are_conditions(phone):
    phone.started()
    phone.gateway.api("PATCH", phone.path, json={"osVersion": "17.1", "showsActivitiesWhenLocked": False})
    phone.start()
    assert phone.last()["discardReason"] == "unsupported"
    screen = phone.screen()["activities"]
    [card] = screen["lockScreen"]
    assert (card["isGreyed"], card["title"], card["lines"], screen["watch"]) == (True, "", [], [])
    error = phone.gateway.api("PATCH", phone.path, json={"osVersion": "seventeen"}, expect=400)["error"]
    assert "osVersion" in error and "17.2" in error
