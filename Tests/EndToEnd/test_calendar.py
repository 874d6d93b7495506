"""Reservations over HTTP: donated by apps, found in mails, shown in the calendar, suggested at the right time."""

import re
from datetime import datetime, timezone

import pytest

from gateway import pushcote

APP = "com.example.flights"


def flight(number, start, end, **members):
    """The talk's flight XX 815 from San Francisco to Paris, or the flight back (S4-30)."""
    return {
        "class": "INFlightReservation",
        "itemReference": {"id": f"B9C8-XX{number}", "spoken": f"Flight XX {number}"},
        "reservationNumber": "B9C8",
        "reservationStatus": "confirmed",
        "reservationHolderName": "Maria Ruiz",
        "url": "https://flights.example/B9C8",
        "flight": {
            "airline": {"name": "Example Air", "iataCode": "XX"},
            "flightNumber": number,
            "flightDuration": {"start": start, "end": end},
            "departureAirportGate": {"airport": {"iataCode": "SFO"}, "terminal": "1", "gate": "B4"},
            "arrivalAirportGate": {"airport": {"iataCode": "CDG"}},
        },
        "actions": [
            {
                "type": "checkIn",
                "validDuration": {
                    "start": {"local": "2031-01-21T10:00:00", "tz": "America/Los_Angeles"},
                    "end": {"local": "2031-01-22T09:00:00", "tz": "America/Los_Angeles"},
                },
                "userActivity": {
                    "activityType": "com.example.checkin",
                    "title": f"Check in for Flight XX {number}",
                    "userInfo": {"number": "B9C8"},
                    "requiredUserInfoKeys": ["number"],
                    "webpageURL": "https://flights.example/checkin",
                },
            }
        ],
        **members,
    }


OUT = flight(
    "815",
    {"local": "2031-01-22T10:00:00", "tz": "America/Los_Angeles"},
    {"local": "2031-01-23T05:50:00", "tz": "Europe/Paris"},
)
BACK = flight(
    "816",
    {"local": "2031-01-29T13:00:00", "tz": "Europe/Paris"},
    {"local": "2031-01-29T15:40:00", "tz": "America/Los_Angeles"},
    actions=[],
)

MAIL = """<html><body><p>Thank you &amp; see you soon</p><script type="application/ld+json">
{"@context": "http://schema.org", "@type": "FlightReservation", "reservationId": "B9C8",
 "reservationStatus": "http://schema.org/ReservationConfirmed", "reservationFor": {"@type": "Flight", "flightNumber": "815",
  "airline": {"iataCode": "XX"}, "departureAirport": {"iataCode": "SFO"}, "departureTime": "2031-01-22T10:00:00-08:00",
  "arrivalAirport": {"iataCode": "CDG"}, "arrivalTime": "2031-01-23T05:50:00+01:00"}}
</script></body></html>"""


def phone(start_gateway, *options, now="2031-01-17T08:00:00Z"):
    gateway = start_gateway(*options)
    gateway.api("PUT", "/clock", json={"mode": "manual", "now": now})
    gateway.api("PUT", "/apps/" + APP, json={"displayName": "My Flights"})
    gateway.api("PUT", "/devices/phone", json={"timeZone": "Asia/Tokyo", "foregroundApp": APP})
    return gateway


def donate(gateway, *reservations, device="phone", expect=201, **members):
    interaction = {
        "intent": {
            "class": "INGetReservationDetailsIntent",
            "reservationContainerReference": {"id": "B9C8", "spoken": "Paris"},
        },
        "response": {"code": "success", "reservations": list(reservations)},
    }
    body = {"app": APP, "appState": "foreground", "interaction": interaction, **members}
    return gateway.api("POST", f"/devices/{device}/donations", expect=(expect,), json=body)


def events(gateway, device="phone"):
    return gateway.api("GET", f"/devices/{device}/calendar")["events"]


def parsed(text):
    """Parses an RFC 5545 file: the events, unfolded, split and unescaped."""
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", "")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    found = []
    for line in text.replace("\r\n ", "").split("\r\n"):
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found and name not in ("END", "BEGIN"):
            found[-1][name] = re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], value)
    return found


def test_a_round_trip_from_booking_to_cancellation(start_gateway):
    """S4-30, S4-21, S4-23: both flights in the calendar, check-in, a seat, the cancellation."""
    gateway = phone(start_gateway)
    donated = donate(gateway, OUT, BACK)
    assert [event["details"]["act"] for event in donated["events"] if event["event"] == "calendarEvent"] == ["added"] * 2
    out, back = events(gateway)
    assert out["title"] == "Flight: XX815 SFO–CDG" and out["link"] == "Show in My Flights"
    assert out["start"] == {
        "at": "2031-01-22T18:00:00.000Z",
        "timeZone": "America/Los_Angeles",
        "local": "2031-01-22T10:00:00.000-08:00",
        "onDevice": "2031-01-23T03:00:00.000+09:00",
    }
    assert out["location"]["name"] == "San Francisco International Airport"
    assert back["state"] == "inbox" and back["suggestions"] == []

    gateway.api("POST", "/clock/advance", json={"by": "PT10S"})
    (added,) = gateway.wait(device="phone", count=1)
    assert added["topic"] == "com.apple.mobilecal" and added["title"] == "2 Events Added to Calendar"
    gateway.api("POST", "/devices/phone/calendar/1", json={"act": "add"})
    launch = gateway.api("POST", "/devices/phone/calendar/1", json={"act": "open"})["launch"]
    assert launch["app"] == APP and launch["userActivity"]["activityType"] == "INGetReservationDetailsIntent"
    gateway.api("POST", "/devices/phone/calendar/1", expect=(409,), json={"act": "checkIn"})

    gateway.api("PUT", "/clock", json={"mode": "manual", "now": "2031-01-21T18:00:00Z"})
    assert "checkIn" in [one["kind"] for one in events(gateway)[0]["suggestions"]]
    launch = gateway.api("POST", "/devices/phone/calendar/1", json={"act": "checkIn"})["launch"]
    assert launch["userActivity"]["activityType"] == "com.example.checkin"

    donate(gateway, {**OUT, "reservedSeat": {"seatRow": "12", "seatNumber": "C"}}, appState="background")
    assert "Seat: 12C" in events(gateway)[0]["notes"]
    donate(gateway, {**OUT, "reservationStatus": "canceled"}, appState="background")
    out, back = events(gateway)
    assert (out["state"], out["suggestions"], back["state"]) == ("cancelled", [], "inbox")
    assert len(gateway.notifications(device="phone")) == 1


def test_suggestions_from_reservations_are_listed_with_the_others(start_gateway):
    """S4-3, S4-17: on the lock screen and in search with the activity's title."""
    gateway = phone(start_gateway, now="2031-01-22T08:00:00Z")
    donate(gateway, OUT)
    shown = gateway.api("GET", "/devices/phone/suggestions")["suggestions"]
    titles = {(one["surface"], one["title"]) for one in shown}
    check_in = "Check in for Flight XX 815"
    assert {("lockScreen", check_in), ("spotlight", check_in), ("maps", "Flight: XX815 SFO–CDG")} <= titles


TABLE = {
    "class": "INRestaurantReservation", "itemReference": {"id": "R1", "spoken": "A table"},
    "reservationStatus": "confirmed", "partySize": 2,
    "reservationDuration": {"start": {"local": "2031-01-22T19:00:00", "tz": "Asia/Tokyo"},
                            "end": {"local": "2031-01-22T21:00:00", "tz": "Asia/Tokyo"}},
    "restaurantLocation": {"name": "Ginza", "latitude": 35.67, "longitude": 139.76},
}


def at_dinner(start_gateway, modes):
    """The gateway, and the suggestion to turn on Do Not Disturb."""
    gateway = phone(start_gateway, now="2031-01-22T09:55:00Z")
    gateway.api("PATCH", "/devices/phone", json={"focus": {"modes": modes}})
    gateway.api("PUT", "/devices/phone/location", json={"latitude": 35.67, "longitude": 139.76})
    donate(gateway, TABLE)
    shown = gateway.api("GET", "/devices/phone/suggestions", params={"surface": "lockScreen"})["suggestions"]
    [suggestion] = [one for one in shown if one["kind"] == "doNotDisturb"]
    return gateway, {"action": "acceptSuggestion", "suggestion": suggestion["id"]}


@pytest.mark.parametrize(("modes", "active"), [
    ([{"id": "quiet", "kind": "dnd"}], "quiet"), ([], "dnd"), ([{"id": "dnd", "kind": "work"}], "dnd-2"),
])
def test_do_not_disturb_lasts_until_the_end_of_the_meal(start_gateway, modes, active):
    """S4-1: the Focus, accepted at the restaurant, ends with the reservation. Every device has Do Not Disturb."""
    gateway, accept = at_dinner(start_gateway, modes)
    gateway.api("POST", "/devices/phone/actions", json=accept)
    focus = gateway.api("GET", "/devices/phone")["focus"]
    assert (focus["active"], focus["until"]) == (active, "2031-01-22T12:00:00.000Z")
    gateway.api("PUT", "/clock", json={"mode": "manual", "now": "2031-01-22T12:00:00Z"})
    assert not {"active", "until"} & gateway.api("GET", "/devices/phone")["focus"].keys()


@pytest.mark.parametrize("kind", ["work", "dnd"])
def test_no_schedule_shortens_do_not_disturb(start_gateway, kind):
    """G.5: until the end of the meal, whether the schedule is of another mode or its own."""
    schedule = {"days": "everyDay", "from": "10:30", "to": "11:00"}
    gateway, accept = at_dinner(start_gateway, [{"id": "a", "kind": kind, "schedule": [schedule]}])
    gateway.api("POST", "/devices/phone/actions", json=accept)
    active = gateway.api("GET", "/devices/phone")["focus"]["active"]
    gateway.api("PUT", "/clock", json={"mode": "manual", "now": "2031-01-22T11:59:59Z"})
    assert gateway.api("GET", "/devices/phone")["focus"]["active"] == active
    gateway.api("PUT", "/clock", json={"mode": "manual", "now": "2031-01-22T12:00:00Z"})
    assert "active" not in gateway.api("GET", "/devices/phone")["focus"]


def test_do_not_disturb_needs_room_for_its_mode(start_gateway):
    gateway, accept = at_dinner(start_gateway, [{"id": f"mode-{number}"} for number in range(20)])
    answer = gateway.api("POST", "/devices/phone/actions", json=accept, expect=(409,))
    assert "no room" in answer["error"]
    assert "active" not in gateway.api("GET", "/devices/phone")["focus"]


def test_a_focus_with_an_end_must_be_active(start_gateway):
    gateway = phone(start_gateway)
    answer = gateway.api(
        "PATCH", "/devices/phone", expect=(400,),
        json={"focus": {"modes": [{"id": "dnd"}], "until": "2031-01-17T09:00:00Z"}})
    assert "focus.until" in answer["error"] and "active" in answer["error"]


def test_the_calendar_is_exported_as_ics(start_gateway):
    gateway = phone(start_gateway)
    donate(gateway, OUT, {**BACK, "reservationHolderName": "Ruiz; Maria, \\ " + "長い名前" * 20})
    gateway.api("POST", "/devices/phone/calendar/1", json={"act": "add"})
    text = gateway.admin.get("/api/v1/devices/phone/calendar.ics").text
    address = "http://%s:%d" % gateway.admin_address
    assert pushcote("calendar", "export", "phone", "--admin", address, text=False).stdout.strip() == text.strip().encode()
    out, back = parsed(text)
    assert out["SUMMARY"] == "Flight: XX815 SFO–CDG" and out["STATUS"] == "CONFIRMED"
    start = datetime.strptime(out["DTSTART"], "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
    assert start == datetime(2031, 1, 22, 18, tzinfo=timezone.utc)
    assert back["STATUS"] == "TENTATIVE" and back["UID"] == "2@phone"
    assert "Name: Ruiz; Maria, \\ " + "長い名前" * 20 in back["DESCRIPTION"]


def test_invalid_requests_change_nothing(start_gateway):
    gateway = phone(start_gateway)
    donate(gateway, OUT)
    before = gateway.api("GET", "/state")
    big = "[" + MAIL.partition(">\n")[2].partition("</script>")[0] + " " * (1 << 20) + "]"
    assert "1048576" in gateway.api("POST", "/devices/phone/markup", expect=(413,), content=big.encode())["error"]
    for path, body, status, word in [
        ("/calendar/1", {"act": "paint"}, 400, "act"),
        ("/calendar/1", {}, 400, "act"),
        ("/calendar/9", {"act": "add"}, 404, "9"),
        ("/markup?source=radio", {}, 400, "source"),
    ]:
        answer = gateway.api("POST", "/devices/phone" + path, expect=(status,), json=body)
        assert word in answer["error"]
    answer = gateway.api("PATCH", "/devices/phone/calendar", expect=(400,), json={"travelTime": "-5m"})
    assert "travelTime" in answer["error"]
    assert gateway.api("GET", "/state") == before


def test_commands(start_gateway, tmp_path):
    gateway = phone(start_gateway)
    (tmp_path / "mail.html").write_text(MAIL)
    admin = ["--admin", "http://%s:%d" % gateway.admin_address]

    def run(*arguments):
        ended = pushcote("calendar", *arguments, *admin, cwd=tmp_path)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    assert run("markup", "phone", "mail.html") == "added: Flight: XX815 SFO–CDG\n"
    assert "inbox" in run("list", "phone")
    assert run("act", "phone", "1", "add") == "Done.\n"
    assert "STATUS:CONFIRMED" in run("export", "phone")


def test_linting_a_mail_needs_no_gateway(tmp_path):
    mail = tmp_path / "mail.html"
    mail.write_text(MAIL)
    assert pushcote("lint", "--markup", "mail.html", cwd=tmp_path).returncode == 0
    mail.write_text(MAIL.replace("ReservationConfirmed", "Paid"))
    wrong = pushcote("lint", "--markup", "mail.html", cwd=tmp_path)
    assert wrong.returncode == 1 and "markup.status.unknown" in wrong.stdout
