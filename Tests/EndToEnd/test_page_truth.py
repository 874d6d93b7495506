"""The page never says what is not so: Live Activities, refusals, totals, what stopped an alert, and what was sent."""

import re

from playwright.sync_api import expect

from activities import T0, phone, state
from admin import own
from browser import drawing

TOPIC = "com.example.app"


def push(gateway, title, device="phone", expect=201, topic=TOPIC, **aps):
    body = {"aps": {"alert": {"title": title, "body": "It is here."}, "sound": "default", **aps}}
    path = f"/devices/{device}/push?topic={topic}&pushType=alert"
    return gateway.api("POST", path, json=body, expect=expect).get("id")


def test_a_live_activity_that_alerted_is_shown(own, open_tab, phone):
    """A.1: its caption, and its picture at that time."""
    activity = phone.started()
    page = open_tab(own).go("/notifications/latest")
    figure = page.locator("figure.phone")
    expect(figure).to_contain_text("A Live Activity that alerted on the lock screen")
    expect(figure.get_by_role("img")).to_be_visible()
    expect(figure.get_by_role("img")).to_have_attribute("src", drawing("Order 7"))
    phone.push(activity["push"]["token"], "update", T0 + 1, content_state=state(2))
    page = open_tab(own).go("/notifications/latest")
    expect(page.locator("figcaption")).to_have_text("A Live Activity, without an alert")
    expect(page.locator("figure.phone").get_by_role("img")).to_have_attribute("src", drawing("Step 2"))
    page = open_tab(own).go("/notifications/1")
    expect(page.locator("figure.phone").get_by_role("img")).to_have_attribute("src", drawing("Step 1"))


def test_the_question_about_live_activities_is_answered_on_the_devices_page(own, open_tab, phone):
    phone.settings(setting="undecided")
    phone.started()
    page = open_tab(own).go("/devices/phone")
    question = page.locator(".verdict.waiting")
    expect(question).to_contain_text("Allow Live Activities from")
    question.get_by_role("button", name="Allow", exact=True).click()
    expect(question).to_have_count(0)
    settings = own.api("GET", "/devices/phone/apps/com.example.app/live-activities")
    assert settings["setting"] == "allowed"
    # In use, the island is in sight while an alert expands it, then Notification Center.
    own.api("PATCH", "/devices/phone", json={"isLocked": False, "isScreenOn": True})
    screen = page.locator(".screens figure").first.get_by_role("img")
    expect(screen).to_have_attribute("alt", "The screen now: no notifications")
    [activity] = phone.activities()
    phone.push(activity["push"]["token"], "update", T0 + 1, content_state=state(2), alert={"title": "Now", "body": "Go"})
    expect(screen).to_have_attribute("alt", re.compile("The screen now: .*Order 7.*Step 2"))
    expect(screen).to_have_attribute("src", drawing("Dynamic Island, expanded"))
    own.api("POST", "/clock/advance", json={"by": "6s"})
    expect(screen).to_have_attribute("alt", "The screen now: no notifications")


def refuse(gateway, connect):
    answer = connect(gateway).push("ab" * 32, b'{"aps":{"alert":"x"}}', apns_topic=TOPIC, apns_priority="3")
    assert answer.status == 400


def test_refusals_are_counted_and_outlast_accepted_pushes(own, open_tab, connect):
    """A.2: the strip stays after the next accepted request, and a list filtered to another device has none."""
    _, token = own.device("phone")
    refuse(own, connect)
    refuse(own, connect)
    assert connect(own).push(token, b'{"aps":{"alert":"Fine"}}', apns_topic=TOPIC).status == 200
    page = open_tab(own).go("/notifications")
    strip = page.locator(".refusal")
    expect(strip).to_contain_text("BadPriority")
    count, text = strip.get_by_role("link", name="2 refused requests"), strip.locator("span").first
    expect(count).to_be_visible()
    inner, outer = count.bounding_box(), text.bounding_box()
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"], "a long reason must not hide the count"
    refuse(own, connect)
    strip.get_by_role("link", name="3 refused requests").click()
    expect(page.get_by_role("table").locator("tbody tr")).to_have_count(3)
    page.go_back()
    page.get_by_role("button", name="Hide").click()
    expect(strip).to_have_count(0)
    refuse(own, connect)
    expect(strip).to_contain_text("BadPriority")
    page = open_tab(own).go("/notifications?device=phone")
    expect(page.get_by_text("Fine").first).to_be_visible()
    expect(page.get_by_text("1 notification")).to_be_visible()
    expect(page.locator(".refusal")).to_have_count(0)


def test_the_total_is_the_gateways_while_notifications_are_evicted(start_gateway, open_tab):
    """A.3"""
    gateway = start_gateway("inbox.perDevice=5")
    gateway.device("phone")
    page = open_tab(gateway).go("/notifications")
    expect(page.locator(".status")).to_contain_text("live")
    for number in range(12):
        push(gateway, f"Note {number}")
    listed = gateway.api("GET", "/notifications?order=newest")
    expect(page.locator(".tools")).to_contain_text(f"{listed['total']} notifications")
    expect(page.get_by_text(f"{listed['dropped']} older ones were evicted.")).to_be_visible()
    push(gateway, "One more")
    expect(page.get_by_text(f"{listed['dropped'] + 1} older ones were evicted.")).to_be_visible()
    expect(page.locator(".tools")).to_contain_text(f"{listed['total']} notifications")


def test_nothing_is_tinted_when_nothing_stopped_an_alert(own, open_tab):
    """A.4"""
    own.device("phone")
    number = push(own, "Plain")
    page = open_tab(own).go(f"/notifications/{number}")
    expect(page.get_by_text("Nothing stopped it.")).to_be_visible()
    expect(page.locator(".decides")).to_have_count(0)
    passive = push(own, "Soft", **{"interruption-level": "passive"})
    page = open_tab(own).go(f"/notifications/{passive}")
    expect(page.get_by_role("group", name="Outcome")).to_contain_text("Quiet")
    expect(page.get_by_text("Rules, in the order tried")).to_be_visible()
    expect(page.get_by_text("Nothing stopped it.")).to_have_count(0)
    expect(page.locator(".decides")).to_have_count(0)


def test_what_was_sent_stays_beside_the_form(own, open_tab):
    """A.5: after Send the page shows the result, not a preview of a second push."""
    own.device("phone")
    page = open_tab(own).go(f"/send?device=phone&topic={TOPIC}")
    beside = page.get_by_role("region", name="Findings and preview")
    expect(beside).to_contain_text("nothing has been sent")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(beside).to_contain_text("As it arrived on phone")
    expect(beside.get_by_role("img")).to_be_visible()
    expect(beside).not_to_contain_text("nothing has been sent")
    own.api("PATCH", "/devices/phone", json={"isLocked": False})
    push(own, "Another")
    expect(page.locator(".status")).to_contain_text("live")
    expect(beside).to_contain_text("As it arrived on phone")
    page.get_by_label("Payload").fill('{"aps": {"alert": "Changed"}}')
    expect(beside).to_contain_text("nothing has been sent")


def test_a_view_that_could_not_be_loaded_opens_when_the_gateway_is_back(start_gateway, open_tab):
    """A.6: its module was not there, and the browser keeps that; a restart heals it."""
    first = start_gateway()
    tab = open_tab(first, allows=["ERR_", "Failed to load", "Failed to fetch"])
    tab.page.route("**/requests.js", lambda route: route.abort())
    page = tab.go("/notifications")
    expect(page.locator(".status")).to_contain_text("live")
    page.get_by_role("link", name="Requests").click()
    expect(page.get_by_role("alert")).to_contain_text("The gateway is not reachable")
    page.unroute("**/requests.js")
    port = first.admin_address[1]
    first.stop()
    start_gateway(f"listen.admin=127.0.0.1:{port}")
    expect(page.get_by_text("No requests yet")).to_be_visible()


def test_all_views_are_loaded_ahead(own, open_tab):
    """A.6: a view opens although the gateway serves no files any more."""
    tab = open_tab(own, allows=["ERR_", "Failed to load"])
    with tab.page.expect_response(re.compile("setup.js$")), tab.page.expect_response(re.compile("views.js$")):
        page = tab.go("/notifications")
    page.route("**/*.js", lambda route: route.abort())
    page.get_by_role("link", name="Set up a client").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Set up a client")
    expect(page.get_by_text("not reachable")).to_have_count(0)


def test_deleting_asks_first_with_the_count_and_the_focus_on_cancel(own, open_tab):
    """B.9"""
    own.device("phone")
    push(own, "One")
    push(own, "Two")
    page = open_tab(own).go("/notifications")
    expect(page.locator(".tools")).to_contain_text("2 notifications")
    page.keyboard.press("x")
    expect(page.get_by_role("dialog")).to_contain_text("This is final.")
    expect(page.get_by_role("button", name="Delete 2 notifications")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(own.notifications()) == 2
    page.keyboard.press("x")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No pushes yet")).to_be_visible()
    assert own.notifications() == []


def test_the_list_is_one_tab_stop_and_enter_moves_on(own, open_tab):
    """B.9: Enter goes to the notification's heading, Esc back to its row."""
    own.device("phone")
    for number in range(5):
        push(own, f"Note {number}")
    page = open_tab(own).go("/notifications")
    rows = page.get_by_role("list", name="Notifications").get_by_role("link")
    expect(rows).to_have_count(5)
    expect(page.locator("cote-list a[tabindex='0']")).to_have_count(1)
    rows.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("h2.headline")).to_be_focused()
    page.keyboard.press("Escape")
    expect(rows.first).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("cote-list a:focus")).to_have_count(0)


def test_a_long_title_leaves_room_for_the_rest(own, open_tab):
    """A.7"""
    own.device("phone")
    number = push(own, "A very long title " * 24)
    page = open_tab(own, width=390).go(f"/notifications/{number}")
    expect(page.get_by_role("group", name="Outcome")).to_be_in_viewport()
    assert page.locator("h2.headline").bounding_box()["height"] < 100


def test_a_failed_extension_is_marked(own, open_tab):
    """A.4, A.8: on its tab and in it; its run in words, with units and without empty members."""
    own.api("PUT", f"/apps/{TOPIC}", json={"extension": {"kind": "process", "command": ["false"]}})
    own.device("phone")
    number = push(own, "Note", **{"mutable-content": 1})
    own.wait(state="delivered")
    page = open_tab(own).go(f"/notifications/{number}/extension")
    expect(page.get_by_role("navigation", name="About this notification")).to_contain_text("✕")
    expect(page.locator(".tab")).to_contain_text("Failed")
    expect(page.locator(".tab .facts")).to_contain_text("New process")
    expect(page.locator(".tab .facts")).not_to_contain_text("Is new process")
    assert all(page.locator(".tab dl.facts dd").all_inner_texts())
    page.get_by_role("region", name="Notification", exact=True).get_by_role("link", name="Timeline").click()
    expect(page.get_by_role("table", name="Timeline")).to_contain_text("Extension started")


FACES = {
    "voip": (".voip", {"aps": {}}, "woken for a call", "must report a call"),
    "pushtotalk": (".voip-ptt", {"aps": {}}, "lets people talk", "says who speaks"),
    "widgets": (".push-type.widgets", {"aps": {"content-changed": True}}, "widgets changed", "Widgets are reloaded"),
    "controls": (".push-type.controls", {"aps": {"content-changed": True}}, "control changed", "control is reloaded"),
    "complication": (".complication", {"aps": {}}, "watch face changed", "complication is updated"),
    "fileprovider": (".pushkit.fileprovider", {"aps": {}}, "files may have changed", "enumerator is signalled"),
    "location": (".location-query", {"aps": {}}, "reports the location", "asked for the location"),
    "mdm": (None, {"mdm": "x"}, "the device asks its server", "polls the MDM server"),
    "background": ("", {"aps": {"content-available": 1}}, "ran in the background", "The app is woken, 1 of 3 this hour."),
}


def test_each_push_type_has_a_face_and_a_sentence(own, open_tab):
    """A.1"""
    own.device("phone")
    page = open_tab(own).page
    for kind, (suffix, body, caption, why) in FACES.items():
        topic = "com.apple.mgmt.External.a" if suffix is None else TOPIC + suffix
        number = own.api("POST", f"/devices/phone/push?topic={topic}&pushType={kind}", json=body)["id"]
        page.goto("http://%s:%d/notifications/%d" % (*own.admin_address, number))
        expect(page.locator("figcaption")).to_contain_text(caption)
        expect(page.get_by_role("group", name="Outcome")).to_contain_text(why)
    second = own.api("POST", f"/devices/phone/push?topic={TOPIC}&pushType=background", json=FACES["background"][1])["id"]
    assert own.api("GET", f"/notifications/{second}")["why"] == "The app is woken, 2 of 3 this hour."


def test_an_incoming_call_is_drawn_and_a_waiting_push_says_for_what(own, open_tab):
    """A.1"""
    own.api("PUT", f"/apps/{TOPIC}", json={"pushkit": {"voip": True}})
    own.device("phone")
    own.api("POST", f"/devices/phone/apps/{TOPIC}/replies", json={"voip": {"handle": "+1555"}})
    own.api("POST", f"/devices/phone/push?topic={TOPIC}.voip&pushType=voip", json={"aps": {}})
    page = open_tab(own).go("/notifications/latest")
    expect(page.locator("figcaption")).to_have_text("An incoming call")
    expect(page.locator("figure.phone").get_by_role("img")).to_have_attribute("src", drawing("+1555"))
    own.api("PATCH", "/devices/phone", json={"isOnline": False})
    number = push(own, "Later")
    page = open_tab(own).go(f"/notifications/{number}")
    outcome = page.get_by_role("group", name="Outcome")
    expect(outcome).to_have_text(re.compile(r"Waits until the device is online; expires \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$"))
    expect(page.locator("figcaption")).to_have_text("Nothing is shown while it waits")


def test_a_live_activity_s_sentence_has_neither_ids_nor_codes(own, phone):
    """A.1"""
    phone.started()
    why = own.api("GET", "/notifications/latest")["why"]
    assert why.startswith("Started the Live Activity, with an alert: ") and "on the lock screen" in why
    assert not re.search(r"[0-9A-F]{8}-|lockScreen", why)


def test_rows_are_marked_by_severity(own, open_tab):
    """A.4: hints have no mark; errors, warnings and a crashed extension have different ones."""
    own.api("PUT", f"/apps/{TOPIC}", json={"extension": {"kind": "process", "command": ["false"]}})
    own.device("phone")
    push(own, "A hint.")
    push(own, "An error", badge="many")
    push(own, "Crash", **{"mutable-content": 1})
    own.wait(state="delivered", text="Crash")
    page = open_tab(own).go("/notifications")
    row = lambda text: page.get_by_role("listitem").filter(has_text=text)
    expect(row("An error").locator(".findings.error")).to_have_text(re.compile("✕ 1"))
    expect(row("A hint.").locator(".findings")).to_have_count(0)
    assert own.notifications(text="A hint.")[0]["gravestFinding"] == "info"
    expect(row("Crash")).to_contain_text("✕ extension")
    expect(row("An error")).not_to_contain_text("extension")


def test_sources_are_words_and_links(own, open_tab):
    """A.8: no numbers of the project's own."""
    own.device("phone")
    number = push(own, "Level", **{"interruption-level": "loud"})
    page = open_tab(own).go(f"/notifications/{number}")
    expect(page.locator(".finding", has_text="unknown level")).to_be_visible()
    for details in page.locator(".trace details.others summary").all():
        details.evaluate("summary => summary.parentNode.open = true")
    sources = page.locator(".side .source").all_inner_texts()
    assert len(sources) > 10
    assert not [one for one in sources if re.search(r"\b(S\d|X\d|[A-Z]\.\d)|doc:|; |· *$", one)]
    link = page.locator(".side .source a", has_text="WWDC21 10091").first
    assert link.get_attribute("href") == "https://developer.apple.com/videos/play/wwdc2021/10091/"


def test_all_views_are_reachable_on_a_narrow_screen(own, open_tab):
    """B.9"""
    own.device("phone")
    page = open_tab(own, width=390, height=844).go("/notifications")
    expect(page.locator(".status")).to_contain_text("live")
    views = page.get_by_role("navigation", name="Views").get_by_role("link")
    page.get_by_role("button", name="Views").click()
    words = views.all_inner_texts()
    assert len(words) == 15
    for word in words:
        link = page.get_by_role("navigation", name="Views").get_by_role("link", name=word, exact=True)
        expect(link).to_be_in_viewport(ratio=1)
        link.click()
        expect(link).to_have_attribute("aria-current", "page")
        expect(views).to_have_count(1)
        page.get_by_role("button", name="Views").click()


TERMS = re.compile("CarPlay|VoIP|StandBy")
RAW = re.compile(r"[a-z][A-Z]|\b(Http|Alpn|Urls?|Ids?|Apns|Voip|Mdm|Pings|Nse|Ptt|P2s|Liveactivity|Pushtostart|[Gg]o away)\b")
MARK = re.compile(r"(^|· )(design|gk|LA|AK|DISP|PAY|GOC|OS|HA|HER|W2\d\w+|F\d{6}s?)( ·|$)")


def test_names_of_members_are_in_words(phone, open_tab):
    """A.8, in each view that shows members, after the demonstration, a Live Activity and a push that is refused."""
    gateway, activity = phone.gateway, phone.started()
    phone.push(activity["push"]["token"], "update", T0 - 50, content_state=state(2))
    dropped = phone.last()["id"]
    gateway.api("POST", "/demo", json={})
    gateway.api("POST", "/webhooks", json={"name": "hook", "url": "http://127.0.0.1:9/"})
    [secret] = gateway.notifications(text="Five minutes")
    refused = gateway.api("GET", "/requests/latest", params={"source": "provider", "where": "status>=400"})
    tab = open_tab(gateway)
    for address, words in {
        "/connections/1": "Offered ALPN", "/connections": "Protocol", f"/requests/{refused['number']}": "authentication",
        "/devices/phone": "Push to Start", f"/apps/{TOPIC}": "Bundle ID", "/webhooks/hook": "URL", "/send": "Collapse ID",
        f"/notifications/{dropped}": "The device drops it", f"/notifications/{secret['id']}": "Nothing stopped it",
        f"/notifications/{dropped}/timeline": "Reason: Timestamp older", "/lint": "Says",
        f"/notifications/{secret['id']}/timeline": "Peak memory: ", f"/notifications/{secret['id']}/payload": "Body",
        f"/notifications/{secret['id']}/extension": " ms"}.items():
        page = tab.go(address)
        expect(page.locator("main")).to_contain_text(words)
        labels = page.locator("main :is(dt, th, .stage, .answer, .field, .list .soft:has(bdi))").all_inner_texts()
        raw = [label for label in labels if RAW.search(TERMS.sub("", label)) and ":" not in label and "." not in label]
        assert not raw, (address, raw)
        marked = [text for text in page.locator("main .source").all_text_contents() if MARK.search(text)]
        assert not marked, (address, marked)
