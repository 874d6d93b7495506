"""The page's other views: they show the gateway's data, and their controls work."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from activities import Phone, state, T0
from admin import own
from day import monday
from provider import Provider

TOPIC = "com.example.app"


def heading(page):
    return page.locator("main h1")


def row(page, text):
    return page.locator("main tbody tr", has_text=text)


# MARK: - Requests


def test_the_request_log_explains_a_reason(own, open_tab):
    device, token = own.device("alice")
    with Provider.to(own) as provider:
        provider.push(token)
        provider.push(token, apns_priority="7")
    own.api("POST", f"/devices/{device}/push", params={"topic": TOPIC}, json={"aps": {"alert": "by hand"}})
    [refused] = own.api("GET", "/requests", params={"reason": "BadPriority"})["requests"]

    page = open_tab(own).go("/requests")
    expect(page.locator("main tbody tr")).to_have_count(2)
    line = row(page, "BadPriority")
    expect(line).to_contain_text(refused["diagnosis"]["message"])
    page.get_by_label("From").select_option("all requests")
    expect(page.locator("main tbody tr")).to_have_count(3)
    expect(page).to_have_url(re.compile(r"/requests\?source=all$"))

    line.get_by_role("link").first.click()
    expect(heading(page)).to_have_text(f"Request {refused['number']}")
    expect(heading(page)).to_be_focused()
    expect(page.locator("main")).to_contain_text(refused["diagnosis"]["message"])
    expect(page.locator("dl.facts").last).to_contain_text("apns-priority")
    page.get_by_role("link", name=re.compile("^no. ")).click()
    expect(heading(page)).to_have_text(f"Connection {refused['connection']}")


def test_filters_of_the_request_log_are_the_address(own, open_tab):
    _, token = own.device()
    with Provider.to(own) as provider:
        provider.push(token)
        provider.push(token, apns_priority="7")
        provider.push("xyz")
    page = open_tab(own).go("/requests?reason=BadPriority")
    expect(page.locator("main tbody tr")).to_have_count(1)
    expect(page.get_by_label("Reason")).to_have_value("BadPriority")
    page.get_by_label("Reason").fill("")
    page.get_by_label("Answer").select_option("200")
    expect(row(page, "200")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/requests\?status=200$"))
    page.reload()
    expect(page.locator("main tbody tr")).to_have_count(1)


def test_a_rejected_request_appears_without_reload(own, open_tab):
    _, token = own.device()
    page = open_tab(own).go("/requests")
    expect(page.get_by_text("No requests yet")).to_be_visible()
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    with Provider.to(own) as provider:
        provider.push(token, apns_priority="7")
        expect(row(page, "BadPriority")).to_be_visible()


def test_an_evicted_request_is_explained(own, open_tab):
    page = open_tab(own, allows=["404"]).go("/requests/999")
    expect(page.get_by_role("alert")).to_have_text(
        own.api("GET", "/requests/999", expect=404)["error"])


# MARK: - Devices


def test_devices_are_found_by_name_prefix(own, open_tab):
    for number in range(105):
        own.api("PUT", f"/devices/ci-{number:03}", json={})
    own.api("PUT", "/devices/alice", json={"registrations": [{"topic": TOPIC}]})
    page = open_tab(own).go("/devices")
    expect(page.locator("main tbody tr")).to_have_count(100)
    page.get_by_role("button", name="Show more").click()
    expect(page.locator("main tbody tr")).to_have_count(106)
    page.get_by_label("Name begins with").fill("al")
    expect(page.locator("main tbody tr")).to_have_count(1)
    expect(row(page, "alice")).to_contain_text(TOPIC)
    expect(page).to_have_url(re.compile(r"/devices\?prefix=al$"))
    page.get_by_role("link", name="alice").click()
    expect(heading(page)).to_have_text("alice")


def is_drawn(image):
    """Not with `decode()`, which fails when the page replaces the picture meanwhile."""
    expect(image).not_to_have_js_property("naturalWidth", 0)
    return image.evaluate("image => image.naturalWidth > 100")


def test_a_device_shows_its_screen_and_accepts_changes(monday, open_tab):
    page = open_tab(monday).go("/devices/alice")
    drawings = page.locator("figure.phone img")
    expect(drawings).to_have_count(2)
    expect(drawings.first).to_have_attribute("alt", re.compile("Salary, Your salary has arrived."))
    for drawing in drawings.all():
        assert is_drawn(drawing)

    page.get_by_label("Focus").select_option("Work")
    page.get_by_label("Ring switch").select_option("silent")
    # The page sends changes one after another, so the last answer follows all of them.
    with page.expect_response(lambda answer: answer.request.post_data == '{"isOnline":false}'):
        page.get_by_label("Online", exact=True).uncheck()
    expect(page.get_by_text("curl -X PATCH")).to_contain_text('{"isOnline":false}')
    expect(page.get_by_label("Online", exact=True)).not_to_be_checked()
    known = monday.api("GET", "/devices/alice")
    assert (known["focus"]["active"], known["ringSwitch"], known["isOnline"]) == ("work", "silent", False)


def test_acts_of_a_person_on_a_device(monday, open_tab):
    page = open_tab(monday).go("/devices/alice")
    page.get_by_role("button", name="Leave on").click()
    expect(page.get_by_role("button", name="Leave on")).to_have_count(0)
    page.get_by_role("button", name="Unlock").click()
    expect(page.get_by_role("button", name="Lock", exact=True)).to_be_visible()
    expect(page.get_by_label("Locked", exact=True)).not_to_be_checked()
    page.get_by_role("button", name="Open com.example.bank").click()
    expect(page.get_by_label("App in front")).to_have_value("com.example.bank")
    page.get_by_role("button", name="Clear Notification Center").click()
    expect(page.locator("figure.phone img").last).to_have_attribute("alt", re.compile("no notifications"))
    assert monday.api("GET", "/devices/alice/screen")["notificationCenter"] == []


def test_a_button_keeps_its_click_while_the_page_changes(own, open_tab):
    own.device("alice")
    page = open_tab(own).go("/devices/alice")
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    page.get_by_role("button", name="Unlock").hover()
    page.mouse.down()
    own.api("PATCH", "/devices/alice", json={"isOnline": False})
    expect(page.get_by_label("Online", exact=True)).not_to_be_checked()
    page.mouse.up()
    expect(page.get_by_role("button", name="Lock", exact=True)).to_be_visible()


def test_a_rejected_act_shows_the_error_beside_it(monday, open_tab):
    tab = open_tab(monday, allows=["409", "ERR_", "Failed to load"])
    # Without the stream, the page still offers what the device rejects since it is off.
    tab.page.route("**/events/stream*", lambda route: route.abort())
    page = tab.go("/devices/alice")
    expect(page.get_by_role("button", name="Restart")).to_be_visible()
    monday.api("PATCH", "/devices/alice", json={"isPoweredOn": False})
    page.get_by_role("button", name="Restart").click()
    sentence = monday.api("POST", "/devices/alice/actions", expect=409, json={"action": "restart"})["error"]
    expect(page.get_by_role("alert")).to_have_text(sentence)


def test_a_devices_page_updates_live(monday, open_tab):
    page = open_tab(monday).go("/devices/bob")
    expect(page.get_by_label("Online", exact=True)).not_to_be_checked()
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    monday.api("PATCH", "/devices/bob", json={"isOnline": True})
    expect(page.get_by_label("Online", exact=True)).to_be_checked()
    expect(page.locator("figure.phone img").first).to_have_attribute("alt", re.compile("着いたら電話してください。"))


def test_the_day_of_a_device(monday, open_tab):
    page = open_tab(monday).go("/devices/alice")
    plot = page.get_by_role("group", name="The day as a plot").locator("img")
    expect(plot).to_have_attribute("alt", re.compile("The day 2032-11-22 of alice"))
    assert is_drawn(plot)
    page.get_by_text("pushes as a list").click()
    expect(row(page, "Evening edition")).to_contain_text("13:20")
    page.get_by_role("button", name="Day before").click()
    expect(page).to_have_url(re.compile(r"\?date=2032-11-21$"))
    expect(page.get_by_text("0 pushes as a list")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Day", exact=True)).to_have_value("2032-11-21")


def test_the_day_opens_on_the_day_of_the_newest_push(monday, open_tab):
    monday.api("POST", "/clock/advance", json={"by": "PT72H"})
    page = open_tab(monday).go("/devices/alice")
    expect(page.get_by_label("Day", exact=True)).to_have_value("2032-11-22")
    marks = page.locator(".marks a")
    expect(marks).to_have_count(9)
    salary = monday.notifications(text="Salary")[0]["id"]
    marks.and_(page.locator(f'[href="/notifications/{salary}"]')).click()
    expect(page.get_by_role("heading", name="Salary")).to_be_visible()


def test_prompts_are_on_the_screen(monday, open_tab):
    [prompt] = monday.api("GET", "/devices/alice/screen")["prompts"]
    assert "Cote Bank" in prompt["text"]
    page = open_tab(monday).go("/devices/alice")
    expect(page.get_by_text(prompt["text"])).to_be_visible()
    drawn = monday.admin.get("/api/v1/devices/alice/screen.svg?form=lockScreen").text
    assert ">Turn off<" in drawn and ">Leave on<" in drawn


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_live_activities_of_a_device(own, open_tab, connect, scheme):
    phone = Phone(own, connect)
    token = phone.started()["push"]["token"]
    tab = open_tab(own, scheme=scheme)
    page = tab.go("/devices/phone")
    activities = page.get_by_role("table", name="Live Activities")
    expect(activities).to_contain_text("Order 7")
    expect(activities).to_contain_text("Step 1")
    expect(activities).to_contain_text("Active")
    phone.push(token, "update", T0 - 1, content_state=state(2))
    expect(activities).to_contain_text("Update dropped: Timestamp older")
    phone.push(token, "update", T0 + 1, content_state=state(3))
    expect(activities).to_contain_text("Step 3")
    expect(activities).to_contain_text("Update applied")
    assert tab.axe() == []
    phone.advance(by="8h")
    expect(activities).to_contain_text("Ended")
    tab.go("/notifications")
    expect(page.get_by_role("link", name="Live Activity push")).to_have_count(2)


def test_a_deleted_device_is_explained(own, open_tab):
    page = open_tab(own, allows=["404"]).go("/devices/nobody")
    expect(page.get_by_role("alert")).to_have_text(own.api("GET", "/devices/nobody", expect=404)["error"])
    expect(page.get_by_label("Focus")).to_be_hidden()


# MARK: - Lint, hygiene, clock, faults, connections, set up


def test_lint_lists_its_rules(own, open_tab):
    rules = own.api("GET", "/lint")["rules"]
    page = open_tab(own).go("/lint")
    expect(page.locator("main tbody tr")).to_have_count(len(rules))
    expect(row(page, "payload.json").get_by_role("link", name="WWDC21 10091")).to_be_visible()
    for source in page.locator("[data-head=Source]").all_inner_texts():
        assert not re.search(r"\b(S\d|X\d|[A-Z]\.\d)|doc:|; |· *$", source), source


def test_hygiene_links_to_the_request(own, open_tab):
    page = open_tab(own).go("/hygiene")
    expect(page.get_by_text("No findings")).to_be_visible()
    _, token = own.device()
    with Provider.to(own) as provider:
        provider.push(token, b'{"aps":{"alert":"Hi"}}', apns_push_type="background", user_agent="hasty/1")
    page = open_tab(own).go("/hygiene")
    habit = page.locator("main").get_by_text("hasty/1").first
    expect(page.locator(".finding").first).to_contain_text("hygiene.priority.background")
    expect(habit).to_contain_text("1 time")
    page.get_by_role("link", name="request 1").first.click()
    expect(heading(page)).to_have_text("Request 1")


def test_the_clock_stops_and_resumes(own, open_tab):
    own.api("PUT", "/devices/alice", json={
        "focus": {"modes": [{"id": "work", "name": "Work", "schedule": [
            {"days": "everyDay", "from": "09:00", "to": "17:00"}]}]}})
    page = open_tab(own, allows=["400"]).go("/clock")
    page.get_by_role("button", name="Stop the clock").click()
    expect(page.get_by_text("The clock is stopped")).to_be_visible()
    due = own.api("GET", "/clock")["nextDue"]
    page.get_by_role("button", name="To the next event").click()
    expect(page.locator("p.big time")).to_have_attribute("datetime", due)
    expect(page.get_by_text("due on 1 device.")).to_be_visible()
    assert own.api("GET", "/clock")["now"] == due

    page.get_by_label("Move on by").fill("soon")
    page.get_by_role("button", name="Move on").click()
    expect(page.get_by_role("alert")).to_contain_text("'by'")
    expect(page.get_by_label("Move on by")).to_have_value("soon")
    page.get_by_label("Move on by").fill("90s")
    page.get_by_role("button", name="Move on").click()
    expect(page.get_by_label("Move on by")).to_have_value("")
    expect(page.locator("p.big time")).not_to_have_attribute("datetime", due)
    page.get_by_role("button", name="Reset to real time").click()
    expect(page.get_by_text("The clock follows real time.")).to_be_visible()


def test_a_fault_starts_counts_and_stops(own, open_tab):
    _, token = own.device("alice")
    page = open_tab(own).go("/faults")
    expect(page.get_by_text("No fault is active")).to_be_visible()
    page.get_by_label("Only for device").fill("alice")
    page.get_by_label("Times", exact=True).fill("1")
    page.get_by_role("button", name="Start unknown-reason").click()
    running = page.get_by_role("table", name="Rules")
    expect(running).to_contain_text('"device":"alice"')
    [rule] = own.api("GET", "/faults")["faults"]
    assert (rule["name"], rule["match"]["device"], rule["count"]) == ("unknown-reason", "alice", 1)
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    with Provider.to(own) as provider:
        assert {provider.push(token).status for _ in range(2)} == {200, 400}
    expect(running).to_contain_text("1 of 2 matched, at most 1")
    page.get_by_role("button", name="Stop unknown-reason").click()
    expect(page.get_by_text("No fault is active")).to_be_visible()
    assert own.api("GET", "/faults")["faults"] == []


def test_connections_describe_their_client(own, open_tab):
    _, token = own.device()
    with Provider.to(own) as provider:
        provider.push(token)
        page = open_tab(own).go("/connections")
        line = row(page, "HTTP/2")
        expect(line).to_contain_text("TLSv1.3")
        expect(line).to_contain_text("open")
        line.get_by_role("link").first.click()
        expect(heading(page)).to_have_text(re.compile(r"Connection \d+"))
        expect(page.locator("main")).to_contain_text(own.key_id)
        page.get_by_role("link", name="Its requests").click()
        expect(page.locator("main tbody tr")).to_have_count(1)
        expect(page).to_have_url(re.compile(r"/requests\?connection=\d+$"))


def test_snippets_have_this_gateways_addresses(own, open_tab):
    page = open_tab(own).go("/setup/pushy")
    lines = page.locator("section.lines")
    expect(lines.locator("code").first).to_contain_text(str(own.provider[1]))
    expect(lines).to_contain_text(str(own.ca))
    page.get_by_role("link", name="curl", exact=True).click()
    expect(page).to_have_url(re.compile("/setup/curl$"))
    expect(lines.locator("code").first).to_contain_text("--cacert")
    expect(page.get_by_role("link", name="curl", exact=True)).to_have_attribute("aria-current", "true")


# MARK: - Texts of others


def test_hostile_texts_are_escaped(own, open_tab):
    markup = "<img src=x onerror=alert(1)>"
    name = f"{markup}\u202e"
    own.api("PUT", f"/apps/{TOPIC}", json={"displayName": markup})
    own.api("PUT", f"/devices/{quote(name)}", json={"registrations": [{"topic": TOPIC}]})
    own.api("POST", f"/devices/{quote(name)}/push", params={"topic": TOPIC}, json={"aps": {"alert": markup}})
    own.api("POST", "/faults", json={"name": markup, "effect": {"delay": "1ms"}})
    with Provider.to(own, topic=markup) as provider:
        provider.push("<i>" + "ab" * 32)
    [refused] = own.api("GET", "/requests", params={"status": 400})["requests"]
    tab = open_tab(own)
    for address in ("/requests", f"/requests/{refused['number']}", "/devices", f"/devices/{name}", "/faults",
                    f"/send?device={name}&topic={TOPIC}"):
        page = tab.go(quote(address, safe="/?=&"))
        expect(page.locator("main").get_by_text(markup).first).to_be_visible()
        assert page.locator("script").count() == 1, address
        assert page.locator("main :is(i, b), main img[src=x]").count() == 0, address
    expect(tab.go("/devices").get_by_role("link", name=name)).to_be_visible()
