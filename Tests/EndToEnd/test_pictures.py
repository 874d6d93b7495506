"""Pictures of what the user sees, rendered by librsvg and by Chromium."""

import json
import shutil
import subprocess
from xml.etree import ElementTree

import pytest

from gateway import pushcote

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
