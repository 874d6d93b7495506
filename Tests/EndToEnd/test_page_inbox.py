"""The inbox and a notification in a browser: the empty inbox, filters, clearing and actions."""

import re

import pytest
from playwright.sync_api import expect

TOPIC = "com.example.app"


@pytest.fixture
def own(start_gateway):
    """A gateway used by one test only, with one device."""
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


def test_the_empty_inbox_sends_a_sample(own, open_tab):
    page = open_tab(own).go("/notifications")
    page.get_by_role("button", name="Send a sample push").click()
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()
    expect(page).to_have_url(re.compile("/notifications/1$"))


def test_filters_match_the_apis(own, open_tab):
    own.device("other")
    push(own, "Here")
    push(own, "There", device="other")
    own.api("PATCH", "/devices/other", json={"isOnline": False})
    push(own, "Later", device="other")
    page = open_tab(own).go("/notifications?device=other&state=stored")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Waiting")
    expect(page.get_by_label("Device")).to_have_value("other")
    page.get_by_role("button", name="State: stored").click()
    page.get_by_label("Outcome").select_option("Waiting")
    expect(page).to_have_url(re.compile(r"\?device=other&outcome=waiting$|\?outcome=waiting&device=other$"))
    expect(rows(page)).to_have_count(1)
    own.api("PATCH", "/devices/other", json={"isOnline": True})
    expect(page.get_by_text("Nothing fits")).to_be_visible()
    page.get_by_role("link", name="Show all notifications").click()
    expect(rows(page)).to_have_count(3)


def test_filters_without_a_field_are_handed_on(own, open_tab):
    for title in ("Order 7", "Order 8", "News"):
        push(own, title)
    page = open_tab(own).go("/notifications?where=title%3D~Order&where=title!%3DOrder%207")
    expect(rows(page)).to_have_count(1)
    expect(rows(page)).to_contain_text("Order 8")
    push(own, "More News")
    push(own, "Order 9")
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Where: title=~Order,title!=Order 7").click()
    expect(rows(page)).to_have_count(5)
    expect(page).to_have_url(re.compile("/notifications$"))


@pytest.mark.parametrize("address", ["/notifications?wher=x", "/requests?wher=x", "/devices?wher=x", "/notifications/latest?wher=x"])
def test_an_unknown_filter_is_reported(own, open_tab, address):
    push(own, "Note")
    page = open_tab(own, allows=["400 (Bad Request)"]).go(address)
    expect(page.get_by_text("The query parameter 'wher' is unknown.").first).to_be_visible()


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


def test_the_navigation_scrolls_to_the_current_view(own, open_tab):
    page = open_tab(own, width=360, height=640).go("/setup")
    current = page.get_by_role("navigation", name="Views").get_by_role("link", name="Set up a client")
    expect(current).to_have_attribute("aria-current", "page")
    expect(current).to_be_in_viewport(ratio=0.9)
    page.keyboard.press("g")
    page.keyboard.press("i")
    expect(page.get_by_role("navigation", name="Views").get_by_role("link", name="Inbox")).to_be_in_viewport(ratio=0.9)


def test_an_act_appears_in_the_timeline(own, open_tab):
    number = push(own, "Tap me")
    page = open_tab(own).go(f"/notifications/{number}")
    page.get_by_role("button", name="Tap").click()
    expect(page.get_by_role("table", name="Timeline")).to_contain_text("Response")


def test_a_row_without_title_and_text_has_its_subtitle_or_is_a_push(own, open_tab):
    for aps in ({"alert": {"subtitle": "At the door"}}, {"sound": "default"}):
        own.api("POST", f"/devices/phone/push?topic={TOPIC}", json={"aps": aps})
    page = open_tab(own).go("/notifications")
    expect(rows(page)).to_have_text([re.compile("^Push"), re.compile("^At the door")])
