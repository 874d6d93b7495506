"""What Apple's sessions and guidelines require of a device, one by one, over APNs and the admin API.

The ids are those of Tests/Conformance.md. For messages, a real service extension updates the content.
"""

import json
import os

import pytest

from gateway import pushcote
from test_extensions import COMMUNICATION, PNG, TOPIC, example, push, script
from test_extensions import phone  # noqa: F401 - a fixture

TIME_SENSITIVE = "com.apple.developer.usernotifications.time-sensitive"
CRITICAL = "com.apple.developer.usernotifications.critical-alerts"
MESSAGES = {"entitlements": [COMMUNICATION, TIME_SENSITIVE], "userActivityTypes": ["INSendMessageIntent"]}

# Donates the intent in the payload, updates the content from it, and attaches a picture on request.
CHAT = f"""
info = message['request']['content']['userInfo']
content = {{}}
if 'intent' in info:
    say(type='donate', id=message['id'], interaction={{'intent': info['intent'], 'direction': 'incoming'}})
    content['communication'] = info['intent']
if 'picture' in info:
    path = message['paths']['temporary'] + '/picture.png'
    open(path, 'wb').write(bytes.fromhex('{PNG.hex()}'))
    content['attachments'] = [{{'identifier': 'picture', 'url': 'file://' + path}}]
say(type='content', id=message['id'], content=content)
"""

MIA = {
    "displayName": "Mia Chen", "customIdentifier": "17", "handle": {"value": "mia@example.com", "type": "emailAddress"}}
SAM = {"displayName": "Sam Roe", "customIdentifier": "18", "handle": {"value": "sam@example.com", "type": "emailAddress"}}


def payload(body="It is here.", custom=None, **aps):
    """An alert; underscores in `aps` keyword arguments become hyphens."""
    aps = {key.replace("_", "-"): value for key, value in aps.items()}
    return json.dumps({"aps": {"alert": {"title": "Parcel", "body": body}, **aps}, **(custom or {})}).encode()


def message(sender=MIA, body="Dinner at eight?", **more):
    """A message whose content the extension updates from an intent."""
    intent = {"class": "INSendMessageIntent", "conversationIdentifier": "c", "sender": sender, "content": body, **more}
    return payload(body, {"intent": intent}, mutable_content=1, sound="default")


@pytest.fixture
def chat(phone, tmp_path):  # noqa: F811
    """Makes a phone with a messaging app whose extension is `CHAT`."""

    def make(device=None, **app):
        iphone = phone(script(tmp_path, CHAT), **{**MESSAGES, **app})
        patch(iphone, **(device or {}))
        return iphone

    return make


def patch(iphone, **device):
    return iphone.gateway.api("PATCH", f"/devices/{iphone.name}", json=device)


def settings(iphone, **changes):
    patch(iphone, apps={TOPIC: changes})


def screen(iphone):
    return iphone.gateway.api("GET", f"/devices/{iphone.name}/screen")


def events(iphone, *kinds, **query):
    query |= {"kind": ",".join(kinds)} if kinds else {}
    return iphone.gateway.api("GET", f"/devices/{iphone.name}/events", params={"limit": 1000, **query})["events"]


def story(found):
    """The names of a notification's events."""
    return [event["event"] for event in found["timeline"]]


def answers(found):
    return [step["rule"] for step in found["trace"] if step.get("answer")]


def work(**members):
    return {"focus": {"modes": [{"id": "work", "name": "Work", "allowsTimeSensitive": False, **members}], "active": "work"}}


# MARK: - Summary and Focus


def test_media_attachments_rank_higher_in_the_summary(chat):
    """S0-10 S0-11 a picture ranks above a newer notification, a higher relevance above a picture"""
    iphone = chat({"summary": {"isEnabled": True}}, settings={"scheduledDelivery": "enabled"})
    iphone.gateway.api("PUT", "/clock", json={"mode": "manual"})
    relevant = iphone.receive(payload("Relevant", relevance_score=0.6))
    picture = iphone.receive(payload("With a picture", {"picture": True}, mutable_content=1))
    plain = iphone.receive(payload("Newest"))
    assert [one["timing"] for one in (relevant, picture, plain)] == ["deferredToSummary"] * 3
    assert [one["identifier"] for one in picture["content"]["attachments"]] == ["picture"]
    iphone.gateway.api("POST", "/clock/advance", json={"by": "P1D"})
    card = events(iphone, "summaryDelivered")[0]["details"]
    assert card["notifications"] == [relevant["id"], picture["id"], plain["id"]]
    assert card["featured"] == [relevant["id"], picture["id"]]


def test_what_breaks_through_a_focus(chat):
    """S0-14 S2-3 only allowed people, and Time Sensitive notifications where allowed, break through a Focus"""
    contacts = [{"id": "mia", "name": "Mia Chen", "emails": ["mia@example.com"]}]
    iphone = chat({"contacts": contacts, **work(people={"ids": ["contact:mia"]})})
    urgent = payload(interruption_level="time-sensitive")
    assert iphone.receive(payload())["timing"] == "silencedByFocus"
    assert iphone.receive(message(SAM))["timing"] == "silencedByFocus"
    assert iphone.receive(urgent)["timing"] == "silencedByFocus"
    assert iphone.receive(payload(interruption_level="passive"))["timing"] == "silencedByFocus"
    allowed = iphone.receive(message())
    assert allowed["timing"] == "now" and "F5" in answers(allowed)
    patch(iphone, **work(allowsTimeSensitive=True))
    now = iphone.receive(urgent)
    assert now["timing"] == "now" and "F7" in answers(now)
    assert iphone.receive(payload())["timing"] == "silencedByFocus"


def test_the_person_may_disable_time_sensitive_notifications(chat):
    """S0-25 S0-18 a reminder breaks through prominently; the user may turn off Time Sensitive, or the whole app"""
    iphone = chat(work(allowsTimeSensitive=True))
    reminder = payload("Time for your medication.", interruption_level="time-sensitive", sound="default")
    first = iphone.receive(reminder)
    assert first["timing"] == "now" and {"timeSensitiveLabel", "prominent", "screenLit"} <= set(first["presentation"])
    assert first["displayed"]["label"] == "Time Sensitive"
    settings(iphone, timeSensitive="disabled")
    second = iphone.receive(reminder)
    assert (second["level"], second["timing"]) == ("active", "silencedByFocus")
    assert "label" not in second["displayed"]
    settings(iphone, authorizationStatus="denied")
    third = iphone.receive(reminder, "discarded")
    assert third["discardReason"] == "disabled"
    assert screen(iphone)["notificationCenter"] == []


# MARK: - Siri


AIRPODS = {"audioRoute": "airpodsPro", "announce": {"isEnabled": True}}


def test_siri_announces_to_headphones(chat):
    """S0-23 communication and Time Sensitive notifications are announced; others only if the user chose all"""
    iphone = chat(AIRPODS)
    assert "announced" in story(iphone.receive(message()))
    assert "announced" in story(iphone.receive(payload(interruption_level="time-sensitive")))
    plain = iphone.receive(payload())
    assert "announced" not in story(plain) and "announce.notChosen" in answers(plain) and "announcement" not in plain
    settings(iphone, announcesEverything=True)
    assert iphone.receive(payload())["announcement"] == "Parcel: It is here."
    patch(iphone, audioRoute="otherHeadphones")
    assert "announced" not in story(iphone.receive(message()))


def test_carplay_reads_messages_if_set(chat):
    """S0-24 a connected CarPlay shows messages, and reads them aloud if the user enabled that"""
    iphone = chat({"isCarPlayConnected": True})
    iphone.receive(message())
    patch(iphone, announce={"isEnabled": True})
    read = iphone.receive(message())
    iphone.receive(payload())
    shown = events(iphone, "carPlay")
    assert [event["details"] for event in shown] == [
        {"isRead": False}, {"isRead": True, "text": "Mia Chen: Dinner at eight?"}]
    assert read["announcement"] == "Mia Chen: Dinner at eight?"


@pytest.mark.parametrize("device", [
    AIRPODS, {**AIRPODS, "audioRoute": "homepod"}, {"isCarPlayConnected": True, "announce": {"isEnabled": True}},
], ids=["AirPods", "HomePod", "CarPlay"])
def test_siri_announces_the_sender_and_text(chat, device):
    """S0-31 Siri names the sender, the group and the text; for a hidden notification only the app"""
    iphone = chat(device, displayName="Chat")
    assert iphone.receive(message())["announcement"] == "Mia Chen: Dinner at eight?"
    team = message(recipients=[SAM], speakableGroupName={"spoken": "Team"})
    assert iphone.receive(team)["announcement"] == "Mia Chen to Team: Dinner at eight?"
    settings(iphone, showPreviews="never")
    assert iphone.receive(message())["announcement"] == "Notification from Chat"
    said = [event["details"].get("text") for event in events(iphone, "announced", "carPlay")]
    assert said == [
        "Mia Chen: Dinner at eight?", "Mia Chen to Team: Dinner at eight?", "Notification from Chat"]


# MARK: - People


def test_the_sender_is_the_title_and_the_recipients_the_subtitle(chat):
    """S0-30 S2-1 S3-22 title and avatar are the sender's; the subtitle lists a group's recipients, a watch first names"""
    iphone = chat()
    group = iphone.receive(message(recipients=[SAM, {"displayName": "Me", "isMe": True}]))
    shown = group["displayed"]
    assert (shown["title"], shown["subtitle"]) == ("Mia Chen", "To you and Sam Roe")
    assert (shown["watchSubtitle"], shown["avatar"]) == ("To you and Sam", {"monogram": "MC"})
    assert group["localized"]["title"] == "Parcel"
    patch(iphone, locale="ja_JP")
    assert iphone.receive(message(recipients=[SAM]))["displayed"]["watchSubtitle"] == "宛先: あなた、Sam"
    alone = iphone.receive(message())["displayed"]
    assert "subtitle" not in alone and "watchSubtitle" not in alone


def test_a_like_named_contact_is_suggested_and_confirmed(chat, tmp_path):
    """S0-32 S2-7 a name suggests a contact, which counts for a Focus once the user confirms it"""
    someone = {**MIA, "suggestionType": "instantMessageAddress"}
    contacts = [{"id": "mia", "name": "Mia Chen", "emails": ["mia@home.example"]}]
    iphone = chat({"contacts": contacts, **work(people={"ids": ["contact:mia"]})})
    first = iphone.receive(message(someone))
    assert first["timing"] == "silencedByFocus"
    f5 = next(step for step in first["trace"] if step["rule"] == "F5")
    assert "mia@example.com is not one of its e-mail addresses, and the suggestion is not confirmed" in f5["sentence"]
    suggestion = {
        "kind": "contactAssociation", "person": f"person:{TOPIC}/17", "name": "Mia Chen", "contact": "mia", "app": TOPIC}
    assert first["suggestion"] == suggestion
    assert [card["suggestion"] for stack in screen(iphone)["notificationCenter"] for card in stack["notifications"]] == [
        suggestion]
    assert [event["details"]["isConfirmed"] for event in events(iphone, "suggestion")] == [False]
    admin = ("--admin", "http://%s:%d" % iphone.gateway.admin_address)
    assert "Is this Mia Chen of Contacts (mia)?" in pushcote("screen", iphone.name, *admin, cwd=tmp_path).stdout
    confirmed = pushcote(
        "act", iphone.name, "confirmContact", "--notification", first["id"], *admin, cwd=tmp_path)
    assert confirmed.returncode == 0 and "suggestion" in confirmed.stdout, confirmed
    second = iphone.receive(message(someone))
    assert second["timing"] == "now" and "suggestion" not in second
    act = {"action": "confirmContact", "notification": first["id"]}
    refused = iphone.gateway.api("POST", f"/devices/{iphone.name}/actions", json=act, expect=409)
    assert "suggests no contact" in refused["error"]
    # A contact with the same address needs no confirmation.
    patch(iphone, contacts=[{"id": "mia", "name": "Mia", "emails": ["MIA@example.com"]}])
    assert iphone.receive(message(MIA))["timing"] == "now"


# MARK: - The service extension


def test_nothing_is_shown_before_the_extension_finishes(phone, tmp_path):  # noqa: F811
    """S0-35 S2-4 S2-14 a delivered push passes through the extension before the user sees it"""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    iphone = phone(
        script(
            tmp_path,
            f"open('{gate}').read()\n"
            "say(type='content', id=message['id'], content={'title': 'Decrypted', 'body': 'Lunch?'})"))
    waiting = iphone.receive(payload("ciphertext", mutable_content=1, sound="default"), "accepted")
    entered = {"kind": "nseStarted", "wait": "15s"}
    assert iphone.gateway.api("GET", f"/devices/{iphone.name}/events", params=entered)["outcome"] == "complete"
    assert screen(iphone)["lockScreen"] == [] and screen(iphone)["notificationCenter"] == []
    assert story(iphone.gateway.detail(waiting)) == ["accepted", "received", "nseStarted"]
    gate.write_text("go")
    iphone.gateway.wait(device=iphone.name, state="delivered")
    shown = iphone.gateway.detail(waiting)
    assert (shown["displayed"]["title"], shown["displayed"]["body"]) == ("Decrypted", "Lunch?")
    assert story(shown)[:5] == ["accepted", "received", "nseStarted", "nseFinished", "contentDelivered"]
    assert "ciphertext" not in json.dumps(screen(iphone))


def test_the_extension_donates_updates_and_returns_content(phone):  # noqa: F811
    """S0-36 S0-41 as in the talk, the extension donates the interaction, updates the content and delivers it"""
    iphone = phone(example("Message"), entitlements=[COMMUNICATION], userActivityTypes=["INSendMessageIntent"])
    found = iphone.receive(push("Message"))
    names = story(found)
    assert names.index("nseStarted") < names.index("donation") < names.index("contentDelivered")
    donated = events(iphone, "donation")[0]["details"]
    assert (donated["direction"], donated["intent"]["class"]) == ("incoming", "INSendMessageIntent")
    assert donated["intent"]["sender"]["displayName"] == found["displayed"]["title"] == "Mia Chen"
    assert found["isCommunication"] and found["displayed"]["body"] == donated["intent"]["content"]


def test_the_articles_extension(phone):  # noqa: F811
    """S2-19 S2-12 the article's extension answers twice; the first answer, the updated content, is shown"""
    iphone = phone(example("SeedMessage"), entitlements=[COMMUNICATION], userActivityTypes=["INSendMessageIntent"])
    custom = {
        "sender_id": "1", "sender_name": "NekoNeko", "sender_image_url": "https://placekitten.com/200/287",
        "sender_nickname": "@Neko", "sender_email": "Neko@Neko.Neko", "chat-session_id": "chat-1"}
    found = iphone.receive(payload("Hello world! This is a test message.", custom, mutable_content=1))
    assert found["isCommunication"] and found["displayed"]["title"] == "@Neko"
    assert "[modified]" not in json.dumps(found["displayed"])


def test_each_push_calls_the_extension(phone, tmp_path):  # noqa: F811
    """S2-16 didReceive is called for each notification, before it is shown"""
    iphone = phone(script(tmp_path, "say(type='content', id=message['id'], content={'title': message['request']['identifier']})"))
    found = [iphone.receive(payload(f"Number {number}", mutable_content=1)) for number in range(3)]
    assert [one["displayed"]["title"] for one in found] == [f"push-{one['id']}" for one in found]
    assert len(events(iphone, "nseStarted")) == len(events(iphone, "nseFinished")) == 3


@pytest.mark.parametrize("status", ["notDetermined", "denied"])
def test_without_authorization_nothing_is_shown(chat, status):
    """S2-6 without the user's permission nothing is shown, and the extension is not called"""
    iphone = chat(settings={"authorizationStatus": status})
    found = iphone.receive(message(), "discarded")
    assert (found["discardReason"], found["extension"]["rule"]) == ("disabled", "nse.settings")
    assert events(iphone, "nseStarted") == [] and screen(iphone)["lockScreen"] == []


def test_an_apns_file_runs_the_extension(chat, tmp_path):
    """S2-22 an .apns file passes through the extension, unlike in Xcode's Simulator"""
    iphone = chat(displayName="Chat")
    file = tmp_path / "hello.apns"
    file.write_text(json.dumps({"Simulator Target Bundle": TOPIC, **json.loads(message())}))
    admin = "http://%s:%d" % iphone.gateway.admin_address
    sent = pushcote("send", iphone.name, file, "--admin", admin, cwd=tmp_path)
    assert sent.returncode == 0, sent.stderr
    shown = iphone.gateway.wait(device=iphone.name, state="delivered")[0]
    assert shown["isCommunication"] and shown["sender"] == "Mia Chen"
    assert iphone.gateway.detail(shown)["extension"]["rule"] == "nse.modified"


# MARK: - Settings and levels


def test_settings_allow_style_and_previews(chat):
    """S3-1 settings allow or deny notifications and choose their style, their previews and what Siri reads"""
    iphone = chat({"isLocked": False, "isScreenOn": True})
    assert "banner" in story(iphone.receive(payload()))
    settings(iphone, alertStyle="none")
    assert "banner" not in story(iphone.receive(payload()))
    settings(iphone, alertStyle="alert", sound="disabled", badge="disabled")
    persistent = iphone.receive(payload(sound="default", badge=3))
    assert "persistentBanner" in persistent["presentation"] and screen(iphone)["badges"] == {}
    assert not {"sound", "badge"} & set(story(persistent))
    settings(iphone, showPreviews="never")
    hidden = iphone.receive(payload("Secret"))["displayed"]
    assert (hidden["isHidden"], hidden["body"]) == (True, "Notification")
    settings(iphone, notificationCenter="disabled")
    assert "notificationCenter" not in story(iphone.receive(payload()))
    settings(iphone, authorizationStatus="denied")
    assert iphone.receive(payload(), "discarded")["discardReason"] == "disabled"
    assert screen(iphone)["notificationCenter"] == []


LEVELS = [
    ("passive", [], ["lockScreen", "notificationCenter"]),
    ("active", [], ["lockScreen", "notificationCenter", "screenLit", "sound", "haptic"]),
    ("time-sensitive", [TIME_SENSITIVE],
     ["lockScreen", "notificationCenter", "screenLit", "sound", "haptic", "prompt"]),
    ("critical", [CRITICAL], ["lockScreen", "notificationCenter", "screenLit", "sound", "haptic"]),
]


@pytest.mark.parametrize("level, entitlements, noticed", LEVELS, ids=[level[0] for level in LEVELS])
def test_four_levels(chat, level, entitlements, noticed):
    """S3-7 S0-15 S0-20 the four levels, their effects, and the entitlements that two of them need"""
    iphone = chat(entitlements=entitlements)
    alert = payload(interruption_level=level, sound={"critical": int(level == "critical"), "name": "a.caf", "volume": 0.5})
    found = iphone.receive(alert)
    assert found["level"] == level
    assert [name for name in story(found) if name not in ("accepted", "received", "contentDelivered")] == noticed
    assert ("criticalSound" in found["presentation"]) == (level == "critical")
    iphone.gateway.api("PATCH", f"/apps/{TOPIC}", json={"entitlements": []})
    assert iphone.receive(alert)["level"] == ("active" if entitlements else level)


def test_an_unentitled_critical_sound_makes_a_passive_push_active(chat):
    """S0-19 without the entitlement, a critical sound is an ordinary sound, which raises a passive push to active"""
    iphone = chat()
    found = iphone.receive(payload(interruption_level="passive", sound={"critical": 1, "name": "a.caf", "volume": 1}))
    assert (found["level"], found["timing"]) == ("active", "now")
    assert "level.passive.criticalSound" in answers(found)
    sound = events(iphone, "sound")[0]["details"]
    assert sound == {"name": "a.caf"}


def test_marketing_needs_consent(chat):
    """S3-36 marketing without the user's consent is an error"""
    iphone = chat(hasMarketingConsent=False, providesNotificationSettings=True)
    sale = payload("Sale: 20% off everything today.")
    found = iphone.receive(sale)
    assert ("marketing.noOptIn", "error") in [(one["id"], one["severity"]) for one in found["findings"]]
    iphone.gateway.api("PATCH", f"/apps/{TOPIC}", json={"hasMarketingConsent": True})
    assert "marketing.noOptIn" not in [one["id"] for one in iphone.receive(sale)["findings"]]


def test_a_repeated_key_is_found(chat):
    """C.6 a duplicate key in the payload is a finding, as parsers differ in which value they use"""
    found = chat().receive(b'{"aps":{"alert":"Hi","badge":1,"badge":2},"a":{"b":1,"b":1}}')
    paths = [one["path"] for one in found["findings"] if one["id"] == "payload.duplicateKey"]
    assert paths == ["aps.badge", "a.b"]
