"""The inbox and a notification in a browser: what arrives, what the keys do, and that hostile texts stay text."""

import json
import re

import pytest
from playwright.sync_api import expect

TOPIC = "com.example.app"


@pytest.fixture
def own(start_gateway):
    """A gateway whose inbox no other test fills, with one device."""
    gateway = start_gateway()
    gateway.device("phone")
    return gateway


def push(gateway, title, count=1, device="phone", **aps):
    for number in range(count):
        name = title if count == 1 else f"{title} {number}"
        body = {"aps": {"alert": {"title": name, "body": "It is here."}, "sound": "default", **aps}}
        made = gateway.api("POST", f"/devices/{device}/push?topic={TOPIC}&pushType=alert", json=body)
    return made["id"]


def rows(page):
    return page.get_by_role("list", name="Notifications").get_by_role("link")


def tab_link(page, word):
    return page.get_by_role("navigation", name="About this notification").get_by_role("link", name=word, exact=True)


def test_a_push_becomes_a_row_without_a_reload(own, open_tab):
    page = open_tab(own).go("/")
    expect(page).to_have_url(re.compile("/notifications$"))
    expect(page.get_by_text("No pushes yet")).to_be_visible()
    expect(page.locator(".status")).to_have_text("live")
    push(own, "Parcel")
    expect(rows(page)).to_have_count(1)
    expect(rows(page).first).to_contain_text("Parcel")
    expect(rows(page).first).to_contain_text("Alerted")
    expect(page.get_by_text("No pushes yet")).to_be_hidden()


def test_the_empty_inbox_sends_a_sample(own, open_tab):
    page = open_tab(own).go("/notifications")
    page.get_by_role("button", name="Send a sample push").click()
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()
    expect(page).to_have_url(re.compile("/notifications/1$"))


def test_rows_that_arrive_above_wait_for_the_reader(own, open_tab):
    push(own, "Old", 30)
    page = open_tab(own).go("/notifications")
    expect(rows(page).first).to_contain_text("Old 29")
    page.locator("cote-list").evaluate("list => list.scrollTop = 680")
    expect(page.get_by_role("link", name=re.compile("Old 19 "))).to_be_in_viewport()
    push(own, "New", 3)
    above = page.get_by_role("button", name="↑ 3 new")
    expect(above).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Old 19 "))).to_be_in_viewport()
    above.click()
    expect(rows(page).first).to_contain_text("New 2")
    expect(above).to_be_hidden()


def test_keys_go_through_notifications_and_tabs(own, open_tab):
    push(own, "Note", 3)
    page = open_tab(own).go("/notifications")
    expect(rows(page)).to_have_count(3)
    for key, name in [("j", "Note 2"), ("j", "Note 1"), ("ArrowDown", "Note 0"), ("k", "Note 1")]:
        page.keyboard.press(key)
        expect(page.get_by_role("heading", name=name)).to_be_visible()
    for key, word in zip("123456", ["Why", "What if", "Payload", "Request", "Extension", "Timeline"]):
        page.keyboard.press(key)
        expect(tab_link(page, word)).to_have_attribute("aria-current", "true")
    page.go_back()
    expect(tab_link(page, "Extension")).to_have_attribute("aria-current", "true")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("/notifications$"))
    page.keyboard.press("/")
    page.keyboard.type("Note 1")
    expect(rows(page)).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?text=Note\+1$"))


def test_filters_are_the_apis(own, open_tab):
    own.device("other")
    push(own, "Here")
    push(own, "There", device="other")
    own.api("PATCH", "/devices/other", json={"isOnline": False})
    push(own, "Later", device="other")
    page = open_tab(own).go("/notifications?device=other&state=stored")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Waiting")
    expect(page.get_by_label("Device")).to_have_value("other")
    own.api("PATCH", "/devices/other", json={"isOnline": True})
    expect(page.get_by_text("Nothing fits")).to_be_visible()
    page.get_by_role("link", name="Show all notifications").click()
    expect(rows(page)).to_have_count(3)


def test_latest_leads_to_the_newest_that_fits(own, open_tab):
    number = push(own, "First")
    own.device("other")
    push(own, "Second", device="other")
    page = open_tab(own).go("/notifications/latest?device=phone")
    expect(page.get_by_role("heading", name="First")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"/notifications/{number}\?device=phone$"))


def test_a_notification_that_is_gone_is_told(own, open_tab):
    page = open_tab(own, allows=["404"]).go("/notifications/99")
    expect(page.get_by_role("heading", name="No notification 99")).to_be_visible()
    expect(page.get_by_text("it may have been cleared")).to_be_visible()


def test_clearing_asks_first(own, open_tab):
    push(own, "Note", 2)
    page = open_tab(own).go("/notifications")
    expect(rows(page)).to_have_count(2)
    page.keyboard.press("x")
    page.get_by_role("button", name="Cancel").click()
    assert len(own.notifications()) == 2
    page.keyboard.press("x")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No pushes yet")).to_be_visible()
    assert own.notifications() == []


def test_an_act_is_in_the_timeline(own, open_tab):
    number = push(own, "Tap me")
    page = open_tab(own).go(f"/notifications/{number}")
    page.get_by_role("button", name="Tap").click()
    expect(page.locator(".timeline")).to_contain_text("response")


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>\u202egnp.exe \u0007" + "x" * 3000


def test_hostile_texts_stay_text(own, open_tab):
    payload = json.dumps({"aps": {"alert": {"title": HOSTILE, "body": HOSTILE}, "category": HOSTILE}, HOSTILE: HOSTILE})
    for device in ("phone", "<b>bold"):
        path = f"/devices/{'%3Cb%3Ebold' if '<' in device else device}/push?topic={TOPIC}&pushType=alert"
        own.api("POST", path, content=payload)
    tab = open_tab(own)
    for name in ("", "/what-if", "/payload", "/request", "/extension", "/timeline"):
        page = tab.go(f"/notifications/2{name}")
        expect(page.get_by_role("heading", name="<img src=x")).to_be_visible()
        assert page.locator("script").count() == 1 and page.locator("bdi *, code img, img[src=x]").count() == 0
