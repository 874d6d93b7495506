"""The page's views of apps, channels, webhooks, recordings, tokens, suggestions and the calendar; copies of a push."""

import re
import shutil
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from activities import T0, phone, state
from admin import own
from provider import Provider
from test_calendar import OUT, donate as reservation
from test_donations import define, donate, weather, WEATHER

TOPIC = "com.example.app"


def push(gateway, title, device="phone"):
    body = {"aps": {"alert": {"title": title, "body": "It's \"here\" \\ ü"}}}
    return gateway.api("POST", f"/devices/{device}/push?topic={TOPIC}&pushType=alert", json=body)["id"]


def check(tab, address):
    """Shows a view in both widths: axe finds nothing, and it does not scroll sideways."""
    page = tab.go(address)
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator(".status")).to_contain_text("live")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert tab.axe() == [], (address, width)
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    return page


def test_an_unknown_address_is_the_pages_own_404(own, open_tab):
    tab = open_tab(own, allows=["404"])
    page = tab.page
    assert page.goto(tab.base + "/notification/5").status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing here")
    page.get_by_role("link", name="To the inbox").click()
    expect(page).to_have_url(re.compile("/notifications$"))


def test_an_app_says_what_it_may_do(own, open_tab):
    own.api("PUT", f"/apps/{TOPIC}", json={
        "displayName": "Kitchen", "entitlements": ["com.apple.developer.usernotifications.time-sensitive"],
        "extension": {"kind": "process", "command": ["./decrypt"]},
        "categories": [{"identifier": "TEA", "actions": [{"identifier": "POUR", "title": "Pour"}]}],
        "liveActivities": {"types": [{"name": "Brewing", "attributes": {"tea": "String"}, "contentState": {"step": "Int"}}]}})
    tab = open_tab(own)
    page = check(tab, "/apps")
    row = page.locator("main tbody tr")
    for text in ("Kitchen", TOPIC, "Time sensitive", "TEA", "Brewing"):
        expect(row).to_contain_text(text)
    row.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"App {TOPIC}")
    page = check(tab, f"/apps/{TOPIC}")
    for text in ("./decrypt", "Pour", "tea: String", "step: Int", "Settings on a new device"):
        expect(page.locator("main")).to_contain_text(text)


def test_without_apps_channels_and_webhooks_the_page_says_how_to_make_them(own, open_tab):
    tab = open_tab(own)
    for address, title in [("/apps", "No apps yet"), ("/channels", "No channels yet"), ("/webhooks", "No webhooks yet")]:
        page = check(tab, address)
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        command = page.locator("main pre").inner_text()
        assert subprocess.run(["sh", "-c", command.replace("curl", "curl -sf", 1)]).returncode == 0, command
        page.reload()
        expect(page.locator("main tbody tr")).to_have_count(1)


def test_a_webhook_says_why_it_did_not_deliver(own, open_tab):
    own.device("phone")
    own.api("POST", "/webhooks", json={"name": "hook", "url": "http://127.0.0.1:9/events", "device": "phone"})
    push(own, "Tea")
    tab = open_tab(own)
    page = check(tab, "/webhooks")
    expect(page.locator("main tbody tr")).to_contain_text("connection refused")
    page.get_by_role("link", name="hook", exact=True).click()
    expect(page.locator("main .strip")).to_contain_text("connection refused")
    check(tab, "/webhooks/hook")


def test_a_run_is_recorded_saved_and_opened(own, open_tab, tmp_path):
    _, token = own.device("phone")
    tab = open_tab(own)
    page = check(tab, "/recordings")
    page.get_by_role("button", name="Record from now on").click()
    save = page.get_by_role("link", name="Save the run so far")
    expect(save).to_be_visible()
    with Provider.to(own) as provider:
        provider.push(token)
        provider.push(token, apns_priority="7")
    with page.expect_download() as download:
        save.click()
    download.value.save_as(tmp_path / "run.json")
    page.get_by_role("button", name="Stop…").click()
    page.keyboard.press("Enter")
    assert own.api("GET", "/recordings")["recordings"] != []
    page.get_by_role("button", name="Stop…").click()
    page.get_by_role("button", name="Stop and delete it").click()
    expect(page.get_by_role("button", name="Record from now on")).to_be_visible()
    page.locator("input[type=file]").set_input_files(tmp_path / "run.json")
    table = page.get_by_role("table", name="Requests in the recording")
    expect(table.locator("tbody tr")).to_have_count(2)
    expect(table).to_contain_text("BadPriority")
    (tmp_path / "other.json").write_text('{"aps": {}}')
    page.locator("input[type=file]").set_input_files(tmp_path / "other.json")
    expect(page.get_by_role("alert")).to_contain_text("other.json is not a recording")


def test_each_update_of_a_live_activity_says_why_it_was_dropped(open_tab, phone):
    activity = phone.started()
    phone.push(activity["push"]["token"], "update", T0 - 50, content_state=state(2))
    page = check(open_tab(phone.gateway), "/devices/phone")
    expect(page.get_by_role("table", name="Live Activities")).to_contain_text("Update dropped: Timestamp older")
    page = open_tab(phone.gateway).go("/notifications/latest/what-if")
    expect(page.locator(".tab")).to_contain_text("Not simulated")
    expect(page.locator(".tab table")).to_have_count(0)


def test_a_device_shows_suggestions_calendar_and_tokens(own, open_tab):
    own.api("PUT", "/clock", json={"mode": "manual", "now": "2031-01-16T07:00:00Z"})
    own.api("PUT", "/devices/phone", json={})
    _, token = own.device("phone")
    define(own, WEATHER, "CheckWeatherIntent", {"location": "String"}, "location")
    donate(own, weather("cupertino"))
    reservation(own, OUT)
    reason = own.api("GET", "/devices/phone/suggestions")["keys"][0]["reason"]
    page = check(open_tab(own), "/devices/phone")
    expect(page.get_by_role("table", name="Donations")).to_contain_text(reason)
    expect(page.get_by_role("table", name="Calendar")).to_contain_text("Flight: XX815")
    expect(page.get_by_role("table", name="Tokens")).to_contain_text(token)


def test_a_device_that_is_off_offers_no_acts(own, open_tab):
    own.device("phone")
    page = open_tab(own).go("/devices/phone")
    expect(page.get_by_role("button", name="Unlock")).to_be_visible()
    page.get_by_label("Powered on").uncheck()
    expect(page.get_by_text("The device is off")).to_be_visible()
    for name in ("Unlock", "Restart", "Open", "Terminate"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    page.get_by_label("Powered on").check()
    expect(page.get_by_role("button", name="Unlock")).to_be_visible()


def copied(page, title):
    return page.locator(f".tab h3:text-is('{title}') + .code code").inner_text()


def test_the_provider_s_request_can_be_pasted(own, open_tab):
    own.device("phone")
    number = push(own, "Tea")
    tab = open_tab(own)
    command = copied(check(tab, f"/notifications/{number}/copy"), "As the provider, with curl")
    assert "$(pushcote token)" in command
    command = command.replace("$(pushcote token)", own.bearer).replace("curl", "curl -sf", 1)
    assert subprocess.run(["sh", "-c", command]).returncode == 0, command
    assert own.api("GET", f"/notifications/{number + 1}")["request"]["payload"]["aps"]["alert"]["title"] == "Tea"


RUNNERS = {
    "Python": ("test_push.py", [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_push.py"]),
    "JavaScript": ("push.test.mjs", ["node", "--test", "push.test.mjs"]),
    "Go": ("push_test.go", ["go", "test", "push_test.go"]),
}


@pytest.mark.parametrize("language", RUNNERS)
def test_a_copied_test_passes_and_fails_when_the_outcome_is_another(own, open_tab, tmp_path, language):
    name, command = RUNNERS[language]
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    own.device("phone")
    number = push(own, "Tea")
    page = open_tab(own).go(f"/notifications/{number}/copy")
    (tmp_path / name).write_text(copied(page, f"A test in {language}"))
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert len(own.notifications()) == 2
    own.api("PATCH", "/devices/phone", json={"focus": {"modes": [{"id": "work", "name": "Work"}], "active": "work"}})
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode != 0 and "silenced by the Focus Work" in run.stdout + run.stderr


def test_a_wide_window_is_used_and_the_snippet_is_on_top(own, open_tab):
    page = open_tab(own, width=1920, height=1000).go("/setup")
    code = page.locator("section.lines pre").first
    expect(code).to_be_in_viewport()
    assert code.bounding_box()["y"] < page.locator("nav.clients").bounding_box()["y"]
    assert page.locator(".page").bounding_box()["width"] > 1500


COUNT = """() => {
  const list = document.querySelector("cote-list"), render = list.render;
  let now = 0;
  window.most = window.all = 0;
  list.render = (row) => {
    window.most = Math.max(window.most, ++now);
    window.all++;
    return render(row);
  };
  const frame = () => {
    now = 0;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


def test_a_frame_renders_only_rows_in_sight(start_gateway, open_tab):
    gateway = start_gateway("inbox.perDevice=5000")
    _, token = gateway.device()
    page = open_tab(gateway).go("/notifications")
    expect(page.locator(".status")).to_contain_text("live")
    page.evaluate(COUNT)
    with Provider.to(gateway) as provider:
        provider.push_hundreds(token, 20)
    expect(page.get_by_text("2,001 notifications")).to_be_visible()
    most, rendered = page.evaluate("[window.most, window.all]")
    # 800 pixels hold ten rows; four more wait below.
    assert 0 < most <= 20 and rendered < 1000, (most, rendered)
