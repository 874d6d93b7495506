"""The page in a real browser: every view, addresses, hostile texts, login, and live updates."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import day
from browser import Tab
from provider import Provider

VIEWS = [
    "/notifications", "/notifications/{id}", "/notifications/{id}/what-if", "/notifications/{id}/payload",
    "/notifications/{id}/request", "/notifications/{id}/extension", "/notifications/{id}/timeline", "/notifications/{id}/copy",
    "/notifications?device=alice", "/notifications?text=nowhere", "/requests", "/requests/1", "/devices",
    "/devices/alice", "/apps", "/channels", "/webhooks", "/recordings",
    "/send", "/lint", "/hygiene", "/clock", "/faults", "/connections", "/setup", "/setup/aioapns",
]


@pytest.fixture(scope="module")
def filled(make_gateway):
    """A gateway at the end of the day of day.py, for tests that do not change it."""
    gateway = make_gateway()
    gateway.day = day.fill(gateway)
    return gateway


def row(page, text):
    return page.get_by_role("listitem").filter(has_text=text).get_by_role("link")


@pytest.fixture(scope="module")
def shared_tab(chromium, filled):
    """A tab for all views: each new one starts a process."""
    context = chromium.new_context(reduced_motion="reduce")
    yield Tab(context, filled, allows=())
    context.close()


@pytest.fixture
def viewer(shared_tab):
    yield shared_tab
    # Also after a failure, so that the next view does not fail for it.
    complaints, shared_tab.complaints = shared_tab.complaints, []
    assert complaints == []


@pytest.mark.parametrize("view", VIEWS)
def test_axe_and_the_browser_report_no_problems(filled, viewer, view):
    address = view.format(id=filled.day.ids["The oven is still on."])
    viewer.page.set_viewport_size({"width": 1280, "height": 800})
    # The other rules look at no colours.
    for scheme, rules in [("light", []), ("dark", ["color-contrast"])]:
        viewer.page.emulate_media(color_scheme=scheme)
        page = viewer.go(address)
        expect(page.locator("h1")).to_have_count(1)
        expect(page.locator(".status")).to_contain_text("live")
        for width, height in [(1280, 800), (390, 844)]:
            page.set_viewport_size({"width": width, "height": height})
            assert viewer.axe(*rules) == [], (address, scheme, width)
            # Also without scrolling inside the view.
            overflow = page.locator("html, main, .page, .detail").evaluate_all(
                "parts => Math.max(...parts.map((part) => part.scrollWidth - part.clientWidth))")
            assert overflow <= 0, f"{address} scrolls sideways by {overflow} at {width}"
        page.set_viewport_size({"width": 1280, "height": 800})
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0, f"{address} scrolls twice"


@pytest.mark.parametrize("tab, shown", [
    ("", "Rules, in the order tried"), ("/what-if", "As it was"), ("/payload", "time-sensitive"),
    ("/request", "apns-id"), ("/extension", "No service extension"), ("/timeline", "Silenced by focus")])
def test_a_notification_opens_at_the_address_of_its_tab(filled, open_tab, tab, shown):
    number = filled.day.ids["The oven is still on."]
    page = open_tab(filled).go(f"/notifications/{number}{tab}")
    detail = page.get_by_role("region", name="Notification", exact=True)
    expect(detail.get_by_text(shown).first).to_be_visible()
    expect(detail.get_by_role("group", name="Outcome")).to_contain_text("silenced by the Focus Work")
    picture = detail.get_by_role("img").first
    expect(picture).not_to_have_js_property("naturalWidth", 0)


def test_filters_and_the_open_notification_survive_back_forward_and_reload(filled, open_tab):
    page = open_tab(filled).go("/notifications?device=alice")
    expect(row(page, "Salary")).to_be_visible()
    expect(row(page, "山田")).to_have_count(0)
    row(page, "Salary").click()
    number = filled.day.ids["Salary"]
    expect(page).to_have_url(re.compile(rf"/notifications/{number}\?device=alice$"))
    page.get_by_role("link", name="Payload").click()
    expect(page).to_have_url(re.compile(rf"/notifications/{number}/payload\?device=alice$"))
    page.go_back()
    page.go_back()
    expect(page).to_have_url(re.compile(r"/notifications\?device=alice$"))
    page.go_forward()
    page.reload()
    expect(page.get_by_role("heading", name="Salary")).to_be_visible()
    expect(row(page, "山田")).to_have_count(0)


def test_latest_is_the_newest_that_matches(filled, open_tab):
    page = open_tab(filled).go("/notifications/latest?device=alice")
    expect(page).to_have_url(re.compile(rf"/notifications/{filled.day.ids['Salary']}\?device=alice$"))


def test_what_if_shows_a_preview_without_a_push(filled, open_tab):
    before = filled.api("GET", "/info")["counts"]
    page = open_tab(filled).go(f"/notifications/{filled.day.ids['The oven is still on.']}/what-if")
    table = page.get_by_role("table")
    expect(table.get_by_role("row", name=re.compile("Without the Focus"))).to_contain_text("Alerted")
    expect(table.get_by_role("row", name=re.compile("As it was"))).to_contain_text("silenced by the Focus Work")
    assert filled.api("GET", "/info")["counts"] == before


def test_keys_navigate_the_list_and_the_tabs(filled, open_tab):
    page = open_tab(filled).go("/notifications?device=alice")
    expect(row(page, "Salary")).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="Salary")).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="The oven is still on.")).to_be_visible()
    page.keyboard.press("k")
    expect(page.get_by_role("heading", name="Salary")).to_be_visible()
    page.keyboard.press("3")
    expect(page).to_have_url(re.compile("/payload"))
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r"/notifications\?device=alice$"))
    page.keyboard.press("g")
    page.keyboard.press("d")
    expect(page).to_have_url(re.compile("/devices$"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def test_an_unknown_notification_is_explained(filled, open_tab):
    page = open_tab(filled, allows=["404"]).go("/notifications/999999")
    expect(page.get_by_role("heading", name="No notification 999999")).to_be_visible()
    expect(page.get_by_text("it may have been cleared")).to_be_visible()


def test_hostile_texts_are_escaped(start_gateway, open_tab):
    gateway = start_gateway()
    device, numbers = day.hostile(gateway)
    tab = open_tab(gateway, allows=["400"])
    tab.page.on("dialog", lambda dialog: tab.complaints.append(f"a dialog: {dialog.message}"))
    page = tab.go("/send")
    scripts = page.locator("script").count()
    addresses = [f"/notifications/{number}{part}" for number in numbers for part in ["", "/payload", "/request"]]
    for address in [*addresses, f"/devices/{device}", "/devices", f"/notifications?text={quote(day.HOSTILE[0])}"]:
        tab.go(address)
        expect(page.locator("h1")).to_have_count(1)
        expect(page.locator(".status")).to_contain_text("live")
        assert page.locator("script").count() == scripts, address
        assert page.locator("img[onerror], img[src='x'], svg[onload]").count() == 0, address
        assert page.title() != "owned", address
    expect(page.get_by_text("<script>").first).to_be_visible()


def test_pushes_appear_and_cleared_notifications_disappear_without_reload(start_gateway, open_tab):
    gateway = start_gateway()
    page = open_tab(gateway).go("/")
    expect(page.get_by_role("heading", name="No pushes yet")).to_be_visible()
    expect(page.locator(".status")).to_contain_text("live")
    name, token = gateway.device()
    with Provider.to(gateway) as provider:
        assert provider.push(token).status == 200
    expect(row(page, "Tea")).to_contain_text("Alerted")
    gateway.api("PATCH", f"/devices/{name}", json={"isOnline": False})
    gateway.api("POST", f"/devices/{name}/push", params={"topic": "com.example.app"}, json={"aps": {"alert": "Later"}})
    expect(row(page, "Later")).to_contain_text("Waiting")
    gateway.api("PATCH", f"/devices/{name}", json={"isOnline": True})
    expect(row(page, "Later")).to_contain_text("Alerted")
    gateway.api("DELETE", "/notifications")
    expect(row(page, "Tea")).to_have_count(0)
    expect(row(page, "Later")).to_have_count(0)


def test_three_thousand_pushes_show_few_rows_and_the_exact_total(start_gateway, open_tab):
    gateway = start_gateway("inbox.perDevice=5000")
    _, token = gateway.device()
    page = open_tab(gateway).go("/notifications")
    expect(page.locator(".status")).to_contain_text("live")
    with Provider.to(gateway) as provider:
        provider.push_hundreds(token, 30)
    expect(page.get_by_text("3,001 notifications")).to_be_visible()
    assert page.locator("cote-list li").count() < 40
    # Rows that the stream skipped are loaded a second later, and the list becomes longer.
    page.wait_for_function("""() => {
        const list = document.querySelector("cote-list");
        list.scrollTop = list.scrollHeight;
        return list.querySelector("li[aria-posinset='3001']");
    }""")


def test_new_rows_are_held_while_the_reader_has_scrolled(start_gateway, open_tab):
    gateway = start_gateway()
    name, _ = gateway.device()

    def push(text):
        gateway.api(
            "POST", f"/devices/{name}/push", params={"topic": "com.example.app"}, json={"aps": {"alert": text}})

    for number in range(60):
        push(f"Push {number:02}")
    page = open_tab(gateway).go("/notifications")
    expect(page.locator(".status")).to_contain_text("live")
    expect(row(page, "Push 59")).to_be_visible()
    page.locator("cote-list").evaluate("list => { list.scrollTop = 20 * 68; }")
    expect(row(page, "Push 39")).to_be_in_viewport()
    before = row(page, "Push 39").bounding_box()
    push("A new one")
    pill = page.get_by_role("button", name="1 new")
    expect(pill).to_be_visible()
    assert row(page, "Push 39").bounding_box() == before
    pill.click()
    expect(row(page, "A new one")).to_be_in_viewport()


def test_the_page_reconnects_after_a_restart_without_loss(start_gateway, open_tab):
    gateway = start_gateway()
    port = gateway.admin_address[1]
    page = open_tab(gateway, allows=["ERR_", "Failed to load"]).go("/notifications")
    expect(page.locator(".status")).to_contain_text("live")
    gateway.stop()
    expect(page.locator(".status")).not_to_contain_text("live")
    again = start_gateway(f"listen.admin=127.0.0.1:{port}")
    name, _ = again.device()
    again.api("POST", f"/devices/{name}/push", params={"topic": "com.example.app"}, json={"aps": {"alert": "Meanwhile"}})
    expect(row(page, "Meanwhile")).to_be_visible()
    expect(page.locator(".status")).to_contain_text("live")


def test_another_tab_takes_over_the_stream_without_a_gap(start_gateway, open_tab):
    gateway = start_gateway()
    name, _ = gateway.device()
    tab = open_tab(gateway)
    pages = [tab.go("/notifications")] + [tab.page.context.new_page() for _ in range(4)]
    for page in pages:
        page.goto(tab.base + "/notifications")
        expect(page.locator(".status")).to_contain_text("live")
    pages[0].close()
    gateway.api("POST", f"/devices/{name}/push", params={"topic": "com.example.app"}, json={"aps": {"alert": "Taken"}})
    for page in pages[1:]:
        expect(row(page, "Taken")).to_be_visible()


def test_a_tab_without_a_stream_has_the_clock_of_now(start_gateway, open_tab):
    gateway = start_gateway()
    name, _ = gateway.device()
    tab = open_tab(gateway)
    for page in [tab.page] + [tab.page.context.new_page() for _ in range(3)]:
        page.goto(tab.base + "/notifications")
        expect(page.locator(".status")).to_contain_text("live")
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    expect(tab.page.locator(".clock")).to_contain_text("stopped at")
    fifth = tab.page.context.new_page()
    fifth.goto(tab.base + "/notifications")
    expect(fifth.locator(".status")).to_contain_text("live")
    gateway.api("POST", f"/devices/{name}/push", params={"topic": "com.example.app"}, json={"aps": {"alert": "Told"}})
    expect(row(fifth, "Told")).to_be_visible()
    expect(fifth.locator(".clock")).to_contain_text("stopped at")


STREAM = """
window.EventSource = class {
  acts = {};
  constructor() { window.stream = this; setTimeout(() => this.onopen()); }
  addEventListener(kind, act) { this.acts[kind] = act; }
  close() {}
};
"""


def test_the_clock_is_right_after_a_gap(start_gateway, open_tab):
    gateway = start_gateway()
    tab = open_tab(gateway)
    tab.page.add_init_script(STREAM)
    page = tab.go("/notifications")
    expect(page.locator(".status")).to_contain_text("live")
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    page.evaluate("stream.acts.gap({ data: '{}', lastEventId: '' })")
    expect(page.locator(".clock")).to_contain_text("stopped at")


def test_a_browser_without_locks_has_its_own_stream(start_gateway, open_tab):
    tab = open_tab(start_gateway())
    tab.page.add_init_script(
        "Object.defineProperty(navigator, 'locks', { value: undefined }); delete window.BroadcastChannel;")
    expect(tab.go("/notifications").locator(".status")).to_contain_text("live")


def test_the_page_asks_for_the_token_and_opens_a_session(start_gateway, open_tab):
    gateway = start_gateway("admin.token=correct-horse")
    tab = open_tab(gateway, allows=["401"])
    page = tab.go("/notifications")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Admin token").fill("wrong")
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog.get_by_role("status")).not_to_contain_text("It is ")
    dialog.get_by_label("Admin token").fill("correct-horse")
    dialog.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="No pushes yet")).to_be_visible()
    expect(page.locator(".status")).to_contain_text("live")
    [cookie] = page.context.cookies()
    assert cookie["name"] == f"pushcote_{gateway.admin_address[1]}"
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and "correct-horse" not in cookie["value"]
