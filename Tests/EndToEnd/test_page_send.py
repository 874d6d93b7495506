"""The page's form for a push: lint and preview while it is written, and what is sent."""

import json
import re

from playwright.sync_api import expect

from admin import own
from day import monday

TOPIC = "com.example.app"


def test_a_written_push_is_linted_and_sent(monday, open_tab):
    page = open_tab(monday).go("/send?device=alice&topic=com.example.bank")
    page.get_by_label("Template").select_option("Time Sensitive")
    preview = page.get_by_role("region", name="Findings and preview")
    expect(preview).to_contain_text("Alerted")
    expect(preview).to_contain_text("The courier is near")
    page.get_by_label("Topic").fill("com.example.oven")
    expect(preview).to_contain_text("level.ts.noEntitlement")
    assert len(monday.notifications(device="alice", topic="com.example.bank")) == 2, "a preview sent something"

    page.get_by_label("Payload").fill('{"aps": {"alert": {"title": "From the page", "body": "It is here."}}}')
    page.get_by_label("Payload").press("Control+Enter")
    page.get_by_role("status").get_by_role("link").click()
    expect(page.locator("h2.headline")).to_have_text("From the page")
    [sent] = monday.notifications(device="alice", text="From the page")
    assert (sent["device"], sent["topic"], sent["pushType"]) == ("alice", "com.example.oven", "alert")
    page.go_back()
    expect(page.get_by_label("Payload")).to_have_value(re.compile("From the page"))


def test_a_form_can_be_filled_in_before_the_devices_are_known(own, open_tab):
    own.device("alice")
    page = open_tab(own).go("/notifications")
    waiting = []
    page.route(re.compile(r"/api/v1/devices\?"), lambda route: waiting.append(route))
    with page.expect_request(re.compile(r"/api/v1/devices\?")):
        page.get_by_role("link", name="Send").click()
    page.get_by_label("Payload").fill('{"aps": {"alert": "Typed at once"}}')
    page.get_by_label("Topic").fill("com.example.typed")
    expect(page.get_by_label("Push type")).to_have_value("alert")
    expect(page.get_by_label("Priority")).to_have_value("10")
    for route in waiting:
        route.continue_()
    expect(page.get_by_label("Device")).to_have_value("alice")
    expect(page.get_by_label("Topic")).to_have_value("com.example.typed")
    expect(page.get_by_label("Payload")).to_have_value(re.compile("Typed at once"))


def test_a_rejected_push_stays_in_the_form(own, open_tab):
    own.device("alice")
    page = open_tab(own, allows=["413", "400"]).go(f"/send?device=alice&topic={TOPIC}")
    large = json.dumps({"aps": {"alert": "x" * 5000}})
    page.get_by_label("Payload").fill(large)
    page.get_by_role("button", name="Send").click()
    sentence = own.api(
        "POST", "/devices/alice/push", params={"topic": TOPIC, "pushType": "alert"}, content=large, expect=413)["error"]
    expect(page.get_by_role("status").get_by_role("alert")).to_have_text(sentence)
    expect(page.get_by_label("Payload")).to_have_value(large)
    expect(page.get_by_text(f"{len(large):,} bytes")).to_be_visible()

    page.get_by_label("Payload").fill('{"aps": ')
    expect(page.get_by_role("region", name="Findings and preview")).to_contain_text("payload.json")


def test_a_notification_and_a_file_can_be_sent_again(monday, open_tab, tmp_path):
    [sent] = monday.notifications(text="New sign-in")
    page = open_tab(monday).go(f"/send?from={sent['id']}")
    expect(page.get_by_label("Device")).to_have_value("alice")
    expect(page.get_by_label("Topic")).to_have_value("com.example.bank")
    expect(page.get_by_label("Payload")).to_have_value(re.compile('\n  "aps": {\n.*"New sign-in"', re.S))

    file = tmp_path / "push.apns"
    file.write_text('{"Simulator Target Bundle": "com.example.oven", "aps": {"alert": "From a file"}}')
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_label("Topic")).to_have_value("com.example.oven")
    expect(page.get_by_label("Payload")).to_have_value(file.read_text())


def test_a_payload_that_is_not_text_leaves_the_payload_empty(own, connect, open_tab):
    own.device("alice")
    _, token = own.device("bob", topic="com.example.bytes")
    assert connect(own).push(token, b'{"aps":{"alert":"\xff"}}', apns_topic="com.example.bytes").status == 200
    page = open_tab(own, allows=["400"]).go("/send?from=1")
    expect(page.get_by_label("Payload")).to_have_value("")
    expect(page.get_by_label("Device")).to_have_value("bob")
    expect(page.get_by_label("Topic")).to_have_value("com.example.bytes")
    expect(page.get_by_role("status").get_by_role("alert")).to_have_count(0)
