"""Fault rules: what they match, how often they fire, and how they are set by API, command and file."""

import json
import signal

from faulty import apply, clear, faulty, rule, statuses, until
from gateway import device_token, pushcote
from provider import Provider


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
