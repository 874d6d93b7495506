"""Donations made by the Swift code of the talks on donations and event suggestions, run as an extension."""

import json

import pytest

from test_extensions import example, phone


@pytest.fixture(params=["memory", "sqlite"])
def donate(phone, tmp_path, request):
    """Makes the extension donate; returns its run."""
    iphone = phone(example("SeedDonations"), f"journal={request.param}", f"sqlite.file={tmp_path}/journal.sqlite")

    def run(name):
        payload = {"aps": {"alert": "Booked", "mutable-content": 1}, "donate": name}
        return iphone.receive(json.dumps(payload).encode())["extension"]["run"]

    return run


def test_a_donated_round_trip_is_stored_with_its_response(donate):
    """S4-5 S4-12 S4-24: the container is B9C8; both flights are in the response."""
    [donation] = donate("flight")["donations"]
    assert donation["intent"]["reservationContainerReference"] == {"id": "B9C8", "spoken": "Trip to Paris"}
    flights = donation["response"]["reservations"]
    assert [flight["itemReference"]["id"] for flight in flights] == ["B9C8-XX815", "B9C8-XX816"]
    assert [action["type"] for action in flights[0]["actions"]] == ["checkIn"]


def test_deletions_are_recorded_after_the_donation(donate):
    """S1-11: by identifier, then by group."""
    run = donate("san-diego")
    identifier = "68753A44-4D6F-1226-9C60-0050E4C00067"
    assert [(one["identifier"], one["groupIdentifier"]) for one in run["donations"]] == [(identifier, "san-diego")]
    assert run["centerCalls"] == [
        {"name": "deleteDonations", "arguments": {"identifiers": [identifier]}},
        {"name": "deleteDonations", "arguments": {"groupIdentifier": "san-diego"}},
    ]


@pytest.mark.parametrize("name, calls", [
    ("activity", ["becomeCurrent", "deleteUserActivities"]),
    ("media", ["setSuggestedMediaIntents", "setPredictionMode"]),
    ("shortcut", ["setRelevantShortcuts"]),
])
def test_relevant_shortcuts_and_upcoming_media_are_recorded(donate, name, calls):
    """S1-2 S1-23 S1-24 S1-25: activities, upcoming media and relevant shortcuts."""
    assert [call["name"] for call in donate(name)["centerCalls"]] == calls
