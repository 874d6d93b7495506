"""The six views of docs/page.md, on the day of the page tests. `RECORD_PICTURES=1` takes the screenshots again."""

import os
from datetime import datetime as Instant

import pytest
from playwright.sync_api import expect

import day
import tokens
from gateway import ROOT

# By picture name: the address, the text to wait for, and the browser's options.
VIEWS = {
    "inbox": ("/notifications/{oven}", "silenced by the Focus Work", {}),
    "what-if": ("/notifications/{oven}/what-if", "Alerted", {}),
    "device": ("/devices/alice", "Notification Center", {"height": 1180}),
    "requests": ("/requests", "InvalidPushType", {}),
    "send": ("/send?device=alice&topic=com.example.bank&from={bank}", "nothing has been sent", {"scheme": "dark"}),
    "phone": ("/notifications/{oven}", "silenced by the Focus Work", {"width": 390, "height": 844}),
}


@pytest.fixture(scope="module")
def monday(make_gateway):
    gateway = make_gateway()
    monday = day.fill(gateway)
    now = Instant.fromisoformat(gateway.api("GET", "/clock")["now"]).timestamp()
    token = tokens.provider_token(gateway.private_key, gateway.key_id, gateway.team_id, iat=int(now))
    monday.refused(authorization=f"bearer {token}", apns_push_type="voip")
    return gateway, monday.ids


@pytest.mark.parametrize("name", VIEWS)
def test_each_documented_view_has_a_picture(monday, open_tab, name):
    gateway, ids = monday
    address, words, options = VIEWS[name]
    tab = open_tab(gateway, **options)
    page = tab.go(address.format(oven=ids["The oven is still on."], bank=ids["New sign-in"]))
    expect(page.locator("main")).to_contain_text(words)
    for drawing in page.locator("main img").all():
        expect(drawing).to_have_js_property("complete", True)
    picture = ROOT / f"docs/pictures/page-{name}.png"
    assert f"(pictures/{picture.name})" in (ROOT / "docs/page.md").read_text()
    taken = page.screenshot(**({"path": picture} if os.environ.get("RECORD_PICTURES") == "1" else {}))
    assert taken[16:24] == picture.read_bytes()[16:24], "another size"
