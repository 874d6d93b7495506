"""Pictures of what the user sees, rendered by librsvg and by Chromium."""

import json
import shutil
import subprocess
from xml.etree import ElementTree

import pytest

from gateway import pushcote
from provider import Provider

TOPIC = "com.example.app"
FORMS = ["lockScreen", "notificationCenter", "banner", "expanded", "watch", "carPlay", "homeIcon"]
TEXTS = [
    ("Mia Chen", "Dinner at eight? I found that place by the canal again, the one with the lanterns."),
    ("山田 花子", "明日の会議は十時からに変わりました。「資料」は今夜中に送りますので、確認をお願いします。"),
    ("דנה לוי", "הפגישה נדחתה לשעה 10:30 מחר. תביאי את המסמכים, בבקשה!"),
    ("Family 👨‍👩‍👧‍👦", "Happy birthday! Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen 🥳"),
    ("<script>alert(1)</script>", "& \"quotes\" ]]> " + "W" * 600),
]


@pytest.fixture
def device(gateway):
    device, _ = gateway.device()
    gateway.api("PATCH", f"/devices/{device}", json={"isLocked": True, "isScreenOn": True})
    for title, body in TEXTS:
        payload = {"aps": {"alert": {"title": title, "body": body}, "thread-id": title, "badge": 12}}
        gateway.api("POST", f"/devices/{device}/push", params={"topic": TOPIC}, json=payload)
    return device


def picture(gateway, path, **query):
    answer = gateway.admin.get("/api/v1" + path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.content


@pytest.mark.parametrize("appearance", ["light", "dark", "auto"])
@pytest.mark.parametrize("form", FORMS)
def test_librsvg_draws_every_form(gateway, device, tmp_path, form, appearance):
    if shutil.which("rsvg-convert") is None:
        pytest.skip("rsvg-convert is not installed (librsvg2-bin)")
    number = gateway.api("GET", "/notifications", params={"device": device})["notifications"][-1]["id"]
    for path in (f"/devices/{device}/screen.svg", f"/notifications/{number}/picture.svg"):
        svg = picture(gateway, path, form=form, appearance=appearance)
        root = ElementTree.fromstring(svg)
        assert root.get("role") == "img" and root[0].tag.endswith("title") and root[1].tag.endswith("desc")
        drawn = subprocess.run(["rsvg-convert"], input=svg, capture_output=True, timeout=60)
        assert (drawn.returncode, drawn.stderr) == (0, b"") and drawn.stdout.startswith(b"\x89PNG")


# The space left in a card before and after a text box, in Chromium with this machine's fonts.
SPILL = """() => [...document.querySelectorAll('g[aria-label]')].flatMap((card) => {
    const box = card.querySelector('rect').getBoundingClientRect();
    return [...card.querySelectorAll('text')].flatMap((text) => {
        const own = text.getBoundingClientRect();
        return own.left < box.left - 1 || own.right > box.right + 1 ? [`${text.textContent}: ${own.left}…${own.right}`] : [];
    });
})"""


@pytest.mark.parametrize("form", ["lockScreen", "notificationCenter", "expanded"])
def test_texts_fit_within_their_cards(gateway, device, chromium, form):
    page = chromium.new_page()
    page.set_content(picture(gateway, f"/devices/{device}/screen.svg", form=form).decode())
    assert page.locator("g[aria-label] text").count() >= 2
    assert page.evaluate(SPILL) == []
    page.close()


def test_commands_write_pictures(gateway, device, tmp_path):
    admin = "http://%s:%d" % gateway.admin_address
    file = tmp_path / "screen.svg"
    ended = pushcote("screen", device, "--svg", file, "--form", "lockScreen", "--admin", admin)
    assert (ended.returncode, ended.stdout) == (0, f"{file}: {file.stat().st_size} bytes\n")
    assert b"Mia Chen" in file.read_bytes() or b"below" in file.read_bytes()
    number = gateway.api("GET", "/notifications", params={"device": device})["notifications"][0]["id"]
    shown = pushcote("explain", number, "--svg", "-", "--appearance", "dark", "--admin", admin)
    assert shown.returncode == 0 and shown.stdout.startswith("<svg ") and shown.stdout.endswith("</svg>\n")
    told = pushcote("explain", number, "--svg", file, "--json", "--admin", admin)
    assert json.loads(told.stdout)["file"] == str(file)
    wrong = pushcote("screen", device, "--svg", "-", "--form", "poster", "--admin", admin)
    assert wrong.returncode == 1 and "accepted are lockScreen" in wrong.stderr
    missing = pushcote("screen", device, "--form", "watch", "--admin", admin)
    assert missing.returncode == 64 and "--svg" in missing.stderr


def description(gateway, path, **query):
    """What a picture says to a screen reader."""
    return ElementTree.fromstring(picture(gateway, path, **query))[1].text


APP = {
    "displayName": "Trips", "pushkit": {"voip": True}, "ptt": True, "liveActivities": {"types": [{
        "name": "Trip", "attributes": {"to": "String"}, "contentState": {"gate": "String"},
        "template": {"title": "To {to}", "lines": ["Gate {gate}"]}}]}}


@pytest.fixture
def phone(start_gateway):
    gateway = start_gateway()
    gateway.api("PUT", f"/apps/{TOPIC}", json=APP)
    gateway.api("PUT", "/devices/phone", json={"registrations": [{"topic": TOPIC}], "isLocked": True})
    gateway.change = lambda **members: gateway.api("PATCH", "/devices/phone", json=members)
    return gateway


def push(gateway, payload, push_type="alert", topic=TOPIC):
    query = {"topic": topic, "pushType": push_type}
    return gateway.api("POST", "/devices/phone/push", params=query, json=payload)["id"]


def start(gateway):
    return push(gateway, {"aps": {
        "timestamp": 1, "event": "start", "attributes-type": "Trip", "attributes": {"to": "Oslo"},
        "content-state": {"gate": "A1"}, "alert": {"title": "Boarding", "body": "Soon"}}},
        "liveactivity", TOPIC + ".push-type.liveactivity")


def test_a_live_activitys_push_is_drawn_where_it_appeared(phone):
    number = start(phone)
    assert "To Oslo, Gate A1" in description(phone, f"/notifications/{number}/picture.svg")
    assert "To Oslo" in description(phone, f"/notifications/{number}/picture.svg", form="liveActivity")
    phone.api("POST", f"/devices/phone/apps/{TOPIC}/live-activities/answer", json={"choice": "allow"})
    phone.change(isLocked=False, isScreenOn=True)
    [activity] = phone.api("GET", "/devices/phone/activities")["activities"]

    def update(gate, timestamp=2, **alert):
        aps = {"timestamp": timestamp, "event": "update", "content-state": {"gate": gate}, **alert}
        with Provider.to(phone) as client:
            answer = client.push(
                activity["push"]["token"], json.dumps({"aps": aps}).encode(),
                apns_topic=TOPIC + ".push-type.liveactivity", apns_push_type="liveactivity")
        assert answer.status == 200
        return phone.api("GET", "/notifications/latest")["id"]

    alert = {"alert": {"title": "Gate", "body": "New"}}
    expanded = update("B2", **alert)
    root = ElementTree.fromstring(picture(phone, f"/notifications/{expanded}/picture.svg"))
    assert (root[0].text, root[1].text) == ("Dynamic Island, expanded", "Trips, To Oslo, Gate B2")
    assert ElementTree.fromstring(picture(phone, "/devices/phone/screen.svg"))[0].text == root[0].text
    compact = ElementTree.fromstring(picture(phone, f"/notifications/{update('C3')}/picture.svg"))
    assert (compact[0].text, compact[1].text) == ("Dynamic Island", "Trips, To Oslo, Gate C3")
    phone.change(hasDynamicIsland=False)
    banner = update("D4", **alert)
    for path in (f"/notifications/{banner}/picture.svg", "/devices/phone/screen.svg"):
        root = ElementTree.fromstring(picture(phone, path))
        assert root[0].text == "A banner over an app" and "To Oslo, Gate D4" in root[1].text
    assert "Gate D4" in pushcote("screen", "phone", "--admin", admin(phone)).stdout.partition("NOTIFICATION")[0]
    small = lambda path: [description(phone, path, form=form) for form in ("watch", "carPlay")]
    for path in ("/devices/phone/screen.svg", f"/notifications/{banner}/picture.svg"):
        assert ["To Oslo" in text for text in small(path)] == [True, False]
    # A dropped push made nothing of it.
    dropped = update("old", timestamp=1)
    assert "Oslo" not in description(phone, f"/notifications/{dropped}/picture.svg")


def admin(gateway):
    return "http://%s:%d" % gateway.admin_address


def test_the_question_about_live_activities_is_on_the_screen(phone):
    start(phone)
    # The alert lights the screen.
    assert b'fill-opacity="0.65"' not in picture(phone, "/devices/phone/screen.svg")
    asked = {"app": TOPIC, "text": "Allow Live Activities from Trips?", "choices": ["deny", "allow"]}
    assert phone.api("GET", "/devices/phone/screen")["activities"]["question"] == asked
    assert asked["text"] in description(phone, "/devices/phone/screen.svg")
    text = pushcote("screen", "phone", "--admin", admin(phone)).stdout
    assert asked["text"] in text and "To Oslo" in text.partition("LOCK SCREEN")[2].partition("NOTIFICATION")[0]
    phone.api("POST", f"/devices/phone/apps/{TOPIC}/live-activities/answer", json={"choice": "allow"})
    assert "question" not in phone.api("GET", "/devices/phone/screen")["activities"]


def test_a_call_and_a_speaker_are_on_the_screen(phone):
    services = f"/devices/phone/apps/{TOPIC}/services"
    phone.api("POST", "/devices/phone/registrations", json={"topic": TOPIC + ".voip"})
    phone.api("POST", f"/devices/phone/apps/{TOPIC}/replies", json={"voip": {"reply": "reportCall", "handle": "Ann"}})
    push(phone, {"call": 1}, "voip", TOPIC + ".voip")
    voice = {"app": TOPIC, "appName": "Trips", "name": "Ann"}
    assert phone.api("GET", "/devices/phone/screen")["call"] == voice
    assert description(phone, "/devices/phone/screen.svg") == "A call: Ann, Trips."
    assert "Ann  Trips" in pushcote("screen", "phone", "--admin", admin(phone)).stdout
    phone.api("PATCH", services, json={"call": "active"})
    assert "call" not in phone.api("GET", "/devices/phone/screen")
    phone.change(isLocked=False, isScreenOn=True, foregroundApp=TOPIC)
    phone.api("PATCH", services, json={"call": "none", "channel": "crew"})
    phone.api("POST", f"/devices/phone/apps/{TOPIC}/replies", json={"pushtotalk": {"reply": "participant", "name": "Bo"}})
    push(phone, {"aps": {}}, "pushtotalk", TOPIC + ".voip-ptt")
    assert phone.api("GET", "/devices/phone/screen")["speaker"] == voice | {"name": "Bo"}
    assert "Push to Talk: Bo." in description(phone, "/devices/phone/screen.svg")


def test_the_icon_follows_the_badges(phone):
    icon = lambda: description(phone, "/devices/phone/screen.svg", form="homeIcon")
    assert icon() == "nothing"
    badge = push(phone, {"aps": {"badge": 5}})
    assert icon() == "Trips, 5"
    phone.api("POST", "/devices/phone/registrations", json={"topic": "com.example.other"})
    push(phone, {"aps": {"alert": "Hi"}}, topic="com.example.other")
    assert icon() == "Trips, 5"
    phone.change(focus={"modes": [{"id": "work", "hidesBadges": True}], "active": "work"})
    assert icon() == "other"
    hidden = push(phone, {"aps": {"alert": "Hi", "badge": 3}})
    path = "/notifications/%d/picture.svg"
    assert description(phone, path % hidden, form="homeIcon") == "Trips"
    assert badge < hidden


def test_a_car_and_a_watch_show_only_what_they_would(phone):
    number = push(phone, {"aps": {"alert": "Hi", "category": "ride"}})
    forms = lambda: [description(phone, path, form=form) != "nothing" for form in ("carPlay", "watch")
                     for path in ("/devices/phone/screen.svg", f"/notifications/{number}/picture.svg")]
    assert forms() == [False, False, True, True]
    phone.api("PATCH", f"/apps/{TOPIC}", json={"categories": [{"identifier": "ride", "options": ["allowInCarPlay"]}]})
    phone.change(isCarPlayConnected=True)
    number = push(phone, {"aps": {"alert": "Hi", "category": "ride"}})
    assert forms() == [True, True, True, True]
    phone.api("DELETE", "/notifications")
    phone.change(focus={"modes": [{"id": "work"}], "active": "work"})
    number = push(phone, {"aps": {"alert": "Hi", "category": "ride"}})
    assert forms() == [False, False, False, False]
