"""Donations and suggestions over HTTP: what apps donate, what the phone suggests, and why it suggests nothing else."""

import json

import pytest

from gateway import pushcote
from test_extensions import script

WEATHER, COFFEE, CHAT = "com.example.weather", "com.example.coffee", "com.example.chat"
KEY = f"{WEATHER}/CheckWeatherIntent|location=cupertino"


def prepared(gateway):
    gateway.api("PUT", "/clock", json={"mode": "manual", "now": "2031-01-16T07:00:00Z"})
    gateway.api("PUT", "/devices/phone", json={})
    define(gateway, WEATHER, "CheckWeatherIntent", {"location": "String"}, "location")
    return gateway


@pytest.fixture
def phone(start_gateway):
    return prepared(start_gateway())


@pytest.fixture(scope="module")
def untouched(make_gateway):
    """For tests that change nothing."""
    return prepared(make_gateway())


def define(gateway, app, intent, parameters, combination):
    """Defines an app with one custom intent that has one parameter combination."""
    definition = {
        "intent": intent, "parameters": [{"name": name, "type": type} for name, type in parameters.items()],
        "combinations": [{"parameters": combination.split()}]}
    return gateway.api("PUT", f"/apps/{app}", json={"intents": [definition]})


def donate(gateway, body, expect=201):
    return gateway.api("POST", "/devices/phone/donations", expect=(expect,), json=body)


def weather(city, **more):
    location = {"identifier": city, "displayString": city.title()}
    return {"app": WEATHER, "interaction": {"intent": {"class": "CheckWeatherIntent", "location": location}, **more}}


def act(gateway, expect=200, **members):
    return gateway.api("POST", "/devices/phone/actions", expect=(expect,), json=members)


def advance(gateway, by):
    gateway.api("POST", "/clock/advance", json={"by": by})


def suggested(gateway, surface="lockScreen", **query):
    answer = gateway.api("GET", "/devices/phone/suggestions", params={"surface": surface, **query})
    return [one["id"] for one in answer["suggestions"]]


def reasons(gateway):
    return {key["id"]: key["reason"] for key in gateway.api("GET", "/devices/phone/suggestions")["keys"]}


def three_mornings(gateway, donation):
    """On three days, wakes the device at seven and donates six minutes later; wakes it on the fourth day."""
    for _ in range(3):
        act(gateway, action="wake")
        advance(gateway, "PT6M")
        donate(gateway, donation)
        advance(gateway, "PT23H54M")
    act(gateway, action="wake")


def test_the_weather_after_waking(phone, tmp_path):
    """S1-7 S1-8 S1-13 S1-14 S1-17 the weather is suggested on the fourth morning, on this device only, and runs by a tap"""
    phone.api("PUT", "/devices/tablet", json={})
    first = donate(phone, weather("cupertino"))
    assert first["donation"]["keys"] == ["CheckWeatherIntent|location=cupertino"]
    assert first["donation"]["context"] == {"minuteOfDay": 420, "weekday": 5}
    assert first["findings"] == [] and [event["event"] for event in first["events"]] == ["donation"]
    phone.api("DELETE", "/devices/phone/donations", params={"app": WEATHER})
    three_mornings(phone, weather("cupertino"))
    assert suggested(phone) == [KEY]
    answer = phone.api("GET", "/devices/phone/suggestions")
    (key,) = answer["keys"]
    assert (key["verdict"], key["hits"], key["days"], key["anchor"]) == ("suggested", 3, 4, "waking")
    assert [step["rule"] for step in key["trace"]][-1] == "P12"
    elsewhere = phone.api("GET", "/devices/tablet/suggestions")
    assert (elsewhere["suggestions"], elsewhere["keys"]) == ([], [])
    events = phone.api("GET", "/devices/phone/events", params={"kind": "suggestion"})["events"]
    assert [event["details"]["suggestion"] for event in events] == [KEY]

    admin = ("--admin", "http://%s:%d" % phone.admin_address)
    listed = pushcote("suggestions", "phone", "--surface", "lockScreen", *admin, cwd=tmp_path)
    assert listed.returncode == 0 and KEY in listed.stdout, listed
    assert suggested(phone, at="2031-01-19T12:00:00Z") == []

    run = pushcote("act", "phone", "runSuggestion", "--suggestion", KEY, "--json", *admin, cwd=tmp_path)
    events = json.loads(run.stdout)["events"]
    assert [event["event"] for event in events] == ["act", "appLaunch", "suggestionEnded"]
    launch = events[1]
    assert launch["details"]["activityType"] == "CheckWeatherIntent" and launch["details"]["state"] == "foreground"
    assert launch["details"]["intent"]["location"]["identifier"] == "cupertino"
    assert reasons(phone)[KEY].endswith("already run or dismissed today")
    assert phone.api("GET", "/devices/phone")["foregroundApp"] == WEATHER


def test_san_diego_is_deleted_by_its_group(phone):
    """S1-11 S1-12 two donations of a group are deleted, and their suggestion ends at once"""
    identifier = "68753A44-4D6F-1226-9C60-0050E4C00067"
    three_mornings(phone, weather("san-diego", groupIdentifier="san-diego"))
    donate(phone, weather("cupertino", identifier=identifier))
    assert suggested(phone) == [KEY.replace("cupertino", "san-diego")]
    app = {"app": WEATHER}
    assert phone.api("DELETE", "/devices/phone/donations", params={**app, "group": "san-diego"}) == {"removed": 3}
    assert suggested(phone) == []
    ended = phone.api("GET", "/devices/phone/events", params={"kind": "suggestionEnded"})["events"]
    assert [event["app"] for event in ended] == [WEATHER]
    assert phone.api("DELETE", "/devices/phone/donations", params={**app, "identifier": identifier}) == {"removed": 1}
    assert phone.api("GET", "/devices/phone/donations")["donations"] == []
    # Unknown identifiers are not an error.
    assert phone.api("DELETE", "/devices/phone/donations", params={**app, "identifier": "x"}) == {"removed": 0}


def test_messages_during_work_suggest_allowing_the_person(phone, tmp_path):
    """S1-20 S0-29 S0-39 after three messages to Aga at work, one from Aga suggests allowing Aga in the Work Focus"""
    aga = {"displayName": "Aga", "customIdentifier": "aga"}
    extension = script(
        tmp_path,
        f"intent = {{'class': 'INSendMessageIntent', 'sender': {aga}}}\n"
        "say(type='content', id=message['id'], content={'title': 'Aga', 'body': 'Hi', 'communication': intent})")
    phone.api("PUT", f"/apps/{CHAT}", json={
        "entitlements": ["com.apple.developer.usernotifications.communication"],
        "userActivityTypes": ["INSendMessageIntent"], "extension": extension})
    phone.api("PATCH", "/devices/phone", json={"focus": {"modes": [{"id": "work"}], "active": "work"}})
    for count in range(3):
        intent = {"class": "INSendMessageIntent", "recipients": [aga], "conversationIdentifier": "c"}
        donate(phone, {"app": CHAT, "interaction": {"direction": "outgoing", "intent": intent}})
    assert suggested(phone, "shareSheet") == [f"{CHAT}/INSendMessageIntent|conversationIdentifier=c"]
    assert suggested(phone, "focusPeople") == []
    push = {"aps": {"alert": {"title": "Aga", "body": "Hi"}, "mutable-content": 1}}
    phone.api("POST", "/devices/phone/push", params={"topic": CHAT}, json=push)
    phone.wait(device="phone", count=1, state="delivered")
    person = f"person:{CHAT}/aga"
    assert suggested(phone, "focusPeople") == [f"focus/work/{person}"]
    act(phone, action="acceptSuggestion", suggestion=f"focus/work/{person}")
    mode = phone.api("GET", "/devices/phone")["focus"]["modes"][0]
    assert mode["people"]["ids"] == [person]
    assert suggested(phone, "focusPeople") == []


def test_a_widget_for_the_predicted_intent(phone):
    """S1-15 S1-16 the Smart Stack suggests the widget; once accepted, the stack contains it and rotates to it"""
    phone.api("PATCH", f"/apps/{WEATHER}", json={
        "widgets": [{"kind": "forecast", "configurationIntent": "CheckWeatherIntent", "push": True}]})
    phone.device("phone", WEATHER)
    three_mornings(phone, weather("cupertino"))
    (widget,) = phone.api("GET", "/devices/phone/suggestions", params={"surface": "smartStack"})["suggestions"]
    assert (widget["kind"], widget["widgetKind"]) == ("widget", "forecast")
    act(phone, action="acceptSuggestion", suggestion=widget["id"])
    (placed,) = phone.api("GET", f"/devices/phone/apps/{WEATHER}/services")["widgets"]
    assert placed["kind"] == "forecast" and placed["intent"]["class"] == "CheckWeatherIntent"
    assert suggested(phone, "smartStack") == [f"rotation/forecast/{KEY}"]
    issued = phone.api("GET", "/devices/phone/events", params={"kind": "tokenIssued"})["events"][-1]["details"]
    assert (issued["kind"], issued["environment"]) == ("widgets", "sandbox"), "as the app's own token"


INTENT = {"intent": {"class": "CheckWeatherIntent"}}


@pytest.mark.parametrize("body, words", [
    ({}, "'app' is missing"),
    ({"app": WEATHER}, "one of interaction, activity, relevantShortcuts and upcomingMedia"),
    ({"app": WEATHER, "interaction": INTENT, "activity": {"activityType": "a"}}, "'interaction' is given with an alternative"),
    ({"app": WEATHER, "interaction": {}}, "'interaction.intent' is missing or has no class"),
    ({"app": WEATHER, "interaction": {**INTENT, "direction": "sideways"}}, "'interaction.direction'"),
    ({"app": WEATHER, "interaction": {**INTENT, "dateInterval": {"start": "now"}}}, "'interaction.dateInterval.start'"),
    ({"app": WEATHER, "interaction": {**INTENT, "dateInterval": {
        "start": "2031-01-03T00:00:00Z", "duration": -1}}}, "'interaction.dateInterval.duration'"),
    ({"app": WEATHER, "appState": "asleep", "interaction": INTENT}, "'appState'"),
    ({"app": WEATHER, "activity": {}}, "'activity.activityType' is missing"),
    ({"app": WEATHER, "relevantShortcuts": [{"intent": {"class": "A"}, "providers": [{}]}]}, "'relevantShortcuts[0]"),
    ({"app": WEATHER, "relevantShortcuts": [{"intent": {"class": "A"}, "providers": [
        {"start": "2031-01-03T01:00:00Z", "end": "2031-01-03T00:00:00Z"}]}]}, "is not after start"),
    ({"app": WEATHER, "upcomingMedia": {"intents": [{"class": "Other"}]}}, "INPlayMediaIntent"),
    ({"app": WEATHER, "interaction": {"intent": {"class": "A", "text": "x" * 70_000}}}, "at most 65536"),
])
def test_an_invalid_donation_changes_nothing(untouched, body, words):
    error = donate(untouched, body, expect=400)
    assert words in error["error"], error
    assert untouched.api("GET", "/devices/phone/donations") == {"donations": [], "evicted": 0}


def test_invalid_donations_are_rejected(phone, tmp_path):
    """F.1 an app that is not running cannot donate; errors name unknown suggestions, surfaces and apps"""
    act(phone, action="terminate", app=WEATHER)
    assert "error 1901" in donate(phone, weather("x"), expect=409)["error"].replace("errors", "error")
    unknown = act(phone, expect=404, action="runSuggestion", suggestion="x")
    assert "there is no suggestion 'x'" in unknown["error"].lower()
    wrong = phone.api("GET", "/devices/phone/suggestions", params={"surface": "moon"}, expect=(400,))
    assert "'surface'" in wrong["error"] and "lockScreen" in wrong["error"]
    assert "'app' is missing" in phone.api("DELETE", "/devices/phone/donations", expect=(400,))["error"]
    bad = {"intents": [{"intent": "A", "parameters": [{"name": "p", "type": "Strin"}], "combinations": [
        {"parameters": ["q"]}]}]}
    refused = phone.api("PUT", "/apps/a.b", json=bad, expect=(400,))["error"]
    assert "'intents[0].parameters[0].type'" in refused and "did you mean String?" in refused
    assert "'intents[0].combinations[0].parameters[0]'" in refused


def test_donate_and_lint_a_file(phone, tmp_path):
    """S1-27 the linter checks the rules without a gateway"""
    file = tmp_path / "coffee.json"
    intent = {"class": "OrderCoffeeIntent", "item": {"displayString": "Latte"}}
    file.write_text(json.dumps({"app": COFFEE, "interaction": {"intent": intent}}))
    linted = pushcote("lint", "--donation", str(file), cwd=tmp_path)
    assert "donation.displayStringOnly" in linted.stdout, linted
    admin = ("--admin", "http://%s:%d" % phone.admin_address)
    done = pushcote("donate", "phone", str(file), *admin, cwd=tmp_path)
    assert done.returncode == 0 and "Donated as 1" in done.stdout, done
    listed = pushcote("donations", "phone", *admin, cwd=tmp_path)
    assert COFFEE in listed.stdout, listed
