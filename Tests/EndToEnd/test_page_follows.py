"""The page follows the gateway: what was deleted goes, what is done is counted, and what is sent again is the same."""

import socket
import subprocess

from playwright.sync_api import expect

from activities import T0, phone, state  # noqa: F401
from admin import own  # noqa: F401
from test_page_truth import TOPIC, push, refuse


def test_a_search_drops_what_no_longer_fits(own, open_tab):
    own.device("phone")
    own.api("PATCH", "/devices/phone", json={"isOnline": False})
    push(own, "Later")
    page = open_tab(own).go("/notifications?where=outcome%3Dwaiting")
    rows = page.locator("a.row")
    expect(rows).to_have_count(1)
    own.api("PATCH", "/devices/phone", json={"isOnline": True})
    expect(rows).to_have_count(0)


def test_what_was_deleted_leaves_every_view(own, open_tab, connect):
    own.device("phone")
    number = push(own, "Tea")
    refuse(own, connect)
    timeline, requests, inbox = (
        open_tab(own).go(path) for path in ("/timeline", "/requests", "/notifications"))
    expect(timeline.locator("ol.timeline li")).to_have_count(1)
    expect(requests.get_by_role("table").locator("tbody tr")).to_have_count(1)
    expect(inbox.locator(".refusal")).to_contain_text("BadPriority")
    own.api("DELETE", "/requests")
    expect(requests.get_by_role("table")).to_have_count(0)
    expect(inbox.locator(".refusal")).to_have_count(0)
    own.api("DELETE", f"/notifications?where=id%3D{number}")
    expect(timeline.locator("ol.timeline li")).to_have_count(0)


def test_a_production_push_is_sent_again_and_copied_to_production(own, open_tab, connect):
    _, token = own.device("phone", environment="production")
    own.api("POST", f"/devices/phone/push?topic={TOPIC}&pushType=alert&environment=production", json={"aps": {"alert": "Hi"}})
    page = open_tab(own).go("/send?from=1")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_text("Sent:")).to_be_visible()
    assert [one["environment"] for one in own.api("GET", "/devices/phone")["registrations"]] == ["production"]
    page = open_tab(own).go("/notifications/1/copy")
    command = page.locator(".tab h3:text-is('As the provider, with curl') + .code code")
    expect(command).to_contain_text(f"https://api.push.apple.com/3/device/{token}")
    bearer = "$(pushcote token --admin http://%s:%d)" % own.admin_address
    command = command.inner_text().replace(bearer, own.bearer).replace("curl", "curl -sf", 1)
    assert subprocess.run(["sh", "-c", command]).returncode == 0, command
    assert own.api("GET", "/notifications/3")["environment"] == "production"


def test_an_update_of_a_live_activity_has_no_copied_test(own, open_tab, phone):
    activity = phone.started()
    phone.push(activity["push"]["token"], "update", T0 + 1, content_state=state(2))
    page = open_tab(own).go("/notifications/2/copy")
    expect(page.locator(".tab h3")).to_have_text(["As the provider, with curl"])
    expect(page.locator(".tab")).to_contain_text("the activity's own token")


def test_webhooks_show_a_delivery_when_it_is_done(own, open_tab):
    with socket.create_server(("127.0.0.1", 0)) as receiver:
        own.api("POST", "/webhooks", json={"name": "events", "url": "http://127.0.0.1:%d/" % receiver.getsockname()[1]})
        page = open_tab(own).go("/webhooks")
        own.device("phone")
        opened, _ = receiver.accept()
        with opened:
            while b"\r\n\r\n" not in opened.recv(65536):
                pass
            expect(page.get_by_role("table")).to_contain_text("Waiting")
            opened.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        expect(page.get_by_role("table").locator("td[data-head=Delivered]")).to_have_text("1")
        expect(page.get_by_role("table").locator("td[data-head=Waiting]")).to_have_text("0")


def test_channels_are_counted_as_broadcasts_come(own, open_tab):
    page = open_tab(own).go("/channels")
    expect(page.get_by_role("heading", name="No channels yet")).to_be_visible()
    channel = own.api("POST", "/channels", json={"app": TOPIC})
    own.device("phone")
    expect(page.get_by_role("table").locator("tbody tr")).to_have_count(1)
    assert channel["id"] in page.get_by_role("table").inner_text()
