"""The inbox and a notification in a browser: the empty inbox, filters, clearing and actions."""

import re

import pytest
from playwright.sync_api import expect

from channels import create, manager
from test_page import STREAM

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
    expect(page.locator(".status")).to_contain_text("live")
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


class Hold:
    """Takes the answer to the next call that matches, and gives it to the page only on `release`."""

    def __init__(self, page, pattern):
        self.page, self.pattern, self.taken = page, re.compile(pattern), None
        page.route(self.pattern, self._take, times=1)

    def _take(self, route):
        self.taken = (route, route.fetch())

    def wait(self):
        while not self.taken:
            self.page.evaluate("0")

    def release(self):
        route, answer = self.taken
        with self.page.expect_response(self.pattern):
            route.fulfill(response=answer)
        self.page.evaluate("fetch('/api/v1/clock').then((answer) => answer.text())")


def online(gateway, device, is_online):
    gateway.api("PATCH", f"/devices/{device}", json={"isOnline": is_online})


def open_inbox(tab):
    page = tab.go("/notifications")
    expect(page.locator(".status")).to_contain_text("live")
    return page


def test_a_change_of_a_row_that_is_not_loaded_opens_no_gap(own, open_tab):
    own.device("away")
    online(own, "away", False)
    push(own, "Old", device="away")
    push(own, "Note", 250)
    page = open_inbox(open_tab(own))
    expect(page.get_by_text("251 notifications")).to_be_visible()
    online(own, "away", True)
    push(own, "New")
    expect(rows(page).first).to_contain_text("New")
    expect(page.get_by_text("252 notifications")).to_be_visible()
    for count in (201, 252):
        expect(page.locator(f"cote-list li[aria-setsize='{count}']").first).to_be_attached()
        page.locator("cote-list").evaluate("list => { list.scrollTop = list.scrollHeight; }")
    expect(page.locator("cote-list li[aria-posinset='251']")).to_contain_text("Note 0")
    expect(page.locator("cote-list li[aria-posinset='252']")).to_contain_text("Old")
    expect(page.locator("cote-list li[aria-posinset='252']")).to_contain_text("Alerted")


@pytest.mark.parametrize("device, count, newest", [("other", 200, "Note 199"), ("phone", 10, "Old 9")])
def test_removed_rows_need_not_be_loaded(own, open_tab, device, count, newest):
    own.device("other")
    push(own, "Old", 10, device="other")
    push(own, "Note", 200)
    page = open_inbox(open_tab(own))
    expect(page.get_by_text("210 notifications")).to_be_visible()
    own.api("DELETE", f"/notifications?device={device}")
    expect(page.get_by_text(f"{count} notifications")).to_be_visible()
    expect(rows(page).first).to_contain_text(newest)


def test_an_older_list_does_not_undo_what_the_stream_told(own, open_tab):
    push(own, "First")
    online(own, "phone", False)
    push(own, "Later")
    tab = open_tab(own)
    hold = Hold(tab.page, r"/notifications\?order=newest")
    page = open_inbox(tab)
    hold.wait()
    online(own, "phone", True)
    expect(rows(page)).to_have_count(1)
    hold.release()
    expect(rows(page)).to_have_count(2)
    expect(rows(page).first).to_contain_text("Alerted")


def test_an_older_answer_does_not_replace_a_newer_one(own, open_tab):
    online(own, "phone", False)
    number = push(own, "Later")
    tab = open_tab(own)
    page = tab.go(f"/notifications/{number}/timeline")
    expect(page.get_by_role("group", name="Outcome")).to_contain_text("Waiting")
    expect(page.locator(".status")).to_contain_text("live")
    hold = Hold(page, rf"/api/v1/notifications/{number}$")
    online(own, "phone", True)
    hold.wait()
    own.api("POST", "/devices/phone/actions", json={"action": "tap", "notification": number})
    timeline = page.get_by_role("table", name="Timeline")
    expect(timeline).to_contain_text("Response")
    hold.release()
    expect(timeline).to_contain_text("Response")


def test_an_accepted_request_for_channels_is_not_shown_as_refused(own, open_tab):
    create(manager(own))
    page = open_tab(own).go("/requests/1")
    expect(page.locator(".verdict.alerted .status-code.good")).to_have_text("201")
    with page.expect_response(re.compile(r"/api/v1/requests\?order=newest")):
        page.get_by_role("navigation", name="Views").get_by_role("link", name="Inbox").click()
    expect(page.locator(".refusal")).to_have_count(0)


MESSAGES = """([row, count]) => {
  const list = document.querySelector("cote-list"), { set } = list;
  window.sets = 0;
  list.set = (rows) => {
    window.sets++;
    set.call(list, rows);
  };
  for (let number = 1; number <= count; number++) {
    const data = { rows: [{ ...row, id: row.id + number }], added: 1, changed: 0, skipped: 0 };
    stream.acts.notifications({ data: JSON.stringify(data), lastEventId: "" });
  }
}"""


def test_the_messages_of_a_frame_are_sorted_once(own, open_tab):
    """B.10"""
    push(own, "Tea")
    tab = open_tab(own)
    tab.page.add_init_script(STREAM)
    page = tab.go("/notifications")
    row = page.locator("cote-list li")
    expect(row).to_have_count(1)
    page.evaluate(MESSAGES, [own.notifications()[0], 60])
    expect(row.first).to_have_attribute("aria-setsize", "61")
    # One for all messages, others for the answers about the total.
    assert page.evaluate("window.sets") <= 4
