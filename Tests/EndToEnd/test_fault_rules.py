"""Fault rules: what they match, how often they fire, and how they are set by API, command and file."""

from datetime import datetime
import json
import signal

import httpx
import pytest

from faulty import apply, burst, clear, connection, faulty, recorded, rule, statuses, until
from gateway import device_token, pushcote
from provider import Provider, trust


def test_rules_match_by_properties_of_a_request(faulty):
    name, mine = faulty.device()
    other = device_token()
    matches = [
        {"token": mine.upper()}, {"device": name}, {"topic": "com.example.mine"}, {"pushType": "background"},
        {"headers": {"x-test": "1"}}, {"keyId": faulty.key_id + "x"}, {"verdict": "PayloadEmpty"},
    ]
    for index, match in enumerate(matches):
        rule(faulty, {"answer": {"status": 450 + index}}, match, name=f"fault-{index}")
    with Provider.to(faulty) as provider:
        assert provider.push(mine).status == 450
        assert provider.push(other).status == 200
        assert provider.push(other, apns_topic="com.example.mine").status == 452
        assert provider.push(other, apns_push_type="background", apns_priority="5").status == 453
        assert provider.push(other, x_test="1").status == 454
        assert provider.push(other, b"").status == 456
        faulty.api("DELETE", "/faults/fault-0")
        assert provider.push(mine).status == 451


def test_probability_follows_the_seed(faulty):
    def run():
        rule(faulty, {"answer": {"status": 500}}, {"probability": 0.5}, name="dice")
        with Provider.to(faulty) as provider:
            statuses = [provider.push(device_token()).status for _ in range(40)]
        faulty.api("DELETE", "/faults")
        return statuses

    first = run()
    assert first == run()
    assert 8 < first.count(500) < 32


def test_latency_follows_the_seed(faulty):
    def run():
        rule(faulty, {"latency": {"median": "100ms", "p99": "1200ms"}}, name="slow")
        token = device_token()
        # At once, so that the pause of a busy machine adds to all delays.
        with connection(faulty) as provider:
            assert {provider.answer(stream).status for stream in burst(provider, 20, token)} == {200}
        faulty.api("DELETE", "/faults")
        records = recorded(faulty, token)
        return [
            datetime.fromisoformat(one["answer"]["at"]) - datetime.fromisoformat(one["receivedAt"]) for one in records]

    first, second = run(), run()
    assert len(first) == 20 and max(first) > 2 * min(first)
    # Apart from the timer's accuracy, the delays of the second run equal those of the first.
    order = sorted(range(20), key=lambda index: first[index])
    slow = set(order[15:])
    assert {index for index in sorted(range(20), key=lambda index: second[index])[12:]} >= set(order[18:]), slow


def test_a_rate_follows_the_gateways_clock(start_gateway):
    gateway = start_gateway("streams.oneUntilAccepted=false")
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    apply(gateway, "G23")
    token = device_token()
    with httpx.Client(http2=True, verify=trust(gateway.ca, alpn=None)) as client:
        def push(token):
            return client.post(
                f"https://localhost:{gateway.provider[1]}/3/device/{token}", content=b'{"aps":{"alert":"Tea"}}',
                headers={"authorization": f"bearer {gateway.bearer}", "apns-topic": "com.example.app"})

        answers = [push(token) for _ in range(5)]
        assert [one.status_code for one in answers] == [200] * 3 + [429] * 2
        assert answers[-1].json() == {"reason": "TooManyRequests"} and "retry-after" not in answers[-1].headers
        assert push(device_token()).status_code == 200
        gateway.api("POST", "/clock/advance", json={"by": "9999ms"})
        assert push(token).status_code == 429
        gateway.api("POST", "/clock/advance", json={"by": "1ms"})
        assert push(token).status_code == 200
    assert gateway.api("GET", "/faults/too-many-requests")["fired"] == 3


def test_windows_follow_the_gateways_clock(start_gateway):
    gateway = start_gateway()
    now = gateway.api("PUT", "/clock", json={"mode": "manual"})["now"]
    rule(gateway, {"answer": {"status": 503}}, name="outage", **{"for": "30s"})
    with Provider.to(gateway, bearer=True) as provider:
        assert provider.push(device_token()).status == 503
        gateway.api("POST", "/clock/advance", json={"by": "29s"})
        assert provider.push(device_token()).status == 503
        gateway.api("POST", "/clock/advance", json={"by": "1s"})
        assert provider.push(device_token()).status == 200
    assert now


def test_fixtures_set_faults(start_gateway, tmp_path):
    (tmp_path / "10.yaml").write_text(
        "faults:\n- {name: tea, match: {probability: 1.0}, effect: {answer: {status: 418}}, count: 1}\n- scenario: G5\n")
    gateway = start_gateway(f"fixtures={tmp_path}")
    assert [one["name"] for one in gateway.api("GET", "/faults")["faults"]] == ["tea", "never-answered"]
    with Provider.to(gateway) as provider:
        assert statuses(provider, 2) == [418, 200]


def test_the_command_sets_and_clears(faulty):
    def fault(*arguments):
        run = pushcote("fault", *arguments, "--admin", "http://%s:%d" % faulty.admin_address)
        assert run.returncode == 0, run.stderr
        return run.stdout.splitlines()

    assert fault("apply", "G4", "lost-answer") == [
        "NAME              STAGE    MATCHED  FIRED", "connection-reset  request  0        0",
        "lost-answer       request  0        0"]
    assert fault("clear", "lost-answer") == ["1 rule removed"]
    assert len(fault("list")) == 2
    assert fault("clear") == ["1 rule removed"]
    assert fault() == ["There are no fault rules."]
    assert len(fault("scenarios")) == 37
    assert fault("apply", "G4", "G5", "--match", "device=phone", "--count", "2")
    for one in faulty.api("GET", "/faults")["faults"]:
        assert (one["match"]["device"], one["count"]) == ("phone", 2)


def test_the_command_applies_all_scenarios_or_none(faulty):
    run = pushcote("fault", "apply", "G4", "G99", "--admin", "http://%s:%d" % faulty.admin_address)
    assert run.returncode == 1 and "G99" in run.stderr
    assert not faulty.api("GET", "/faults")["faults"]
    assert [one["name"] for one in apply(faulty, "G16")] == ["single-environment-key", "wrong-environment"]
    with Provider.to(faulty) as provider:
        assert statuses(provider, 4) == [400, 403, 400, 403]


def test_a_hundred_rules_are_the_limit(faulty):
    rules = [{"name": f"rule-{index}", "effect": {"delay": "1ms"}} for index in range(100)]
    assert len(faulty.api("PUT", "/faults", json={"faults": rules})["faults"]) == 100
    answer = faulty.api("POST", "/faults", 409, json={"name": "one more", "effect": {"delay": "1ms"}})
    assert "100 fault rules" in answer["error"]
    faulty.api("PUT", "/faults", 409, json={"faults": rules + [{"name": "one more", "effect": {"delay": "1ms"}}]})
    assert len(faulty.api("GET", "/faults")["faults"]) == 100


# The first two are close to the 500 steps that all may have together.
LARGE = [{"name": f"rule-{index}", "effect": {"delay": "1ms"}, "match": {"where": f"payload.aps.alert=~(.?){{{count}}}!"}}
         for index, count in enumerate([120, 120, 10])]


def test_patterns_of_all_rules_are_bounded(faulty):
    faulty.api("PUT", "/faults", json={"faults": LARGE[:2]})
    for method, body in [("POST", LARGE[2]), ("PUT", {"faults": LARGE})]:
        answer = faulty.api(method, "/faults", 409, json=body)
        assert "500" in answer["error"] and "regular expressions" in answer["error"]
    assert [rule["name"] for rule in faulty.api("GET", "/faults")["faults"]] == ["rule-0", "rule-1"]
    faulty.api("DELETE", "/faults/rule-0")
    faulty.api("POST", "/faults", json=LARGE[2])


def test_patterns_of_files_are_bounded_together(tmp_path):
    file = tmp_path / "10.yaml"
    for rules, status in [(LARGE[:2], 0), (LARGE, 2)]:
        file.write_text(json.dumps({"faults": rules}))
        checked = pushcote("config", "--set", f"fixtures={tmp_path}", cwd=tmp_path)
        assert checked.returncode == status, checked.stderr
    assert "500 steps" in checked.stderr and "10.yaml:" in checked.stderr


def test_files_may_set_a_hundred_rules(tmp_path):
    file = tmp_path / "10.yaml"
    for count, status in [(100, 0), (101, 2)]:
        file.write_text("faults:\n" + "".join(f"- {{name: rule-{one}, effect: {{delay: 1ms}}}}\n" for one in range(count)))
        run = pushcote("config", "--set", f"fixtures={tmp_path}", cwd=tmp_path)
        assert run.returncode == status, run.stderr
    assert "10.yaml:102:" in run.stderr and "too many fault rules: 101; accepted: at most 100" in run.stderr


def test_a_new_configuration_keeps_rules_set_by_the_api(start_gateway, tmp_path):
    file = tmp_path / "10.yaml"
    file.write_text("faults:\n- {name: kept, effect: {delay: 1ms}}\n- {name: gone, effect: {delay: 1ms}}\n")
    gateway = start_gateway(f"fixtures={tmp_path}")
    rule(gateway, {"delay": "1ms"}, name="by-hand")

    def names():
        return [one["name"] for one in gateway.api("GET", "/faults")["faults"]]

    file.write_text("faults:\n" + "".join(f"- {{name: {name}, effect: {{delay: 1ms}}}}\n" for name in ("new", "kept", "by-hand")))
    gateway.send(signal.SIGHUP)
    until(lambda: "new" in names(), "new rule")
    assert names() == ["new", "kept", "by-hand"]
    until(lambda: "the admin API has set others" in gateway.stderr, "warning")
    gateway.api("DELETE", "/faults/by-hand")
    gateway.send(signal.SIGHUP)
    until(lambda: "by-hand" in names(), "rule of the file")


def test_reset_clears_faults(start_gateway):
    gateway = start_gateway()
    apply(gateway, "G5")
    gateway.api("POST", "/reset", json={"keep": ["faults"]})
    assert gateway.api("GET", "/faults")["faults"]
    gateway.api("POST", "/reset")
    assert not gateway.api("GET", "/faults")["faults"]
