"""How the request log and the connections record answers that a fault changed, delayed or dropped."""

import signal
import socket

import pytest

from faulty import (
    apply, burst, clear, connection, expect_reset_on_connect, faulty, fired, recorded, rule, statuses, traced, until,
    until_ended,
)
from gateway import device_token
from provider import Provider


def outcome(gateway, token, *words):
    def find():
        records = recorded(gateway, token)
        return records if [one.get("answer", {}).get("outcome") for one in records] == list(words) else None
    return until(find, f"records that are {words}")


def test_the_record_of_a_delayed_answer(faulty):
    rule(faulty, {"delay": "4s"})
    _, token = faulty.device()
    with connection(faulty) as provider:
        stream = provider.send(token)
        (waiting,) = outcome(faulty, token, "waiting")
        assert "status" not in waiting and waiting["notification"]
        assert provider.answer(stream).status == 200
        (sent,) = recorded(faulty, token)
        assert sent["status"] == 200 and sent["answer"]["outcome"] == "sent"
        assert sent["answer"]["at"] > sent["receivedAt"]


@pytest.mark.parametrize("effect, fate", [({"delay": "4s"}, "waiting"), ({"loses": "answer"}, "withheld")])
def test_a_rejection_has_a_reason_only_once_it_is_sent(start_gateway, effect, fate):
    """A wait or a verification for a reason must not be over before the client has its answer."""
    own, token = start_gateway(), "zz"
    rule(own, effect)
    with connection(own) as provider:
        stream = provider.send(token)
        (record,) = outcome(own, token, fate)
        assert "reason" not in record and record["diagnosis"]
        assert own.api("GET", "/requests", params={"reason": "BadDeviceToken"})["requests"] == []
        body = {"of": "requests", "where": "reason=BadDeviceToken", "count": 0}
        assert own.api("POST", "/verify", json=body)["outcome"] == "passed"
        if fate == "waiting":
            assert provider.answer(stream).status == 400
            assert recorded(own, token)[0]["reason"] == "BadDeviceToken"


def test_the_records_of_answers_that_were_not_delivered(faulty):
    rule(faulty, {"delay": "30s"})
    _, token = faulty.device()
    with connection(faulty) as provider:
        provider.http.reset_stream(provider.send(token), 8)
        provider.flush()
        (cancelled,) = outcome(faulty, token, "cancelled")
        provider.send(token)
        outcome(faulty, token, "cancelled", "waiting")
    _, lost = outcome(faulty, token, "cancelled", "connectionLost")
    for record in (cancelled, lost):
        assert "status" not in record and record["notification"] and record["answer"]["at"] >= record["receivedAt"]
    found = faulty.api("GET", "/requests", params={"fault": "fault", "status": "none", "connection": lost["connection"]})
    assert [one["number"] for one in found["requests"]] == [cancelled["number"], lost["number"]]
    assert not faulty.api("GET", "/requests", params={"fault": "other"})["requests"]
    assert not faulty.api("GET", "/requests", params={"connection": lost["connection"], "status": 200})["requests"]


def test_the_record_of_a_push_that_is_cancelled_with_its_own_write(faulty):
    _, token = faulty.device()
    with connection(faulty) as provider:
        stream = provider.http.get_next_available_stream_id()
        provider.http.send_headers(stream, provider.headers(token))
        provider.http.send_data(stream, b'{"aps":{}}', end_stream=True)
        provider.http.reset_stream(stream, 8)
        provider.flush()
        (record,) = outcome(faulty, token, "cancelled")
    assert "status" not in record and "fault" not in record and record["notification"]


def test_the_record_of_a_delay_cut_by_a_stop(start_gateway):
    gateway = start_gateway("shutdown.grace=2s")
    rule(gateway, {"delay": "60s"})
    token = device_token()
    with connection(gateway) as provider:
        provider.send(token)
        outcome(gateway, token, "waiting")
        gateway.send(signal.SIGTERM)
        # The admin API may be down as well; what matters here is that the client received no answer.
        provider.until_closed()
        assert not any(answer.ended for answer in provider.answers.values())
        assert provider.goaways


@pytest.mark.parametrize(
    "effect, word",
    [
        ({"loses": "request"}, "withheld"), ({"loses": "answer"}, "withheld"), ({"resets": "CANCEL"}, "reset"),
        ({"connection": {"how": "close"}}, "withheld"), ({"goAway": {"unprocessed": 1}}, "unprocessed"),
        ({"goAway": {"unprocessed": 1}, "delay": "10ms"}, "unprocessed"),
    ], ids=str)
def test_the_record_of_an_answer_that_a_rule_withholds(faulty, effect, word):
    rule(faulty, effect)
    _, token = faulty.device()
    with connection(faulty) as provider:
        provider.send(token)
        (record,) = outcome(faulty, token, word)
    assert "status" not in record
    assert ("notification" in record) == (effect.get("loses") == "answer")


def test_connections_name_the_rules_that_fired_on_them(faulty):
    rule(faulty, {"connection": {"how": "reset"}}, stage="accept", count=1, name="turned-away")
    expect_reset_on_connect(faulty)
    found = traced(faulty, "turned-away")
    assert (found["traffic"], found["ending"], "httpVersion" in found) == ("provider", "reset", False)
    assert found["faults"][0]["stage"] == "accept" and found["remoteAddress"].startswith("127.0.0.1:")
    rule(faulty, {"delay": "1ms"}, stage="accept", count=1, name="held-up")
    with Provider.to(faulty) as provider:
        assert statuses(provider, 1) == [200]
    found = traced(faulty, "held-up")
    assert (found["httpVersion"], found["accepted"], found["ending"]) == ("HTTP/2", 1, "client")
    rule(faulty, {"goAway": {"reason": "BadCertificate", "times": 2}}, stage="open", count=1, name="dismissed")
    with Provider.to(faulty) as provider:
        provider.until_closed()
    found = traced(faulty, "dismissed")
    goaways = [(one["code"], one["lastStream"], one.get("debugData")) for one in found["goAways"]]
    assert goaways == [("NO_ERROR", 0, '{"reason":"BadCertificate"}'), ("NO_ERROR", 0, None)]
    assert found["ending"] == "gateway" and found["faults"][0]["stage"] == "open"
    rule(faulty, {"connection": {"how": "close", "when": "after"}}, count=1, name="cut-off")
    with connection(faulty) as provider:
        provider.send(device_token())
        until_ended(provider)
    found = traced(faulty, "cut-off")
    assert found["ending"] == "close" and found["faults"][0]["stage"] == "request"


def test_a_last_stream_does_not_grow_when_the_gateway_stops(start_gateway):
    gateway = start_gateway("streams.oneUntilAccepted=false")
    apply(gateway, "G1")
    with connection(gateway) as provider:
        burst(provider, 20, device_token())
        provider.until(lambda: provider.goaways, "GOAWAY")
        gateway.send(signal.SIGTERM)
        provider.until_closed()
        assert len(provider.goaways) > 1 and {last for last, _, _ in provider.goaways} == {5}


def test_a_graceful_stop_does_not_wait_for_a_fault_that_never_answers(start_gateway):
    gateway = start_gateway("shutdown.grace=10m")
    rule(gateway, {"loses": "request"}, {"nth": 1})
    rule(gateway, {"connection": {"how": "silence"}}, {"nth": 1, "per": "connection"}, name="silence")
    rule(gateway, {"connection": {"how": "silence"}}, stage="accept", match={"nth": 3}, name="nobody")
    with connection(gateway) as lost, connection(gateway) as silent:
        lost.send(device_token())
        lost.http.ping(b"12345678")
        lost.flush()
        lost.until(lambda: lost.pongs, "a PING's answer")
        silent.send(device_token())
        with socket.create_connection(gateway.provider, 15):
            while fired(gateway, "silence") + fired(gateway, "nobody") < 2:
                pass
            gateway.send(15)
            lost.until(lambda: lost.goaways, "GOAWAY")
            lost.until_closed()
            gateway.stop()


def test_faults_apply_to_clear_text(faulty):
    rule(faulty, {"answer": {"status": 503}, "delay": "10ms"}, count=1)
    rule(faulty, {"connection": {"how": "close"}}, count=1, name="cut")
    import httpx

    url = "http://%s:%d/3/device/%s" % (*faulty.clear_text, device_token())
    headers = {"apns-topic": "com.example.app", "authorization": f"bearer {faulty.bearer}"}
    with httpx.Client(trust_env=False) as client:
        assert client.post(url, headers=headers, content=b'{"aps":{}}').status_code == 503
        with pytest.raises(httpx.RemoteProtocolError):
            client.post(url, headers=headers, content=b'{"aps":{}}')
        assert client.post(url, headers=headers, content=b'{"aps":{}}').status_code == 200
