"""Verifications: which pushes arrived, which did not, the nearest match, and queries in lists."""

import concurrent.futures
import json

import pytest

from admin import own, wait_until_waiting
from gateway import pushcote

TOPIC = "com.example.app"


def payload(title, badge=1):
    return json.dumps({"aps": {"alert": {"title": title, "body": "It is here."}, "sound": "default", "badge": badge}}).encode()


@pytest.fixture
def phone(own, connect):
    _, token = own.device("phone")
    provider = connect(own)
    return lambda title, badge=1: provider.push(token, payload(title, badge))


@pytest.fixture(scope="module")
def orders(make_gateway):
    """A gateway with three pushes, for tests that do not change it."""
    gateway = make_gateway()
    gateway.device("phone")
    for title in ("Order 7", "Order 8", "Other"):
        gateway.api("POST", "/devices/phone/push", params={"topic": TOPIC}, content=payload(title))
    return gateway


@pytest.fixture(scope="module")
def empty(make_gateway):
    """A gateway without pushes, for tests that do not change it."""
    return make_gateway()


def verify(gateway, status=200, **body):
    return gateway.api("POST", "/verify", json=body, expect=status)


def test_a_match_is_reported_with_its_number(own, phone):
    phone("Order 7", 3)
    answer = verify(own, where=["title=Order 7", "payload.aps.badge>2", "headers.apns-topic=" + TOPIC])
    assert (answer["verified"], answer["matched"], answer["scanned"]) == (True, [1], 1)


def test_a_miss_names_the_members_that_differ(own, phone):
    phone("Something else")
    phone("Order 8")
    answer = verify(own, 406, where={"title": "Order 7", "device": "phone", "sound": {"exists": True}})
    assert [miss["number"] for miss in answer["nearest"]] == [2, 1]
    assert answer["nearest"][0]["differences"] == [{"path": "title", "expected": "Order 7", "got": "Order 8"}]
    assert answer["nearest"][0]["document"]["title"] == "Order 8"
    text = own.admin.post("/api/v1/verify", json={"where": "title=Order 7"}, headers={"accept": "text/plain"})
    assert text.status_code == 406
    assert '2  title: expected Order 7, got "Order 8"' in text.text


@pytest.mark.parametrize("body, status", [
    ({"count": 2}, 200), ({"count": 1}, 406), ({"count": 3}, 406), ({"count": {"atLeast": 1}}, 200),
    ({"count": {"atLeast": 3}}, 406), ({"count": {"atMost": 1}}, 406), ({"count": {"atLeast": 2, "atMost": 3}}, 200),
    ({"never": True}, 406), ({"count": 0}, 406)])
def test_counts(orders, body, status):
    verify(orders, status, where="title~Order", **body)


def test_since_takes_the_cursor_of_a_list(own, phone):
    phone("Order 7")
    cursor = own.api("GET", "/notifications")["next"]
    phone("Order 8")
    assert [verify(own, where="title~Order", since=since)["matched"] for since in (cursor, int(cursor))] == [[2], [2]]
    assert verify(own, 406, where="title=Order 7", since=cursor)["scanned"] == 1
    for wrong in ("", "x", -1, "-1", 1.5, None):
        assert "'since' is" in verify(own, 400, where="title", since=wrong)["error"]


def test_never_waits_the_full_time_but_fails_at_once(own, phone):
    assert verify(own, where="title~secret", never=True, within="50ms")["verified"]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(verify, own, 406, where="title~secret", never=True, within="60s")
        wait_until_waiting(own)
        phone("A secret")
        assert waiting.result(timeout=30)["outcome"] == "tooMany"


@pytest.mark.parametrize("count", [1, {"exactly": 1}, {"atLeast": 1, "atMost": 1}])
def test_a_late_duplicate_fails_an_exact_count(own, phone, count):
    phone("Order 7")
    assert verify(own, where="title=Order 7", count=count)["verified"]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(verify, own, 406, where="title=Order 7", count=count, within="60s")
        wait_until_waiting(own)
        phone("Order 7")
        answer = waiting.result(timeout=30)
    assert (answer["outcome"], answer["matchCount"]) == ("tooMany", 2)
    report = [line for line in answer["report"].splitlines() if line.endswith("Z  Order 7")]
    assert [line.split()[0] for line in report] == ["1", "2"]


def test_an_exact_count_holds_until_the_end_of_simulated_time_too(own, phone):
    own.api("PUT", "/clock", json={"mode": "manual"})
    own.api("PATCH", "/devices/phone", json={"isOnline": False})
    phone("Order 7")
    own.api("PATCH", "/devices/phone", json={"isOnline": True})
    assert verify(own, where="title=Order 7", count=1, within="1s", clock="simulated")["verified"]
    phone("Order 7")
    verify(own, 406, where="title=Order 7", count=1, within="1s", clock="simulated")


def test_nothing_for_a_device_needs_no_conditions(own, connect, phone):
    own.device("other")
    assert verify(own, device="other", never=True)["verified"]
    phone("Order 7")
    verify(own, 406, device="phone", never=True)
    assert verify(own, device="phone")["matched"] == [1]


def test_what_is_not_settled_counts_only_against_an_upper_limit(own, phone):
    own.api("PATCH", "/devices/phone", json={"isOnline": False})
    phone("Order 8")
    phone("Order 7")
    answer = verify(own, 406, where="title=Order 7")
    assert answer["nearest"][0]["differences"][0]["path"] == "state"
    answer = verify(own, 406, where="title=Order 7", never=True)
    assert "not settled yet" in answer["message"]
    assert [miss["number"] for miss in answer["nearest"]] == [2]
    assert "Not settled yet:\n  2  not settled: " in answer["report"] and "differ" not in answer["report"]
    for state in ("state=stored", "holdReason=offline", "outcome=waiting"):
        assert verify(own, where=["title=Order 7", state])["matched"] == [2]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(verify, own, where="title=Order 7", within="60s")
        wait_until_waiting(own)
        own.api("PATCH", "/devices/phone", json={"isOnline": True})
        assert waiting.result(timeout=30)["matched"] == [2]


def test_an_upper_limit_is_not_verified_once_something_was_evicted(start_gateway, connect):
    own = start_gateway("inbox.perDevice=1")
    _, token = own.device("phone")
    provider = connect(own)
    for title in ("Order 7", "Order 8", "Order 9"):
        provider.push(token, payload(title))
    assert "evicted" in verify(own, 409, device="phone", where="title=Order 7", never=True)["error"]
    assert verify(own, device="phone", where="title=Order 7", never=True, since=2)["verified"]
    own.api("DELETE", "/notifications")
    verify(own, 406, device="phone", where="title=Order 9")


def test_later_matches_are_awaited(own, phone):
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(verify, own, where="title=Order 9", within="60s")
        wait_until_waiting(own)
        phone("Order 8")
        phone("Order 9")
        assert waiting.result(timeout=30)["matched"] == [2]


def test_an_order_is_verified(own, phone):
    for title in ["Boarding", "Delayed", "Departed"]:
        phone(title)
    assert verify(own, order=["title=Boarding", ["title=Departed", "badge=1"]])["matched"] == [1, 3]
    answer = verify(own, 406, order=["title=Departed", "title=Boarding"])
    assert "missing: title=Boarding  (1 came before its turn)" in answer["report"]
    assert (answer["matched"], answer["outcome"]) == ([3], "tooFew")
    assert "missing: title=Boarding" in answer["report"]


def test_simulated_time_reaches_to_the_next_summary(own, phone):
    own.api("PUT", "/clock", json={"mode": "manual"})
    phone("Order 7")
    answer = verify(own, of="events", device="phone", where="event=removed", never=True, within="24h", clock="simulated")
    assert answer["verified"]
    for within, clock in [("24h1s", "simulated"), ("601s", "real")]:
        refused = verify(own, 400, of="events", device="phone", where="event=removed", within=within, clock=clock)
        assert "24h" in refused["error"], refused


def test_nothing_happened_for_half_a_second_of_simulated_time(own, phone):
    own.api("PUT", "/clock", json={"mode": "manual"})
    phone("Order 7")
    answer = verify(own, of="events", device="phone", where="event=removed", never=True, within="500ms", clock="simulated")
    assert answer["verified"]
    verify(own, 400, of="events", device="phone", where="event=removed", never=True, clock="simulated")
    own.api("POST", "/clock/reset", json={})
    verify(own, 409, where="title", within="1s", clock="simulated")


def test_requests_and_events_are_verified_too(own, connect):
    _, token = own.device("phone")
    provider = connect(own)
    provider.push(token, payload("Hello"))
    provider.push(token, payload("Hello"), **{"apns-topic": "com.example.other"})
    assert verify(own, of="requests", where=["status=400", "reason=DeviceTokenNotForTopic"])["matched"] == [2]
    assert verify(own, of="requests", where="payload.aps.alert.title=Hello", count=2)["verified"]
    assert verify(own, of="events", device="phone", where=["event=sound", "details.name=default"])["verified"]


def test_only_the_devices_requests_are_compared(own, connect):
    provider = connect(own)
    phone, other, _ = [own.device(name)[1] for name in ("phone", "other", "third")]
    for token in (phone, other):
        provider.push(token, payload("Hello"))
    answer = verify(own, of="requests", device="other", where="status=200", count=1)
    assert (answer["matched"], answer["scanned"]) == ([2], 1)
    verify(own, of="requests", device="third", where="status=200", never=True)


def test_a_misspelt_topic_is_a_near_miss(own, phone):
    phone("Order 7")
    answer = verify(own, 406, where=["topic=com.example.ap", "title=Order 7"])
    assert answer["nearest"][0]["differences"] == [{"path": "topic", "expected": "com.example.ap", "got": TOPIC}]
    assert "Nothing arrived" not in answer["report"]


def test_a_push_to_no_registered_token_is_named(own, phone, connect):
    """The most frequent mistake in tests: the back end has another device's token, or an old one."""
    provider = connect(own)
    provider.push("ab" * 32, payload("Order 7"))
    report = verify(own, 406, device="phone", where="title=Order 7")["report"]
    assert f"Newest push to no registered token: 200 alert {TOPIC} → device-abababab" in report
    provider.push("no-token", payload("Order 7"))
    assert "400 BadDeviceToken" in verify(own, 406, device="phone")["report"]
    for _ in range(20):
        phone("Order 7")
    assert "no registered token" not in verify(own, 406, where="title=Order 8")["report"]
    assert "no registered token" not in verify(own, where="title=Order 7")["report"]


def test_a_refusal_for_the_device_is_named_and_not_a_strangers(own, connect):
    provider = connect(own)
    provider.push("no-token", payload("Order 7"))
    _, token = own.device("phone", environment="production")
    assert "no-token" not in verify(own, 406, device="phone")["report"]
    assert "no registered token: 400 BadDeviceToken" in verify(own, 406, where="title=Order 7")["report"]
    provider.push(token, payload("Order 7"))
    provider.push("other-token", payload("Order 7"))
    report = verify(own, 406, device="phone", where="title=Order 7")["report"]
    assert "Newest refused push to this device: 400 BadDeviceToken" in report


def test_a_near_miss_has_the_reason_and_the_pushs_own_mistakes(own, phone):
    own.api("PATCH", "/devices/phone", json={"isOnline": False})
    phone("Order 7")
    report = verify(own, 406, device="phone", where="title=Order 7")["report"]
    assert "not settled: " in report and "expected one of" not in report
    own.api("POST", f"/devices/phone/push?topic={TOPIC}&pushType=alert", json={
        "aps": {"alert": {"Title": "Order 8", "body": "x."}, "badge": "3"}})
    report = verify(own, 406, device="phone", where=["title=Order 8", "badge=3"])["report"]
    assert "did you mean 'title'" in report or "did you mean `title`" in report, report
    assert "aps.badge" in report


def test_identifiers_are_compared_without_case(own, phone):
    phone("Order 7")
    [notification] = own.notifications()
    for member in ("token", "apnsId", "apnsUniqueId"):
        for text in (notification[member].lower(), notification[member].upper()):
            verify(own, where=f"{member}={text}", count=1)
            verify(own, 406, where={member: {"oneOf": [text]}}, never=True)
            verify(own, 406, where=f"{member}~{text[:8]}", never=True)


@pytest.mark.parametrize("body, message", [
    ({}, "'where' is missing"), ({"since": 99, "where": "title"}, "the newest of the notifications is 0"),
    ({"where": "state=deliverd", "never": True}, "did you mean 'delivered'?"),
    ({"where": "state!=deliverd"}, "did you mean 'delivered'?"), ({"where": "state=stored|gone"}, "accepted: accepted, stored"),
    ({"where": {"timing": "silencedByFokus"}}, "did you mean 'silencedByFocus'?"),
    ({"where": "outcome=silencedByFocus"}, "did you mean 'timing'?"), ({"where": "state=~^Deliv"}, "no value of 'state'"),
    ({"where": "places=banner"}, "'places' is never banner"), ({"where": "places=lockScreen"}, "write places~lockScreen"),
    ({"where": "badge=three"}, "'badge' is always a number"), ({"where": {"badge": "3"}}, "'badge' is always a number"),
    ({"where": "badge=~3"}, "'badge' is never one"), ({"where": {"title": 7}}, "'title' is always a text"),
    ({"where": "receivedAt>yesterday"}, "'receivedAt' is always a time"),
    ({"where": "isCommunication=yes"}, "'isCommunication' is always true or false"),
    ({"where": "extension.state=runing"}, "did you mean 'running'?"),
    ({"of": "requests", "where": "reason=BadDeviceTokn"}, "did you mean 'BadDeviceToken'?"),
    ({"of": "requests", "where": "answer.outcome=witheld"}, "did you mean 'withheld'?"),
    ({"of": "requests", "where": "reason=Nope"}, "accepted: BadCollapseId, BadDeviceToken, "),
    ({"of": "requests", "where": "status=99"}, "'status' is never 99; accepted: 200, 201"),
    ({"of": "requests", "where": {"status": {">=": 600}}, "never": True}, "never >= 600"),
    ({"of": "requests", "where": "status=418", "never": True}, "never 418"),
    ({"of": "requests", "where": "diagnosis.code=x", "never": True}, "there is no 'diagnosis.code'; accepted: id, message"),
    ({"of": "requests", "where": "findings.serverity=error"}, "did you mean 'findings.severity'?"),
    ({"where": "content.titel=x", "never": True}, "wrong at column 9; there is no 'content.titel'"),
    ({"where": "!content.titel"}, "did you mean 'content.title'?"), ({"where": "priority=7"}, "accepted: 1, 5, 10"),
    ({"where": "content.interruptionLevel=timeSensitive"}, "did you mean 'time-sensitive'?"),
    ({"where": "circumstances.device.isOnlin=true"}, "did you mean 'circumstances.device.isOnline'?"),
    ({"where": "extension.run.ended"}, "did you mean 'extension.run.end"), ({"where": "headers.APNS-ID"}, "write apns-id"),
    ({"where": {"content": {"titel": "x"}}, "never": True}, "did you mean 'content.title'?"),
    ({"where": "title.text=x", "never": True}, "'title' has no members"),
    ({"of": "events", "device": "x", "where": "app.topic=x"}, "'app' has no members"),
    ({"where": "title", "count": {"atLeast": 0}}, "'count.atLeast' is 0, which always holds: write 1"),
    ({"of": "events", "device": "x", "where": "event=bannner"}, "did you mean 'banner'?"), ({"where": "titel=1"}, "did you mean 'title'?"), ({"where": "title="}, "column 7"),
    ({"where": {"title": {"equals": 1, "equal": 1}}}, "did you mean equals?"), ({"where": 7}, "a list of conditions"),
    ({"where": "title", "count": -1}, "count"), ({"where": "title", "count": {"exactly": 1, "atMost": 2}}, "cannot be combined"),
    ({"where": "title", "count": {"atLeast": 3, "atMost": 2}}, "less than"), ({"where": "title", "within": "11m"}, "600s"),
    ({"where": "title", "order": ["title"]}, "exclude each other"), ({"order": ["title", "body"], "count": 2}, "order"),
    ({"of": "events", "where": "event"}, "'device' is missing"), ({"of": "pushes", "where": "x"}, "of"),
    ({"where": "token=0xabab", "never": True}, "'token' is always hexadecimal"), ({"where": "apnsId=7"}, "always a UUID"),
    ({"where": "topic=com.example.app AND title=Order 7", "never": True}, "'AND title=Order' would be part of the text"),
    ({"where": "title=x and body=y"}, "'and body=y' would be part"), ({"where": "title='Order 7'"}, "single quotes"),
    ({"where": {"topic": "com.example.app "}, "never": True}, "'topic' is always a bundle identifier"),
    ({"where": ["title"] * 33}, "at most 32"), ({"where": "title=~(", }, "has no end"), ({"wher": "title"}, "where"),
    ({"where": "a." * 16 + "b"}, "a"), ({"where": "title", "never": True, "count": 1}, "'never'")])
def test_errors_name_the_mistake(empty, body, message):
    assert message in verify(empty, 400, **body)["error"]


def test_values_are_checked_wherever_conditions_are(own):
    own.device("phone")
    lists = [("/notifications", "state=deliverd"), ("/requests", "source=hnd"), ("/devices/phone/events", "event=bannner"),
             ("/notifications/latest", "level=actve"), ("/events/stream", "state=deliverd"),
             ("/notifications", "content.titel=x"), ("/requests/latest", "diagnosis.mesage"), ("/events/stream", "content.titel")]
    for path, condition in lists:
        query = {"where": condition, **({"kind": "notifications"} if "stream" in path else {})}
        assert "did you mean" in own.api("GET", path, params=query, expect=400)["error"]
    webhook = {"name": "w", "url": "http://127.0.0.1:9/", "where": "event=bannner"}
    assert "did you mean" in own.api("POST", "/webhooks", json=webhook, expect=400)["error"]
    rule = {"match": {"where": {"connection": "one"}}, "effect": {"delay": "1s"}}
    assert "always a number" in own.api("POST", "/faults", json=rule, expect=400)["error"]
    own.api("POST", "/faults", json={"effect": {"answer": {"status": 400, "reason": "Teapot"}}})
    verify(own, 406, of="requests", where="reason=Teapot")
    assert "'app' has no members" in own.api(
        "POST", "/webhooks", json={**webhook, "where": "app.name=x"}, expect=400)["error"]
    rule["match"]["where"] = "topic.name=x"
    assert "'topic' has no members" in own.api("POST", "/faults", json=rule, expect=400)["error"]
    assert "accepted are 200, 201" in own.api("GET", "/requests", params={"status": "418"}, expect=400)["error"]
    own.api("POST", "/faults", json={"effect": {"answer": {"status": 418, "reason": "Teapot"}}})
    verify(own, 406, of="requests", where="status=418")
    assert own.api("GET", "/requests", params={"status": "418"})["requests"] == []


def test_an_unknown_device_is_reported(own):
    assert "There is no device" in verify(own, 404, where="device=nobody", never=True)["error"]
    assert "There is no device" in verify(own, 404, device="nobody", where="title")["error"]


def test_texts_with_any_characters_are_compared(own, phone):
    phone("Order 7")
    for condition in ("text=Order 7", "text~here", "text=~^It is", {"text": {"oneOf": ["x", "It is here."]}}, "text!=x"):
        assert verify(own, where=condition)["matched"] == [1]
    missed = verify(own, 406, where="text=Order 8")["nearest"][0]["differences"]
    assert missed == [{"path": "text", "expected": "Order 8", "got": ["Order 7", "It is here."]}]
    assert len(own.api("GET", "/notifications", params={"where": "text~Order", "text": "IT IS"})["notifications"]) == 1
    assert "text" in verify(own, 400, of="requests", where="text=x")["error"]


def test_lists_and_deletions_take_conditions(own, phone):
    for badge in range(5):
        phone(f"Order {badge}", badge)
    listed = own.api("GET", "/notifications", params={"where": ["payload.aps.badge>=1", "title!=Order 3"]})
    assert [one["id"] for one in listed["notifications"]] == [2, 3, 5]
    newest = own.api("GET", "/notifications", params={"where": "badge<3", "order": "newest", "limit": 1})
    assert (newest["notifications"][0]["id"], newest["total"], newest["hasMore"]) == (3, 3, True)
    assert own.api("GET", "/notifications/latest", params={"where": "badge=2"})["id"] == 3
    assert own.api("DELETE", "/notifications", params={"where": "badge<2"})["removed"] == 2
    assert len(own.api("GET", "/requests", params={"where": "payload.aps.badge>2"})["requests"]) == 2
    events = own.api("GET", "/devices/phone/events", params={"where": ["event=badge", "details.count>3"]})
    assert [one["notification"] for one in events["events"]] == [5]
    assert "column 1" in own.api("GET", "/requests", params={"where": "stattus=1"}, expect=400)["error"]


def test_the_command_has_an_exit_status_for_each_outcome(own, phone):
    phone("Order 7")
    run = lambda *arguments: pushcote("verify", "--admin", "http://%s:%d" % own.admin_address, *arguments)
    assert run("title=Order 7").returncode == 0
    failed = run("title=Order 8")
    assert failed.returncode == 1 and "expected Order 8" in failed.stdout
    assert run("title=Order 8", "--within", "50ms").returncode == 3
    assert run("title=Order 7", "--never").returncode == 1
    assert run("title=Order 7", "--then", "title=Order 7").returncode == 1
    assert run("--of", "events", "--device", "phone", "event=sound", "--json").returncode == 0
    wrong = run("titel=1")
    assert wrong.returncode == 1 and "did you mean" in wrong.stderr


def test_every_member_of_an_answer_can_be_queried(own, phone):
    phone("Order 7")
    answers = {
        "notifications": own.api("GET", "/notifications/latest"), "requests": own.api("GET", "/requests/latest"),
        "events": own.api("GET", "/devices/phone/events")["events"][0]}
    for kind, answer in answers.items():
        for name in answer.keys() - {"payloadText", "payloadBase64", "payloadByteCount"}:
            verify(own, of=kind, device="phone", where=name if answer[name] is not None else "!" + name)
            if isinstance(answer[name], (str, int)):
                verify(own, of=kind, device="phone", where={name: {"equals": answer[name]}})
