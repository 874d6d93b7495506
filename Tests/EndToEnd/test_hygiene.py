"""The hygiene report: mistakes that real clients make, and which client makes them."""

import json

import httpx
import pytest
from hyperframe.frame import GoAwayFrame, HeadersFrame, PingFrame

from admin import own
from faulty import rule, until
from gateway import pushcote
from provider import PRODUCTION, Provider


def findings(gateway, **query):
    """Findings by rule, without those of lint."""
    answer = gateway.api("GET", "/hygiene", params=query)
    found = {}
    for finding in answer["findings"]:
        if finding["id"].startswith("hygiene."):
            found.setdefault(finding["id"].removeprefix("hygiene."), []).append(finding)
    return found


def command(gateway, *arguments):
    return pushcote("hygiene", *arguments, "--admin", "http://%s:%d" % gateway.admin_address)


def test_a_good_client_has_no_findings(own, connect):
    _, token = own.device("phone")
    provider = connect(own)
    for number in range(12):
        payload = json.dumps({"aps": {"alert": {"title": "Table for two", "body": f"Table {number} is ready for you."}}}).encode()
        assert provider.push(token, payload, apns_expiration="0").status == 200
    answer = own.api("GET", "/hygiene")
    assert answer == {
        "findings": [], "requests": {"examined": 12, "missing": 0}, "connections": {"examined": 1, "missing": 0}}
    ended = command(own, "--fail-on", "info")
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr.strip() == "No findings in 12 requests and 1 connection."


def test_lint_of_what_was_pushed(own, connect):
    _, token = own.device("phone")
    provider = connect(own)
    for text in ("Order 1 is on its way", "Order 2 is on its way"):
        assert provider.push(token, json.dumps({"aps": {"alert": text}}).encode(), apns_expiration="0").status == 200
    [first, second] = own.api("GET", "/hygiene")["findings"]
    assert [first["id"], second["id"]] == ["body.noPunctuation", "title.missing.comm"]
    assert (second["count"], second["exampleRequests"], second["path"]) == (2, [1, 2], "aps.alert.title")
    assert "cost" not in second and second["who"]["topic"] == "com.example.app"
    ended = command(own, "--fail-on", "info")
    assert ended.returncode == 1 and "info: aps.alert.title: without a title" in ended.stdout


@pytest.mark.parametrize("says_goodbye", [False, True], ids=["close", "GOAWAY"])
def test_one_connection_per_push_is_a_finding(own, says_goodbye):
    _, token = own.device("phone")
    for number in range(5):
        with Provider.to(own) as provider:
            assert provider.push(token, user_agent="hasty/1").status == 200
            if says_goodbye:
                provider.send_frame(GoAwayFrame(0))
                provider.until_closed()
        until(lambda: own.api("GET", f"/connections/{number + 1}").get("closedAt"), "end")
        assert own.api("GET", f"/connections/{number + 1}")["ending"] == "client"
    (finding,) = findings(own)["connection.perPush"]
    assert (finding["count"], finding["severity"]) == (5, "warning")
    assert finding["who"] == {"remoteAddress": "127.0.0.1", "userAgent": "hasty/1"}
    assert finding["exampleConnections"] == [1, 2, 3, 4, 5]
    assert "denial-of-service" in finding["source"] and "handshake" in finding["cost"]


def test_one_http1_connection_per_push_is_a_finding(own):
    """The client asked for each close, with `connection: close`."""
    _, token = own.device("phone")
    for number in range(5):
        answer = httpx.post(
            "http://%s:%d/3/device/%s" % (*own.clear_text, token), content=b'{"aps":{"badge":1}}',
            headers={"authorization": f"bearer {own.bearer}", "apns-topic": "com.example.app", "connection": "close"},
            timeout=30)
        assert answer.status_code == 200
        until(lambda: own.api("GET", f"/connections/{number + 1}").get("closedAt"), "end")
        assert own.api("GET", f"/connections/{number + 1}")["ending"] == "client"
    (finding,) = findings(own)["connection.perPush"]
    assert finding["count"] == 5


def test_http1_and_the_exit_codes(own):
    _, token = own.device("phone")
    with httpx.Client(base_url="http://%s:%d" % own.clear_text, headers={"user-agent": "old/1"}, timeout=30) as client:
        answer = client.post(
            f"/3/device/{token}", content=b'{"aps":{"alert":{"title":"Table for two","body":"Table 7 is ready for you."}}}',
            headers={"authorization": f"bearer {own.bearer}", "apns-topic": "com.example.app", "apns-push-type": "alert"})
        assert answer.status_code == 200
    (finding,) = findings(own)["connection.http1"]
    assert finding["who"]["userAgent"] == "old/1"
    assert command(own).returncode == 0
    failed = command(own, "--fail-on", "warning")
    assert failed.returncode == 1
    assert "127.0.0.1 old/1: warning: pushes over HTTP/1.1 [hygiene.connection.http1]" in failed.stdout
    assert "    once: connection 1\n" in failed.stdout
    assert "1 finding in 1 request and 1 connection." in failed.stderr
    assert json.loads(command(own, "--fail-on", "warning", "--json").stdout)["findings"][0]["id"] == finding["id"]
    assert command(own, "--fail-on", "never").returncode == 64
    unknown = command(own, "--connection", "7", "--fail-on", "info")
    assert unknown.returncode == 1 and "There is no connection 7" in unknown.stderr


def test_advice_about_headers_is_counted(own):
    _, token = own.device("phone")
    with Provider.to(own) as provider:
        for _ in range(2):
            assert provider.push(token, apns_push_type=None).status == 200
    (finding,) = [one for one in own.api("GET", "/hygiene")["findings"] if one["id"] == "push-type.missing"]
    assert (finding["count"], finding["severity"], finding["exampleRequests"]) == (2, "warning", [1, 2])



def test_streams_after_a_goaway_are_findings(own, connect):
    own.api("PUT", "/clock", json={"mode": "manual"})
    _, token = own.device("phone")
    rule(own, {"goAway": {"reason": "Shutdown", "closes": False}}, count=1)
    provider = connect(own)
    assert provider.push(token).status == 200
    provider.until(lambda: provider.goaways, "GOAWAY")

    def ignore_it(stream, ping):
        block = provider.http.encoder.encode(provider.headers(token))
        provider.send_frame(HeadersFrame(stream, block, flags=["END_HEADERS", "END_STREAM"]))
        provider.send_frame(PingFrame(0, b"followup"))
        until(lambda: own.api("GET", "/connections/1")["pings"] == ping, "PING after the stream")

    ignore_it(3, 1)
    assert "connection.goAwayIgnored" not in findings(own)
    own.api("POST", "/clock/advance", json={"by": "2s"})
    ignore_it(5, 2)
    (finding,) = findings(own)["connection.goAwayIgnored"]
    assert "1 refused on connection 1" in finding["message"]
    assert own.api("GET", "/connections/1")["streamsAfterGoAway"] == 1


def test_ignored_answers_are_findings(own, connect):
    own.api("PUT", "/clock", json={"mode": "manual"})
    device, token = own.device("phone")
    provider = connect(own)
    for _ in range(2):
        assert provider.push(token, apns_priority="11").status == 400
    assert connect(own, host=PRODUCTION).push(token).reason == "BadDeviceToken"
    own.api("DELETE", f"/devices/{device}/registrations/{token}")
    assert provider.push(token).status == 410
    own.api("POST", "/clock/advance", json={"by": "2s"})
    assert provider.push(token).status == 410
    found = findings(own)
    assert [found[rule][0]["exampleRequests"] for rule in ("retry.rejected", "device.environment", "device.unregistered")] == [
        [2], [3], [5]]
    assert found["device.unregistered"][0]["who"]["token"] == token
    assert found["retry.rejected"][0]["message"] == "a rejected request sent again: BadPriority"
    assert command(own).returncode == 1, "an error fails without --fail-on"
    assert set(findings(own, since=4)) == set()
    assert set(findings(own, connection=2)) == {"device.environment"}


@pytest.mark.parametrize("query", ["since=soon", "connection=all", "rule=x"])
def test_an_invalid_query_is_an_error(gateway, query):
    assert gateway.admin.get(f"/api/v1/hygiene?{query}").status_code == 400


def test_silenced_rules_report_nothing(start_gateway, connect):
    gateway = start_gateway("lint.silenced=hygiene.priority.background")
    _, token = gateway.device("phone")
    assert connect(gateway).push(token, apns_push_type="background").status == 200
    assert findings(gateway) == {}
