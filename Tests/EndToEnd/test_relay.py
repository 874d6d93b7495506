"""The relay: selected pushes are forwarded to an upstream (here another gateway), and the answers are compared."""

import socket

import httpx
import pytest

from faulty import rule, until
from gateway import device_token, pushcote
from provider import Provider, trust


@pytest.fixture
def pair(start_gateway, certificates):
    """An upstream, and a function that starts a gateway relaying to it."""
    upstream = start_gateway("tokens.unknown=reject")

    def relaying(*options, allow, url=None, ca=None):
        url = url or "https://localhost:%d" % upstream.provider[1]
        return start_gateway(
            "relay.name=APNs", f"relay.url={url}", f"relay.ca={ca or upstream.ca}",
            "relay.allow=" + ",".join(allow), "streams.oneUntilAccepted=false", *options)

    return upstream, relaying


def relayed(gateway, outcome, count=1, **query):
    page = gateway.api(
        "GET", "/requests", params={"where": f"relay.outcome={outcome}", "wait": "15s", "count": count, **query})
    assert page["outcome"] == "complete", gateway.api("GET", "/requests")
    return page["requests"]


def test_equal_answers_agree_and_the_upstream_gets_the_push_unchanged(pair):
    upstream, relaying = pair
    _, token = upstream.device()
    gateway = relaying(allow=[token.upper()])
    with httpx.Client(http2=True, verify=trust(gateway.ca, alpn=None)) as client:
        answer = client.post(
            f"https://localhost:{gateway.provider[1]}/3/device/{token}", content=b'{"aps":{"alert":"Tea"}}',
            headers={
                "authorization": f"bearer {gateway.bearer}", "apns-topic": "com.example.app", "apns-priority": "5",
                "apns-collapse-id": "tea", "x-secret": "mine"})
    assert answer.status_code == 200
    (record,) = relayed(gateway, "agrees")
    assert (record["relay"]["upstream"], record["relay"]["status"], "difference" in record["relay"]) == ("APNs", 200, False)
    (there,) = upstream.api("GET", "/requests")["requests"]
    there = upstream.api("GET", f"/requests/{there['number']}")
    headers = {one["name"]: one["value"] for one in there["headers"]}
    assert headers["apns-collapse-id"] == "tea" and headers["apns-priority"] == "5" and "x-secret" not in headers
    assert there["payloadText"] == '{"aps":{"alert":"Tea"}}' and there["authentication"] == "verifiedToken"
    metrics = gateway.admin.get("/metrics").text
    assert 'pushcote_relayed_total{outcome="agrees"} 1' in metrics
    assert any("real devices" in line for line in gateway.announcement)
    assert "pushcote_relayed_total" not in upstream.admin.get("/metrics").text


def test_a_difference_is_a_finding_and_can_be_queried(pair):
    upstream, relaying = pair
    unknown, (_, known) = device_token(), upstream.device()
    gateway = relaying(allow=[unknown, known])
    with Provider.to(gateway) as provider:
        assert provider.push(unknown).status == 200
        assert provider.push(known, apns_priority="7").status == 400
        assert provider.push(known).status == 200
    (differing,) = relayed(gateway, "differs")
    words = "APNs said 400 BadDeviceToken, we said 200"
    assert differing["token"] == unknown and differing["relay"]["difference"] == words
    (finding,) = [one for one in differing["findings"] if one["id"] == "relay.differs"]
    assert (finding["message"], finding["severity"]) == (f"the upstream answered differently: {words}", "warning")
    assert {one.get("reason") for one in relayed(gateway, "agrees", count=2)} == {"BadPriority", None}
    # The opposite case: we reject what the upstream accepts.
    rule(gateway, {"answer": {"status": 410, "reason": "Unregistered"}}, {"token": known}, count=1)
    with Provider.to(gateway) as provider:
        assert provider.push(known).status == 410
    (other,) = relayed(gateway, "differs", since=differing["number"])
    assert other["relay"]["difference"] == "APNs said 200, we said 410 Unregistered"


def test_only_allowed_and_matching_pushes_are_sent_on(pair):
    upstream, relaying = pair
    _, token = upstream.device()
    gateway = relaying("relay.where=payload.aps.badge>2", allow=[token])
    with Provider.to(gateway) as provider:
        assert provider.push(device_token(), b'{"aps":{"badge":9}}').status == 200
        assert provider.push(token, b'{"aps":{"badge":2}}').status == 200
        assert provider.push(token + "00", b'{"aps":{"badge":9}}').status == 200
        assert provider.push(token, b'{"aps":{"badge":3}}').status == 200
    (record,) = relayed(gateway, "agrees")
    assert record["number"] == 4
    assert ["relay" in one for one in gateway.api("GET", "/requests")["requests"]] == [False] * 3 + [True]
    assert len(upstream.api("GET", "/requests")["requests"]) == 1
    with Provider.to(gateway) as provider:
        gateway.api("POST", f"/devices/{record['device']}/push", params={"topic": "com.example.app"}, json={"aps": {"badge": 9}})
        assert provider.push(token, b'{"aps":{"badge":4}}').status == 200
    relayed(gateway, "agrees", count=2)
    assert len(upstream.api("GET", "/requests")["requests"]) == 2


def test_a_relayed_push_is_not_relayed_again(pair):
    """Otherwise, two gateways that relay to each other would never end."""
    last, relaying = pair
    token = device_token()
    second = relaying(allow=[token])
    first = relaying(allow=[token], url="https://localhost:%d" % second.provider[1], ca=second.ca)
    with Provider.to(first) as provider:
        assert provider.push(token).status == 200
    relayed(first, "agrees")
    (record,) = relayed(second, "failed")
    assert record["status"] == 200
    assert record["relay"]["error"] == "not sent: another gateway's relay sent it here (header pushcote-relayed)"
    assert last.api("GET", "/requests")["requests"] == []


@pytest.mark.parametrize("listener, host", [
    ("127.0.0.1", "127.0.0.1"), ("127.0.0.1", "localhost"), ("0.0.0.0", "127.0.0.1"), ("[::1]", "localhost"),
    ("127.0.0.1", "0.0.0.0"), ("127.0.0.1", "[::ffff:127.0.0.1]"), ("127.0.0.1", "localhost."),
    ("0.0.0.0", "127.0.0.2")])
def test_the_gateways_own_address_stops_the_start(certificates, tmp_path, listener, host):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        settings = [
            f"listen.provider={listener}:{port}", f"relay.url=https://{host}:{port}", f"relay.allow={device_token()}",
            f"relay.ca={certificates / 'ca.pem'}", f"certificates.folder={certificates}"]
        done = pushcote("serve", *[part for setting in settings for part in ("--set", setting)], cwd=tmp_path)
    assert done.returncode == 2 and "Ready." not in done.stdout
    assert "relay.url is this gateway's own address" in done.stderr, done.stderr


def test_an_unreachable_upstream_does_not_affect_answers(pair):
    _, relaying = pair
    token = device_token()
    # The socket does not listen, so connections are refused; it is bound, so no other program gets the port.
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        gateway = relaying(allow=[token], url="https://127.0.0.1:%d" % taken.getsockname()[1])
        provider = Provider.to(gateway)
        assert provider.push(token).status == 200
        (record,) = relayed(gateway, "failed")
        assert record["status"] == 200 and "no connection" in record["relay"]["error"]
        assert len(gateway.wait(1, where=f"token={token}")) == 1


def test_an_untrusted_upstream_gets_nothing(pair, tmp_path):
    upstream, relaying = pair
    other = tmp_path / "other"
    assert pushcote("certs", "--set", f"certificates.folder={other}", cwd=tmp_path).returncode == 0
    _, token = upstream.device()
    gateway = relaying(allow=[token], ca=other / "ca.pem")
    with Provider.to(gateway) as provider:
        assert provider.push(token).status == 200
    (record,) = relayed(gateway, "failed")
    assert "certificate" in record["relay"]["error"]
    assert not upstream.api("GET", "/requests")["requests"]


def test_a_full_queue_drops_and_counts(pair):
    _, relaying = pair
    with socket.create_server(("127.0.0.1", 0)) as silent:
        token = device_token()
        # As cheap as pushes can be: after 10 s, the connection attempt fails and empties the queue.
        gateway = relaying(
            "log.pushes=false", "auth.mode=off", allow=[token], url="https://127.0.0.1:%d" % silent.getsockname()[1])
        with Provider(socket.create_connection(gateway.clear_text, 15)) as provider:
            for _ in range(1010):
                provider.send(token)
            provider.until(lambda: sum(one.ended for one in provider.answers.values()) == 1010, "answers")
            assert {one.status for one in provider.answers.values()} == {200}
        assert len(relayed(gateway, "dropped", count=10)) == 10
        assert 'pushcote_relayed_total{outcome="dropped"} 10' in gateway.admin.get("/metrics").text


def test_a_closed_connection_is_replaced(pair):
    upstream, relaying = pair
    _, token = upstream.device()
    gateway = relaying(allow=[token])
    rule(upstream, {"goAway": {"reason": "Shutdown"}}, {"nth": 1}, name="leaves")
    rule(upstream, {"connection": {"how": "reset"}}, {"nth": 1}, name="breaks")
    with Provider.to(gateway) as provider:
        assert provider.push(token).status == 200
        relayed(gateway, "agrees")
        assert provider.push(token).status == 200
        relayed(gateway, "failed")
        assert provider.push(token).status == 200
        relayed(gateway, "agrees", count=2)
    # No push is sent twice.
    assert len(upstream.api("GET", "/requests")["requests"]) == 3


def test_the_relay_signs_with_its_own_key(pair):
    upstream, relaying = pair
    _, token = upstream.device()
    gateway = relaying(
        f"relay.keyFile={upstream.key_file}", f"relay.keyId={upstream.key_id}", f"relay.teamId={upstream.team_id}",
        "auth.mode=off", allow=[token])
    with Provider.to(gateway, bearer=None) as provider:
        assert provider.push(token).status == 200
    relayed(gateway, "agrees")
    (there,) = upstream.api("GET", "/requests")["requests"]
    assert there["authentication"] == "verifiedToken"


def test_a_client_certificate_is_used(pair, client_certificate):
    upstream, relaying = pair
    files = client_certificate("com.example.app", "universal")
    _, token = upstream.device()
    gateway = relaying(
        f"relay.certificate={files}.pem", f"relay.certificateKey={files}.key", "auth.mode=off", allow=[token])
    with Provider.to(gateway, bearer=None) as provider:
        assert provider.push(token).status == 200
    relayed(gateway, "agrees")
    (there,) = upstream.api("GET", "/requests")["requests"]
    assert there["authentication"] == "certificate"


@pytest.mark.parametrize(
    "settings, words",
    [
        (["relay.url=https://localhost"], "relay.allow is empty: list the device tokens"),
        (["relay.url=http://localhost", "relay.allow=00ff"], "relay.url is http://localhost: give it as https://HOST"),
        (["relay.url=https://localhost", "relay.allow=xyz"], "hexadecimal"),
        (["relay.url=https://localhost", "relay.allow=00ff", "relay.keyId=ABCDE12345"], "relay: set keyFile, keyId and teamId"),
        (["relay.url=https://localhost", "relay.allow=00ff", "relay.ca=nowhere.pem"], "relay.ca: "),
        (["relay.where=titel=1"], "wrong at column 1"),
    ], ids=lambda value: str(value)[:40])
def test_an_invalid_setting_stops_start_up(tmp_path, settings, words):
    options = [part for one in settings for part in ("--set", one)]
    run = pushcote(
        "serve", "--set", f"certificates.folder={tmp_path}/certs", *options, cwd=tmp_path)
    assert run.returncode != 0 and words in run.stderr, run.stderr
