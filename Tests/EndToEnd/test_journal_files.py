"""The journal's fault rules and devices, and those of the configuration's files."""

from provider import Provider
from test_journal import sqlite


def test_a_rule_that_fired_its_count_stays_spent(start_gateway, tmp_path, bearer):
    kept = start_gateway(*sqlite(tmp_path))
    _, token = kept.device()
    effect = {"answer": {"status": 503, "reason": "Shutdown"}}
    for name, count in [("once", 1), ("three", 3)]:
        kept.api("POST", "/faults", json={"name": name, "count": count, "effect": effect})
    with Provider.to(kept) as client:
        assert [client.push(token).status for _ in range(2)] == [503, 503]
    # The answer waits for what it shows to be written.
    assert [rule["fired"] for rule in kept.api("GET", "/faults")["faults"]] == [1, 1]
    kept.crash()
    kept.start()
    with Provider.to(kept) as client:
        # The counts of the other begin again.
        assert [client.push(token).status for _ in range(4)] == [503, 503, 503, 200]
    assert [rule["fired"] for rule in kept.api("GET", "/faults")["faults"]] == [1, 3]


def test_a_rule_of_the_files_stays_spent_or_deleted_until_it_changes(start_gateway, tmp_path):
    folder = tmp_path / "fixtures"
    folder.mkdir()
    file = folder / "faults.yaml"
    rule = "- {name: %s, match: {topic: %s}, count: 1, effect: {answer: {status: 503, reason: Shutdown}}}\n"
    rules = {name: rule % (name, f"com.example.{name}") for name in ("spent", "deleted", "unused", "replaced")}
    file.write_text("faults:\n" + "".join(rules.values()))
    kept = start_gateway(*sqlite(tmp_path, f"fixtures={folder}"))
    kept.api("PUT", "/devices/phone", json={"registrations": [{"topic": f"com.example.{name}"} for name in rules]})
    token = {one["topic"].split(".")[-1]: one["token"] for one in kept.api("GET", "/devices/phone")["registrations"]}

    def answers(*names):
        with Provider.to(kept) as client:
            return [client.push(token[name], apns_topic=f"com.example.{name}").status for name in names]

    def fired():
        return {one["name"]: one["fired"] for one in kept.api("GET", "/faults")["faults"]}

    assert answers("spent", "spent") == [503, 200]
    kept.api("DELETE", "/faults/deleted")
    kept.api("DELETE", "/faults/replaced")
    kept.api("POST", "/faults", json={"name": "replaced", "match": {"topic": "none"}, "effect": {"delay": "1ms"}})
    for end in (kept.crash, kept.stop):
        end()
        kept.start()
        assert fired() == {"spent": 1, "unused": 0, "replaced": 0}
        assert answers("spent", "deleted", "replaced") == [200, 200, 200]
    # A changed rule is a new one.
    kept.stop()
    file.write_text(file.read_text().replace("count: 1", "count: 2"))
    kept.start()
    assert fired() == {"spent": 0, "deleted": 0, "unused": 0, "replaced": 0}
    assert answers("spent", "spent", "spent", "deleted", "replaced") == [503, 503, 200, 503, 200]
    # A rule that the file no longer has goes.
    kept.stop()
    file.write_text("faults:\n" + rules["unused"])
    kept.start()
    assert fired() == {"unused": 0, "replaced": 0}


def test_fixtures_add_to_the_state_of_the_journal(start_gateway, tmp_path):
    """A device from a file keeps its later changes; when the file's entry changes, the file wins."""
    folder = tmp_path / "fixtures"
    folder.mkdir()
    file = folder / "devices.yaml"
    file.write_text("devices:\n  Phone:\n    isLocked: true\n    registrations:\n      - topic: com.example.app\n")
    gateway = start_gateway(*sqlite(tmp_path, f"fixtures={folder}"))
    gateway.api("PATCH", "/devices/Phone", json={"isOnline": False})
    gateway.crash()
    gateway.start()
    assert gateway.api("GET", "/devices/Phone")["isOnline"] is False
    assert len(gateway.api("GET", "/devices/Phone")["registrations"]) == 1
    gateway.stop()
    file.write_text(file.read_text().replace("isLocked: true", "isLocked: false"))
    gateway.start()
    phone = gateway.api("GET", "/devices/Phone")
    assert phone["isOnline"] is True and phone["isLocked"] is False
