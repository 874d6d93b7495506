"""A device's day, and the README's pictures: what the program draws for the day of `pushcote demo`."""

import os
import xml.etree.ElementTree as ElementTree

import pytest
from gateway import ROOT
from test_cli import Commands

PICTURES = {
    "lock-screen.svg": "/devices/anna/screen.svg?form=lockScreen",
    "time-sensitive.svg": "/notifications/4/picture.svg?form=lockScreen",
    "day.svg": "/devices/anna/day.svg?date=2030-01-07",
}


@pytest.fixture
def own(start_gateway, tmp_path):
    """Commands against a gateway after the demonstration, on a clock stopped at the end of its day: that day is the latest."""
    commands = Commands(start_gateway(), tmp_path)
    commands.gateway.api("PUT", "/clock", json={"mode": "manual", "now": "2030-01-07T20:10:00Z"})
    assert "pushcote day anna --date 2030-01-07" in commands("demo")
    return commands


@pytest.fixture
def demonstrated(own):
    return own.gateway


def test_the_pictures_in_the_readme_match_the_demonstration(demonstrated):
    """`RECORD_GOLDEN=1` records the pictures again."""
    readme = (ROOT / "README.md").read_text()
    for name, path in PICTURES.items():
        answer = demonstrated.admin.get("/api/v1" + path + "&appearance=auto")
        assert answer.status_code == 200 and answer.headers["content-type"] == "image/svg+xml; charset=utf-8"
        ElementTree.fromstring(answer.content)
        file = ROOT / "docs/pictures" / name
        assert f"docs/pictures/{name}" in readme
        if os.environ.get("RECORD_GOLDEN") == "1":
            file.write_bytes(answer.content)
        assert file.read_bytes() == answer.content, f"{name} is outdated; RECORD_GOLDEN=1 writes it"


def test_the_demonstrations_day_is_complete(demonstrated):
    day = demonstrated.api("GET", "/devices/anna/day")
    assert day["date"] == "2030-01-07" and not day["hasGap"]
    assert demonstrated.api("GET", "/devices/anna/day", params={"date": "latest"}) == day
    assert [(one["name"], one["from"][11:16], one["to"][11:16]) for one in day["focus"]] == [("Work", "09:00", "17:00")]
    assert [(one["kind"], one["from"][11:16], one["to"][11:16]) for one in day["outages"]] == [("offline", "12:30", "13:20")]
    assert [(one["at"][11:16], one["isDelivered"]) for one in day["summaries"]] == [("08:00", True), ("18:00", True)]
    pushes = {push["notification"]: push for lane in day["lanes"] for push in lane["pushes"]}
    assert pushes[1]["outcome"] == "deferred" and pushes[1]["shownAt"][11:16] == "08:00"
    waited = pushes[6]
    assert (waited["outcome"], waited["receivedAt"][11:16], waited["shownAt"][11:16]) == ("quiet", "12:45", "13:20")
    assert pushes[10]["extension"]["end"] == "answered"
    for number, push in pushes.items():
        detail = demonstrated.api("GET", f"/notifications/{number}")
        assert detail.get("shownAt") == push.get("shownAt")
        assert detail["trace"][detail["decidedBy"]]["answer"]


def test_the_command_prints_and_draws_the_day(own, tmp_path):
    lines = [line.split() for line in own("day", "anna").splitlines()]
    assert lines[0] == ["anna", "2030-01-07", "UTC"]
    assert "06:30–08:00 1 News active deferred Morning Edition".split() in lines
    assert "09:00–17:00 - - - focus Work".split() in lines
    assert "12:30–13:20 - - - offline".split() in lines
    assert "18:00 - - - summary 1 notification".split() in lines
    assert "09:30 4 Mail time-sensitive alerted Courier".split() in lines
    file = tmp_path / "day.svg"
    assert str(file.name) in own("day", "anna", "--date", "2030-01-07", "--svg", str(file))
    assert ElementTree.parse(file).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert "Nothing happened." in own("day", "anna", "--date", "2030-01-05")


def test_a_plot_has_the_options_of_other_pictures(demonstrated):
    path = "/api/v1/devices/anna/day.svg"
    answer = demonstrated.admin.get(path)
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    tag = answer.headers["etag"]
    assert demonstrated.admin.get(path, headers={"if-none-match": tag}).status_code == 304
    assert demonstrated.admin.get(path + "?appearance=dark").headers["etag"] != tag
    for query, words in [("?date=7.1.2030", "must be a date such as 2026-11-23"), ("?appearance=pink", "light, dark, auto")]:
        refused = demonstrated.admin.get(path + query)
        assert refused.status_code == 400 and words in refused.json()["error"]
    assert demonstrated.admin.get("/api/v1/devices/nobody/day.svg").status_code == 404
