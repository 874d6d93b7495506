"""The page's views of apps, channels, webhooks, recordings, tokens, suggestions and the calendar."""

import re
import subprocess

import pytest
from playwright.sync_api import expect

from activities import T0, phone, state
from admin import own
from browser import drawing
from provider import Provider
from test_extensions import script
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
    for text in ("Kitchen", TOPIC, "Time Sensitive", "TEA", "Brewing"):
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


def test_a_notification_is_drawn_in_all_forms(own, open_tab):
    own.device("phone")
    number = push(own, "Tea")
    page = open_tab(own).go(f"/notifications/{number}")
    forms = page.get_by_role("group", name="Drawn as")
    image = page.locator("figure.phone img")
    titles = {"Banner": "A banner over an app", "Expanded": "A notification, expanded", "Center": "Notification Center",
              "Watch": "Watch", "CarPlay": "CarPlay banner", "Icon": "Home screen icon", "Lock screen": "Lock screen"}
    for name, title in titles.items():
        forms.get_by_role("button", name=name).click()
        expect(image).to_have_attribute("src", drawing(f"<title>{title}</title>"))
        expect(forms.locator("[aria-pressed=true]")).to_have_text(name)


def test_a_live_activity_is_drawn_in_all_forms(open_tab, phone):
    phone.started()
    page = open_tab(phone.gateway).go("/notifications/latest")
    forms = page.get_by_role("group", name="Drawn as")
    for name, title in {"Compact": "Dynamic Island", "StandBy": "StandBy", "Lock screen": "Live Activity"}.items():
        forms.get_by_role("button", name=name).click()
        expect(page.locator("figure.phone img")).to_have_attribute("src", drawing(f"<title>{title}</title>"))


def test_what_if_is_a_gallery_with_rows_of_one_s_own(own, open_tab):
    own.device("phone")
    number = push(own, "Tea")
    tab = open_tab(own, allows=["400"])
    page = check(tab, f"/notifications/{number}/what-if")
    rows = page.get_by_role("table", name="What if").locator("tbody tr")
    expect(rows.filter(has_text="In Do Not Disturb").get_by_role("img")).to_be_visible()
    # Nothing differs, so there is nothing to compare.
    expect(rows.filter(has_text="Ring switch on silent").get_by_role("img")).to_have_count(0)
    page.get_by_label("Your own conditions").fill("isLocked=false, isScreenOn=true, settings.alertStyle=none")
    page.get_by_role("button", name="Add a row").click()
    yours = rows.filter(has_text="Yours")
    expect(yours).to_contain_text("in Notification Center")
    address = page.url
    page = tab.go("/lint")
    page.goto(address)
    expect(yours).to_contain_text("settings.alertStyle=none")
    expect(page.get_by_text("1 notification", exact=True)).to_be_visible()
    page.get_by_label("Your own conditions").fill("ringSwitch=loud")
    page.get_by_role("button", name="Add a row").click()
    expect(page.locator(".tab").get_by_role("alert")).to_contain_text("ringSwitch")
    assert len(own.notifications()) == 1


@pytest.mark.parametrize("path", ["__proto__.method", "constructor.prototype.method"])
def test_conditions_in_a_link_change_no_other_request(own, open_tab, path):
    own.device("phone")
    number = push(own, "Tea")
    page = open_tab(own, allows=["400"]).go(f"/notifications/{number}/what-if?if={path}=DELETE")
    answered = page.get_by_role("table", name="What if").or_(page.locator(".tab").get_by_role("alert"))
    expect(answered.first).to_be_visible()
    assert page.evaluate("() => ({}).method ?? null") is None
    page.get_by_role("link", name="Devices").click()
    expect(page.get_by_role("link", name="phone").first).to_be_visible()
    assert own.api("GET", "/devices/phone")["name"] == "phone"


def test_an_extension_shows_the_phone_before_and_after(own, open_tab, tmp_path):
    own.api("PUT", f"/apps/{TOPIC}", json={"extension": script(tmp_path, "say(type='content', id=message['id'], "
        "content={'title': 'Decrypted', 'body': 'Now readable'})")})
    own.device("phone")
    own.api("POST", f"/devices/phone/push?topic={TOPIC}&pushType=alert", json={
        "aps": {"alert": {"title": "Sealed", "body": "…"}, "mutable-content": 1}})
    own.wait(state="delivered")
    page = open_tab(own).go("/notifications/latest/extension")
    pictures = page.locator(".tab figure img")
    expect(pictures).to_have_count(2)
    for picture, title in zip(pictures.all(), ("Sealed", "Decrypted")):
        expect(picture).to_have_attribute("src", drawing(f">{title}<"))


def test_the_timeline_has_a_row_for_each_push(own, open_tab):
    own.api("PUT", "/clock", json={"mode": "manual", "now": "2032-11-22T08:00:00Z"})
    for name in ("phone", "tablet"):
        own.device(name)
    push(own, "First")
    own.api("PATCH", "/devices/tablet", json={"isOnline": False})
    push(own, "Second", device="tablet")
    own.api("POST", "/clock/advance", json={"by": "90s"})
    own.api("PATCH", "/devices/tablet", json={"isOnline": True})
    push(own, "Third")
    tab = open_tab(own)
    page = check(tab, "/timeline")
    rows = page.locator("ol.timeline li")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="Second")).to_contain_text("08:00:00.000, shown after 1.5 min")
    # The gateway answers at the time of the request, so both are one mark at the start.
    for track in page.locator(".track").all():
        start, way = (track.locator(part).bounding_box() for part in (".request", ".way"))
        assert start["x"] == way["x"] and 0 < start["width"] <= 2 < way["width"]
    for _ in range(2):
        page.get_by_role("button", name="‹ (earlier)").click()
    expect(rows.filter(has_text="Third")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/timeline\?from=2032-11-22T"))
    page.reload()
    expect(rows.filter(has_text="Third")).to_have_count(0)
    page.get_by_role("button", name="All").click()
    page.get_by_role("button", name="+ (zoom in)").click()
    expect(rows).to_have_count(1)
    rows.get_by_role("link", name="Second").click()
    expect(page.get_by_role("heading", name="Second")).to_be_visible()


def test_a_waiting_push_has_not_been_shown_on_the_timeline(own, open_tab):
    own.device("phone")
    own.api("PATCH", "/devices/phone", json={"isOnline": False})
    push(own, "Tea")
    page = open_tab(own).go("/timeline")
    expect(page.locator("ol.timeline li")).to_have_text(re.compile(r"\d, waiting$"))


def test_the_empty_page_plays_the_demo(own, open_tab):
    page = open_tab(own).go("/notifications")
    page.get_by_role("button", name="Play the demo").click()
    expect(page.get_by_text("10 notifications")).to_be_visible()
    expect(page.get_by_role("link", name="Dinner at eight?")).to_be_visible()
    expect(page.locator(".refusal")).to_contain_text("Refused")
    expect(page.locator(".clock")).to_have_text("real time")
    now = own.api("GET", "/clock")["now"]
    times = page.locator("time").evaluate_all("times => times.map((one) => one.dateTime)")
    assert len(times) > 5 and max(times) < now


def test_a_speaker_of_push_to_talk_is_drawn(own, open_tab):
    own.api("PUT", f"/apps/{TOPIC}", json={"ptt": True})
    own.device("phone")
    own.api("POST", "/devices/phone/actions", json={"action": "open", "app": TOPIC})
    own.api("PATCH", f"/devices/phone/apps/{TOPIC}/services", json={"channel": "crew"})
    own.api("POST", f"/devices/phone/apps/{TOPIC}/replies", json={"pushtotalk": {"name": "Alice"}})
    own.api("POST", f"/devices/phone/push?topic={TOPIC}.voip-ptt&pushType=pushtotalk", json={"aps": {}})
    page = open_tab(own).go("/notifications/latest")
    expect(page.locator("figcaption")).to_have_text("Push to Talk: who speaks")
    expect(page.locator("figure.phone img")).to_have_attribute("src", drawing(">Alice<"))
    own.api("POST", f"/devices/phone/apps/{TOPIC}/replies", json={"pushtotalk": {"reply": "error"}})
    own.api("POST", f"/devices/phone/push?topic={TOPIC}.voip-ptt&pushType=pushtotalk", json={"aps": {}})
    page = open_tab(own).go("/notifications/latest")
    expect(page.locator("figcaption")).to_contain_text("Nothing is shown")
    expect(page.locator("figure.phone img")).to_have_attribute("src", drawing("<title>Lock screen</title>"))
    expect(page.locator("figure.phone img")).not_to_have_attribute("src", drawing(">Alice<"))
