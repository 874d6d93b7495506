"""Service extensions: pushes arrive over APNs, pass through a real extension, and the device's display is checked."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gateway import BINARY, ROOT

TOPIC = "com.example.app"
FILTERING = "com.apple.developer.usernotifications.filtering"
COMMUNICATION = "com.apple.developer.usernotifications.communication"
EXAMPLES = ROOT / "Examples"
PROGRAM = Path(BINARY).parent / "example-extensions"
PYTHON = ["/usr/bin/env", "python3"]


def push(example):
    return (EXAMPLES / example / "push.json").read_bytes()


class Phone:
    """A device with one app and its extension, which receives pushes over APNs."""

    def __init__(self, gateway, provider, app):
        self.gateway, self.provider = gateway, provider
        gateway.api("PUT", f"/apps/{TOPIC}", json=app)
        self.name, self.token = gateway.device()

    def receive(self, payload, state="delivered", **headers):
        """Pushes and waits for a state; returns the notification's details."""
        answer = self.provider.push(self.token, payload, **headers)
        assert answer.status == 200
        found = self.gateway.wait(device=self.name, apnsId=answer.apns_id, state=state)
        return self.gateway.detail(found[0])


@pytest.fixture
def phone(start_gateway, connect):
    """Makes a phone with an app, on a gateway whose clock the test may advance."""

    def make(extension, *options, entitlements=(), **app):
        gateway = start_gateway(*options)
        app = {"entitlements": list(entitlements), "extension": extension, **app}
        return Phone(gateway, connect(gateway), app)

    return make


def example(name):
    return {"kind": "process", "command": [str(PROGRAM), name]}


def script(folder, text):
    """Writes a Python extension that receives each request as `message` and sends messages with `say`."""
    file = folder / "extension.py"
    lines = "\n".join("        " + line for line in text.splitlines())
    file.write_text(
        "import json, os, sys, time\n"
        "def say(**message): print(json.dumps(message), flush=True)\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'didReceive':\n"
        "        say(type='entered', id=message['id'])\n" + lines + "\n")
    return {"kind": "process", "command": [*PYTHON, str(file)]}


# MARK: - What people write


def test_the_python_example_changes_a_title(phone):
    """S2-16 didReceive is called for each notification, before it is shown"""
    iphone = phone({"kind": "process", "command": [*PYTHON, str(EXAMPLES / "python/extension.py")]})
    payload = json.dumps({"aps": {"alert": {"title": "Hi", "body": "There"}, "mutable-content": 1}}).encode()
    found = iphone.receive(payload)
    assert found["displayed"]["title"] == "Hi [modified]"
    run = found["extension"]
    assert (run["verdict"], run["rule"]) == ("modified", "nse.modified")
    assert run["changes"] == [{"member": "title", "before": "Hi", "after": "Hi [modified]"}]
    assert run["run"]["log"] == [{"level": "info", "message": f"Modifying push-{found['id']}"}]
    names = [event["event"] for event in found["timeline"]]
    assert names[:5] == ["accepted", "received", "nseStarted", "nseFinished", "contentDelivered"]
    assert found["request"]["payload"]["aps"]["alert"]["title"] == "Hi"
    # The second push reuses the running process.
    again = iphone.receive(payload)
    assert again["extension"]["run"]["isNewProcess"] is False
    assert again["extension"]["run"]["log"][0]["message"] == f"Modifying push-{again['id']}"


def test_a_message_shows_its_sender_and_is_donated(phone):
    """S0-36 S0-41 as in the talk, the extension donates the interaction, updates the content and delivers it"""
    iphone = phone(example("Message"), entitlements=[COMMUNICATION], userActivityTypes=["INSendMessageIntent"])
    found = iphone.receive(push("Message"))
    names = [event["event"] for event in found["timeline"]]
    assert names.index("nseStarted") < names.index("donation") < names.index("contentDelivered")
    assert found["isCommunication"] and found["displayed"]["title"] == "Mia Chen"
    assert found["displayed"]["avatar"] == {"monogram": "MC"}
    donated = iphone.gateway.api("GET", f"/devices/{iphone.name}/events", params={"kind": "donation"})["events"]
    assert [event["details"]["direction"] for event in donated] == ["incoming"]
    intent = donated[0]["details"]["intent"]
    assert (intent["class"], intent["sender"]["displayName"], intent["content"]) == (
        "INSendMessageIntent", "Mia Chen", found["displayed"]["body"])
    assert "minuteOfDay" in donated[0]["details"]["context"]


def test_a_focus_allows_a_person(phone):
    iphone = phone(example("Message"), entitlements=[COMMUNICATION], userActivityTypes=["INSendMessageIntent"])
    work = {"id": "work", "people": {"ids": ["contact:mia"]}}
    iphone.gateway.api(
        "PATCH", f"/devices/{iphone.name}",
        json={
            "contacts": [{"id": "mia", "name": "Mia Chen", "emails": ["MIA@example.com"]}],
            "focus": {"modes": [work], "active": "work"}})
    assert iphone.receive(push("Message"))["timing"] == "now"
    iphone.gateway.api("PATCH", f"/devices/{iphone.name}", json={"contacts": []})
    assert iphone.receive(push("Message"))["timing"] == "silencedByFocus"


PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360f8cf500f0003830180" "9f0f7f440000000049454e44ae426082")


def test_an_attachment_and_a_picture_are_served(phone, tmp_path):
    iphone = phone(
        script(
            tmp_path,
            f"png = bytes.fromhex('{PNG.hex()}')\n"
            "import base64\n"
            "path = message['paths']['temporary'] + '/cat.png'\n"
            "open(path, 'wb').write(png)\n"
            "image = {'kind': 'data', 'value': base64.b64encode(png).decode()}\n"
            "sender = {'displayName': 'Mia', 'handle': {'value': 'mia@example.com', 'type': 'emailAddress'}, 'image': image}\n"
            "intent = {'class': 'INSendMessageIntent', 'sender': sender, 'content': 'Hi'}\n"
            "attachment = {'identifier': 'cat', 'url': 'file://' + path}\n"
            "say(type='content', id=message['id'], content={'attachments': [attachment], 'communication': intent})"),
        entitlements=[COMMUNICATION], userActivityTypes=["INSendMessageIntent"])
    found = iphone.receive(push("Slow"))
    kept = found["content"]["attachments"]
    assert [(one["identifier"], one["type"], one["byteCount"]) for one in kept] == [("cat", "public.png", len(PNG))]
    served = iphone.gateway.admin.get(f"/api/v1/notifications/{found['id']}/attachments/cat")
    assert (served.status_code, served.headers["content-type"], served.content) == (200, "image/png", PNG)
    avatar = iphone.gateway.admin.get(found["displayed"]["avatar"]["image"])
    assert (avatar.status_code, avatar.content) == (200, PNG)
    assert iphone.gateway.admin.get(f"/api/v1/notifications/{found['id']}/attachments/dog").status_code == 404


def test_a_reload_does_not_move_the_folder(start_gateway, connect, tmp_path):
    settings = tmp_path / "settings.yaml"
    settings.write_text("log: {level: info}\n")
    gateway = start_gateway(arguments=["--config", settings])
    iphone = Phone(gateway, connect(gateway), {"extension": script(
        tmp_path,
        "path = message['paths']['temporary'] + '/cat.png'\n"
        f"open(path, 'wb').write(bytes.fromhex('{PNG.hex()}'))\n"
        "attachment = {'identifier': 'cat', 'url': 'file://' + path}\n"
        "say(type='content', id=message['id'], content={'attachments': [attachment]})")})
    before = iphone.receive(push("Slow"))
    settings.write_text("extensions: {folder: other}\n")
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Changed settings need a restart")
    after = iphone.receive(push("Slow"))
    assert after["extension"]["run"]["isNewProcess"] is False and not (gateway.folder / "other").exists()
    first, second = [[one["sha256"] for one in found["content"]["attachments"]] for found in (before, after)]
    assert len(first) == 1 and first == second


def test_a_communication_finding_is_reported_once(phone, tmp_path):
    iphone = phone(
        script(
            tmp_path,
            "sender = {'displayName': 'Mia', 'handle': {'value': 'mia@example.com', 'type': 'emailAddress'}}\n"
            "intent = {'class': 'INSendMessageIntent', 'sender': sender, 'conversationIdentifier': 'c'}\n"
            "for _ in range(2): say(type='donate', id=message['id'], interaction={'intent': intent, 'direction': 'incoming'})\n"
            "say(type='content', id=message['id'], content={'communication': intent})"),
        entitlements=[COMMUNICATION], userActivityTypes=["INSendMessageIntent"])
    found = iphone.receive(push("Slow"))
    told = [finding["id"] for finding in found["findings"] if finding["id"].startswith("comm.")]
    assert "comm.person.incomplete" in told
    assert sorted(told) == sorted(set(told))


def test_an_extensions_categories_apply_to_its_notification(phone, tmp_path):
    reply = {"identifier": "REPLY", "title": "Reply", "textInput": {"buttonTitle": "Send", "placeholder": ""}}
    categories = [{"identifier": "OFFER", "actions": [reply]}, {"identifier": "", "actions": []}]
    iphone = phone(
        script(
            tmp_path,
            f"say(type='center', id=message['id'], call=1, name='setCategories', arguments={{'categories': {categories!r}}})\n"
            "set = json.loads(sys.stdin.readline())\n"
            "say(type='center', id=message['id'], call=2, name='categories')\n"
            "now = json.loads(sys.stdin.readline())\n"
            "say(type='content', id=message['id'], content={'categoryIdentifier': 'OFFER',"
            " 'userInfo': {'set': set['result'], 'now': now['result']}})"),
        categories=[{"identifier": "MESSAGE", "actions": [{"identifier": "LIKE", "title": "Like"}]}])
    found = iphone.receive(push("Slow"))
    assert found["content"]["userInfo"]["set"]["problems"][0].startswith("categories[1].identifier is")
    assert [one["identifier"] for one in found["content"]["userInfo"]["now"]] == ["OFFER"]
    api = iphone.gateway.api
    app = api("GET", f"/devices/{iphone.name}")["apps"][TOPIC]
    assert [one["identifier"] for one in app["categories"]] == ["OFFER"]
    assert [one["identifier"] for one in api("GET", f"/apps/{TOPIC}")["categories"]] == ["MESSAGE"]
    act = {"action": "perform", "notification": found["id"], "actionIdentifier": "REPLY", "text": "Yes"}
    events = api("POST", f"/devices/{iphone.name}/actions", json=act)["events"]
    assert events[-1]["details"] == {"actionIdentifier": "REPLY", "userText": "Yes"}


# MARK: - What goes wrong (C.3)
ORIGINAL = "The original text."
# Example, entitlements, verdict, rule, how the run ended, body shown (None: not checked).
CASES = [
    ("AnyThread", [], "modified", "nse.modified", "answered", None),
    ("AnswersTwice", [], "modified", "nse.modified", "answered", None),
    ("Suppresses", [], "original", "nse.alertRemoved", "answered", ORIGINAL),
    ("Exits", [], "original", "nse.died", "exited", ORIGINAL),
    ("Crashes", [], "original", "nse.died", "crashed", ORIGINAL),
    ("InvalidAttachment", [], "modified", "nse.modified", "answered", None),
]

EXPECTED_FINDINGS = {
    "AnswersTwice": ["nse.handler.calledTwice"], "Suppresses": ["nse.handler.dropsAlert"], "Exits": ["nse.handler.never"],
}


@pytest.mark.parametrize("name, entitlements, verdict, rule, end, body", CASES, ids=[case[0] for case in CASES])
def test_every_extension_results_in_one_notification(phone, name, entitlements, verdict, rule, end, body):
    iphone = phone(example(name), entitlements=entitlements)
    found = iphone.receive(push(name), apns_push_type="alert")
    run = found["extension"]
    assert (run["verdict"], run["rule"], run["run"]["end"]) == (verdict, rule, end), run
    assert found["state"] == "delivered" and "lockScreen" in found["places"]
    if body:
        assert found["displayed"]["body"] == body
    told = [finding["id"] for finding in found["findings"] if finding["id"].startswith("nse.handler.")]
    assert told == EXPECTED_FINDINGS.get(name, [])
    assert len(iphone.gateway.notifications(device=iphone.name)) == 1


@pytest.mark.parametrize("name, rule, reason", [
    ("Suppresses", "nse.suppressed", "suppressed"), ("Exits", "nse.filtering.died", "extensionDied"),
    ("Crashes", "nse.filtering.died", "extensionDied"),
])
def test_an_app_with_the_filtering_entitlement_shows_nothing(phone, name, rule, reason):
    iphone = phone(example(name), entitlements=[FILTERING])
    found = iphone.receive(push(name), "discarded", apns_push_type="alert")
    assert (found["extension"]["rule"], found["state"], found["discardReason"]) == (rule, "discarded", reason)
    assert iphone.gateway.api("GET", f"/devices/{iphone.name}/screen")["lockScreen"] == []


def expire(iphone, name, seconds=29):
    """Pushes, advances the clock past the extension's time limit, and returns the notification."""
    gateway = iphone.gateway
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    waiting = iphone.receive(push(name), "accepted", apns_push_type="alert")
    assert (waiting["state"], waiting["extension"]["state"]) == ("accepted", "running")
    gateway.api("POST", "/clock/advance", json={"by": f"PT{seconds}S"})
    gateway.wait(device=iphone.name, state="delivered")
    return gateway.detail(waiting)


def test_a_condition_sees_what_the_person_sees_and_nothing_before(phone):
    """C.1 the texts of a push that its extension still has are on no screen"""
    iphone = phone(example("Slow"), "extensions.killAfter=42s")
    own = iphone.gateway
    own.api("PUT", "/clock", json={"mode": "manual"})
    body = iphone.receive(push("Slow"), "accepted", apns_push_type="alert")["request"]["payload"]["aps"]["alert"]["body"]

    def verify(status, where, **members):
        return own.api("POST", "/verify", status, json={"where": where, **members})

    texts = [{"text": body}, {"body": body}, "title", "content.body"]
    for where in texts:
        assert verify(406, where, count={"atLeast": 1})["scanned"] == 1
    assert verify(200, [f"device={iphone.name}", "text"], never=True)["verified"]
    verify(406, "extension")
    verify(406, "payload.aps.alert", never=True)
    assert verify(200, "extension.state=running")["verified"]
    assert not own.api("GET", "/notifications", params={"where": "body"})["notifications"]
    own.api("POST", "/clock/advance", json={"by": "PT29S"})
    own.wait(device=iphone.name, state="delivered")
    assert verify(200, ["extension.state=finished", "body"])["verified"]


def test_the_time_limit_follows_the_clock_and_shows_the_best_attempt(phone):
    """S2-20 just before its time expires the extension is warned, and the content it then delivers is shown"""
    found = expire(phone(example("Slow"), "extensions.killAfter=42s"), "Slow")
    assert found["extension"]["rule"] == "nse.bestAttempt"
    assert found["extension"]["run"]["answerSource"] == "expiration"
    assert found["displayed"]["subtitle"] == "Not translated"


def test_an_extension_that_never_answers_shows_the_original(phone):
    """S2-20 without an answer the original payload is shown"""
    found = expire(phone(example("NeverAnswers"), "extensions.killAfter=35s"), "NeverAnswers")
    assert (found["extension"]["rule"], found["displayed"]["body"]) == ("nse.never", ORIGINAL)
    assert "nse.handler.never" in [finding["id"] for finding in found["findings"]]


def test_a_late_answer_is_ignored(phone):
    found = expire(phone(example("AnswersTooLate")), "AnswersTooLate")
    assert (found["extension"]["verdict"], found["displayed"]["body"]) == ("original", ORIGINAL)


def test_exceeding_an_enforced_memory_limit_ends_the_extension(phone):
    iphone = phone(example("TakesMemory"), "extensions.enforcesMemoryLimit=true")
    found = iphone.receive(push("TakesMemory"), apns_push_type="alert")
    assert (found["extension"]["run"]["end"], found["displayed"]["body"]) == ("outOfMemory", ORIGINAL)


def test_a_missing_program_is_named(phone):
    found = phone({"kind": "process", "command": ["/no/such/program"]}).receive(push("Slow"))
    assert (found["extension"]["rule"], found["displayed"]["body"]) == ("nse.noAnswer", ORIGINAL)
    assert "/no/such/program" in found["extension"]["run"]["detail"]


def test_a_hanging_extension_does_not_delay_others(phone, tmp_path):
    iphone = phone(script(tmp_path, "time.sleep(3600)"))
    for _ in range(20):
        iphone.receive(push("Slow"), "accepted")
    plain = iphone.receive(json.dumps({"aps": {"alert": "Plain"}}).encode())
    assert plain["state"] == "delivered" and plain["extension"]["state"] == "notEmployed"


# MARK: - Servers


def test_the_server_of_the_compose_file_translates(phone):
    server = subprocess.Popen(
        [sys.executable, str(ROOT / "docker/extension/server.py"), "0"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline())
        iphone = phone({"kind": "http", "url": f"http://127.0.0.1:{port}/"})
        aps = {"alert": {"title": "Shop", "body": "Your order has shipped"}, "mutable-content": 1}
        found = iphone.receive(json.dumps({"aps": aps}).encode())
        assert (found["displayed"]["title"], found["displayed"]["body"]) == ("Shop", "Ihre Bestellung ist unterwegs")
    finally:
        server.kill()
        server.wait()
        server.stdout.close()
    assert iphone.receive(push("Slow"))["extension"]["run"]["end"] == "unreachable"
