"""Donations made by the Swift code of the talks on donations and event suggestions, run as an extension."""

import json

import pytest

from test_calendar import flight
from test_extensions import example, phone, script


@pytest.mark.parametrize("journal", ["memory", "sqlite"])
def test_what_the_talks_code_donates_is_recorded(phone, tmp_path, journal):
    """S1-2 S1-11 S1-23 S1-24 S1-25 S4-5 S4-12 S4-24 donations, deletions, activities, upcoming media and shortcuts"""
    iphone = phone(example("SeedDonations"), f"journal={journal}", f"sqlite.file={tmp_path}/journal.sqlite")

    def run(name):
        payload = {"aps": {"alert": "Booked", "mutable-content": 1}, "donate": name}
        return iphone.receive(json.dumps(payload).encode())["extension"]["run"]

    [donation] = run("flight")["donations"]
    assert donation["intent"]["reservationContainerReference"] == {"id": "B9C8", "spoken": "Trip to Paris"}
    flights = donation["response"]["reservations"]
    assert [flight["itemReference"]["id"] for flight in flights] == ["B9C8-XX815", "B9C8-XX816"]
    assert [action["type"] for action in flights[0]["actions"]] == ["checkIn"]
    deleted, identifier = run("san-diego"), "68753A44-4D6F-1226-9C60-0050E4C00067"
    assert [(one["identifier"], one["groupIdentifier"]) for one in deleted["donations"]] == [(identifier, "san-diego")]
    assert deleted["centerCalls"] == [
        {"name": "deleteDonations", "arguments": {"identifiers": [identifier]}},
        {"name": "deleteDonations", "arguments": {"groupIdentifier": "san-diego"}},
    ]
    for name, calls in [
            ("activity", ["becomeCurrent", "deleteUserActivities"]),
            ("media", ["setSuggestedMediaIntents", "setPredictionMode"]), ("shortcut", ["setRelevantShortcuts"])]:
        assert [call["name"] for call in run(name)["centerCalls"]] == calls


def test_a_rejected_reservation_is_a_finding_of_the_notification(phone, tmp_path):
    past = {"local": "2020-01-22T10:00:00", "tz": "Europe/Paris"}, {"local": "2020-01-22T12:00:00", "tz": "Europe/Paris"}
    interaction = {
        "intent": {"class": "INGetReservationDetailsIntent"},
        "response": {"code": "success", "reservations": [flight("815", *past)]},
    }
    iphone = phone(script(tmp_path, f"""
say(type='donate', id=message['id'], interaction=json.loads({json.dumps(interaction)!r}))
say(type='content', id=message['id'], content=message['request']['content'])
"""))
    found = iphone.receive(b'{"aps":{"alert":"Booked","mutable-content":1}}')
    [event] = [event for event in found["timeline"] if event["event"] == "calendarEvent"]
    assert event["details"]["act"] == "rejected"
    assert "reservation.ended" in [one["id"] for one in found["findings"]]
    assert found["findingCount"] == len(found["findings"])
