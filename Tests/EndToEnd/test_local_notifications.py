"""Local notifications over HTTP: scheduled by the API, fired by the clock, shown like pushes."""

APP = "com.example.app"


def phone(start_gateway, *options):
    gateway = start_gateway(*options)
    gateway.api("PUT", "/clock", json={"mode": "manual", "now": "2031-01-17T08:00:00Z"})
    gateway.api("PUT", "/devices/phone", json={})
    return gateway


def schedule(gateway, identifier, trigger=None, expect=201, **content):
    body = {"app": APP, "identifier": identifier, "content": {"body": identifier, **content}}
    if trigger:
        body["trigger"] = trigger
    return gateway.api("POST", "/devices/phone/local-notifications", expect=(expect,), json=body)


def pending(gateway):
    return [one["identifier"] for one in gateway.api("GET", "/devices/phone/local-notifications")["localNotifications"]]


def test_a_day_of_reminders(start_gateway):
    gateway = phone(start_gateway)
    at_nine = schedule(gateway, "stand-up", {"type": "calendar", "repeats": True, "dateComponents": {"hour": 9}})
    assert at_nine["nextTriggerDate"] == "2031-01-17T09:00:00.000Z"
    schedule(gateway, "tea", {"type": "timeInterval", "timeInterval": 7200}, sound="default")
    welcome = {"identifier": "office", "latitude": 35.68, "longitude": 139.76, "radius": 100}
    schedule(gateway, "welcome", {"type": "location", "region": welcome})
    assert pending(gateway) == ["stand-up", "tea", "welcome"]

    gateway.api("POST", "/clock/advance", json={"by": "PT1H"})
    shown = gateway.wait(device="phone", count=1)
    assert [(one["origin"], one["identifier"], one["timing"]) for one in shown] == [("local", "stand-up", "now")]
    detail = gateway.detail(shown[0])
    assert detail["trace"] and "token" not in detail and "apnsId" not in detail
    assert [entry["event"] for entry in detail["timeline"]][1:3] == ["localFired", "contentDelivered"]

    # A Focus applies when the notification fires, even if it was scheduled earlier.
    gateway.api("PATCH", "/devices/phone", json={"focus": {"modes": [{"id": "work"}], "active": "work"}})
    gateway.api("POST", "/clock/advance", json={"by": "PT1H"})
    tea = gateway.wait(device="phone", count=2)[1]
    assert (tea["identifier"], tea["timing"]) == ("tea", "silencedByFocus")

    gateway.api("PUT", "/devices/phone/location", json={"latitude": 35.68, "longitude": 139.76})
    gateway.api("POST", "/clock/advance", json={"by": "PT20S"})
    assert gateway.wait(device="phone", count=3)[2]["identifier"] == "welcome"
    assert pending(gateway) == ["stand-up"]

    # N26: a push with the same identifier replaces it.
    push = {"topic": APP, "collapseId": "stand-up"}
    gateway.api("POST", "/devices/phone/push", params=push, json={"aps": {"alert": "Moved to ten"}})
    replaced = gateway.api("GET", "/devices/phone/events", params={"kind": "replaced"})["events"]
    assert [event["notification"] for event in replaced] == [shown[0]["id"]]

    gateway.api("DELETE", "/devices/phone/local-notifications", params={"app": APP, "identifier": "stand-up"})
    assert pending(gateway) == []


def test_rejected_requests_name_the_ios_error(start_gateway):
    gateway = phone(start_gateway)
    repeats = {"type": "timeInterval", "timeInterval": 30, "repeats": True}
    assert "local.repeat60" in schedule(gateway, "a", repeats, expect=400)["error"]
    assert "notificationInvalidNoDate" in schedule(
        gateway, "a", {"type": "calendar", "dateComponents": {}}, expect=400)["error"]
    assert "notificationInvalidNoContent" in schedule(gateway, "a", expect=400, body="")["error"]
    past = schedule(gateway, "a", {"type": "calendar", "dateComponents": {"year": 2020}})
    assert [one["id"] for one in past["findings"]] == ["local.neverFires"] and "nextTriggerDate" not in past
    gateway.api("PATCH", "/devices/phone", json={"apps": {APP: {"authorizationStatus": "denied"}}})
    assert "notificationsNotAllowed" in schedule(gateway, "a", expect=409)["error"]
    gateway.api("PATCH", "/devices/phone", json={"isPoweredOn": False})
    assert "switched off" in schedule(gateway, "a", expect=409)["error"]
