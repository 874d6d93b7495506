"""Durability: kill -9 under load, full disks, locked and damaged files."""

import os
import random
import resource
import sqlite3
import ssl
import subprocess
import threading
import time

import h2.exceptions
import httpx
import pytest

from gateway import LISTENERS, pushcote
from provider import Provider
from test_extensions import TOPIC, script

ROUNDS = int(os.environ.get("PUSHCOTE_KILL_ROUNDS", "10"))
SEED = int(os.environ.get("PUSHCOTE_KILL_SEED", "0")) or random.randrange(1 << 30)


def sqlite(folder, *more):
    return ["journal=sqlite", f"sqlite.file={folder}/journal.sqlite", *more]


def everything(gateway, path="/notifications", key="notifications", **query):
    """The entries of all pages of a list."""
    found, since = [], 0
    while True:
        page = gateway.api("GET", path, params={"limit": 1000, "since": since, **query})
        found += page[key]
        if not page[key]:
            return found
        since = page["next"]


class Load:
    """A provider that pushes until its connection closes, and records the answers."""

    def __init__(self, gateway, token, name):
        self.gateway, self.token, self.name = gateway, token, name
        self.accepted, self.refused = {}, []
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        number = 0
        try:
            with Provider.to(self.gateway) as client:
                client.push(self.token, b'{"aps":{"alert":"%s-0"}}' % self.name.encode())
                while True:
                    batch = {}
                    for _ in range(20):
                        number += 1
                        text = "%s-%d" % (self.name, number)
                        batch[client.send(self.token, b'{"aps":{"alert":"%s"}}' % text.encode())] = text
                    try:
                        for stream in batch:
                            client.answer(stream)
                    finally:
                        # Answers received before the connection closed count, whatever happened to the others.
                        for stream, text in batch.items():
                            answer = client.answers[stream]
                            if answer.ended and answer.status == 200:
                                self.accepted[text] = answer.apns_id.lower()
                            elif answer.ended and answer.status:
                                self.refused.append(answer.status)
        except (OSError, ssl.SSLError, AssertionError, h2.exceptions.ProtocolError):
            return


class Changes:
    """Changes devices, registrations and the clock until the gateway dies, and records every confirmed change."""

    def __init__(self, gateway, name):
        self.gateway, self.name = gateway, name
        self.devices, self.tokens, self.gone, self.now = [], {}, [], None
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            self.gateway.api("PUT", "/clock", json={"mode": "manual"})
            for number in range(10_000):
                name, token = self.gateway.device("%s-%d" % (self.name, number))
                self.devices.append(name)
                self.tokens[token] = name
                if number % 3 == 0:
                    self.gateway.api("DELETE", f"/devices/{name}/registrations/{token}")
                    self.gone.append(token)
                self.now = self.gateway.api("POST", "/clock/advance", json={"by": "PT0.25S"})["now"]
        except (httpx.HTTPError, OSError, RuntimeError):
            # The client may have been closed meanwhile.
            return


def notifications(gateway, since=0):
    found = []
    while True:
        page = gateway.api("GET", "/notifications", params={"limit": 1000, "since": since})
        found += page["notifications"]
        if not page["notifications"]:
            return found
        since = page["next"]


def test_kill_9_loses_nothing(start_gateway, tmp_path, bearer):
    """Every push answered 200 exists after the restart, once and in order; so do devices, tokens and the clock."""
    chance = random.Random(SEED)
    options = sqlite(tmp_path, "inbox.perDevice=10000000", "inbox.total=10000000", "sqlite.checkpointEvery=997")
    accepted, found, devices, tokens, gone, last_now = {}, [], [], {}, [], ""
    gateway = start_gateway(*options)
    shared = gateway.device("shared")[1]
    devices.append("shared")
    for number in range(ROUNDS):
        loads = [Load(gateway, shared, f"r{number}-a"), Load(gateway, shared, f"r{number}-b"),
                 Load(gateway, f"{number:064x}", f"r{number}-c")]
        changes = Changes(gateway, f"r{number}")
        time.sleep(chance.uniform(0.05, 1.0))
        # A busy machine may accept nothing so soon.
        while number % 2 and not loads[0].accepted and loads[0].thread.is_alive():
            time.sleep(0.01)
        gateway.crash()
        for one in [*loads, changes]:
            one.thread.join()
            one_refused = getattr(one, "refused", [])
            assert not one_refused, (SEED, number, one_refused)
        for load in loads:
            accepted |= load.accepted
        devices += changes.devices
        tokens |= changes.tokens
        gone += changes.gone
        last_now = changes.now or last_now
        gateway.start()

        found += notifications(gateway, since=found[-1]["id"] if found else 0)
        ids = [one["id"] for one in found]
        where = f"seed {SEED}, round {number}"
        assert ids == sorted(set(ids)), where
        texts = [one["body"] for one in found]
        assert len(texts) == len(set(texts)), where
        by_text = {one["body"]: one for one in found}
        missing = [text for text in accepted if text not in by_text]
        assert not missing, f"{where}: {len(missing)} of {len(accepted)} lost: {missing[:5]}"
        assert all(by_text[text]["apnsId"].lower() == apns_id for text, apns_id in accepted.items()), where
        # Pushes of one connection are stored in the order in which they were sent.
        order = {}
        for text in texts:
            name, _, count = text.rpartition("-")
            assert order.get(name, -1) < int(count), where
            order[name] = int(count)
        for name in devices:
            gateway.api("GET", f"/devices/{name}")
        for token, name in tokens.items():
            status = gateway.api("GET", f"/devices/{name}/registrations/{token}")["status"]
            assert status == "unregistered" if token in gone else True, where
        clock = gateway.api("GET", "/clock")
        if last_now:
            assert clock["mode"] == "manual" and clock["now"] >= last_now, where
    assert [(one["id"], one["body"]) for one in notifications(gateway)] == [(one["id"], one["body"]) for one in found]
    assert len(accepted) >= ROUNDS // 2 * 20, "the load was no load"
    print(f"{ROUNDS} kills, {len(accepted)} pushes answered, {len(devices)} devices; seed {SEED}")


def test_a_clean_stop_and_start_changes_nothing(start_gateway, tmp_path):
    gateway = start_gateway(*sqlite(tmp_path))
    name, token = gateway.device()
    with Provider.to(gateway) as client:
        for _ in range(3):
            assert client.push(token).status == 200
    gateway.api("POST", f"/devices/{name}/actions", json={"action": "lock"})
    key = gateway.key(keyId="KEPTKEY123")
    before = gateway.api("GET", "/state"), gateway.api("GET", f"/devices/{name}/events")
    gateway.stop()
    gateway.start()
    assert (gateway.api("GET", "/state"), gateway.api("GET", f"/devices/{name}/events")) == before
    assert gateway.api("GET", "/keys/KEPTKEY123")["keyId"] == key["keyId"]


def test_identifiers_do_not_come_again_although_the_seed_is_fixed(start_gateway, tmp_path):
    """After a restart, and in another gateway that loads the state."""
    gateway = start_gateway("seed=1", *sqlite(tmp_path))
    name, token = gateway.device()

    def push(gateway):
        with Provider.to(gateway) as client:
            sent = [client.push(token, b'{"aps":{"alert":"Hi"}}').headers for _ in range(3)]
        direct = gateway.api("POST", f"/devices/{name}/push?topic=com.example.app&pushType=alert", json={"aps": {"alert": "Hi"}})
        return [direct["apnsId"]] + [headers[key] for headers in sent for key in ("apns-id", "apns-unique-id")]

    identifiers = push(gateway)
    gateway.stop()
    gateway.start()
    identifiers += push(gateway)
    other = start_gateway("seed=1")
    other.api("PUT", "/state", json=gateway.api("GET", "/state"))
    identifiers += push(other)
    assert len({one.lower() for one in identifiers}) == 21


def test_an_extension_that_a_clean_stop_interrupts_runs_again(start_gateway, tmp_path):
    go_on = tmp_path / "go-on"
    extension = script(
        tmp_path, f"while not os.path.exists({str(go_on)!r}): time.sleep(0.01)\n"
        "say(type='content', id=message['id'], content={'title': 'Modified'})")
    gateway = start_gateway(*sqlite(tmp_path))
    gateway.api("PUT", f"/apps/{TOPIC}", json={"extension": extension})
    name, _ = gateway.device()
    payload = {"aps": {"alert": {"title": "Original", "body": "b"}, "mutable-content": 1}}
    gateway.api("POST", f"/devices/{name}/push?topic={TOPIC}&pushType=alert", json=payload)
    gateway.api("GET", f"/devices/{name}/events", params={"kind": "nseStarted", "wait": "10s"})
    gateway.stop()
    go_on.touch()
    gateway.start()
    found = gateway.detail(gateway.wait(device=name, state="delivered")[0])
    assert found["displayed"]["title"] == "Modified"
    assert found["extension"]["verdict"] == "modified"


@pytest.mark.parametrize("version, expected", [
    ("--http1.1", ["connection.http1", "connection.clear-text"]), ("--http2-prior-knowledge", ["connection.clear-text"])])
def test_findings_on_the_connection_survive_a_restart(start_gateway, tmp_path, bearer, version, expected):
    gateway = start_gateway(*sqlite(tmp_path))
    _, token = gateway.device()
    address = "http://%s:%d/3/device/%s" % (*gateway.clear_text, token)
    subprocess.run(
        ["curl", "-sf", version, "-H", "apns-topic: com.example.app", "-H", f"authorization: bearer {bearer}",
         "-d", '{"aps":{"alert":"Hi"}}', address], check=True)
    before = gateway.api("GET", "/notifications/1")["findings"]
    assert [one["id"] for one in before][:len(expected)] == expected
    gateway.stop()
    gateway.start()
    assert gateway.api("GET", "/notifications/1")["findings"] == before


def test_an_imported_state_survives_a_kill(start_gateway, tmp_path, gateway):
    gateway.device("imported")
    state = gateway.api("GET", "/state")
    kept = start_gateway(*sqlite(tmp_path))
    kept.api("PUT", "/state", json=state)
    before = kept.api("GET", "/state")
    kept.crash()
    kept.start()
    assert kept.api("GET", "/state") == before


def wait_until_ready(gateway):
    deadline = time.monotonic() + 60
    while gateway.admin.get("/readyz").status_code != 200:
        assert time.monotonic() < deadline, "it never recovered"
        time.sleep(0.05)


def test_a_full_disk_rejects_pushes_and_recovers(start_gateway, tmp_path):
    """Answers 503 while the disk is full, never a 200 that is lost; the same process recovers when there is room."""
    gateway = start_gateway(*sqlite(tmp_path), ignores_file_limit=True)
    name, token = gateway.device()
    with Provider.to(gateway) as client:
        assert client.push(token, b'{"aps":{"alert":"before"}}').status == 200
        size = os.path.getsize(tmp_path / "journal.sqlite-wal")
        resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        answer = client.push(token, b'{"aps":{"alert":"refused"}}')
        assert (answer.status, answer.reason) == (503, "ServiceUnavailable")
        answer = client.push(token, b'{"aps":{"alert":"refused at once"}}')
        assert (answer.status, answer.reason) == (503, "ServiceUnavailable")
        assert [one["body"] for one in gateway.notifications()] == ["before"]
        for other in ("other", "metrics"):
            refusal = gateway.api("PUT", f"/devices/{other}", json={}, expect=503)["error"]
            assert "journal.sqlite" in refusal, refusal
        assert gateway.admin.get("/readyz").status_code == 503
        metrics = gateway.admin.get("/metrics").text
        assert "pushcote_journal_failing 1" in metrics and "pushcote_journal_failed_commits_total 1" in metrics
        resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        wait_until_ready(gateway)
        assert client.push(token, b'{"aps":{"alert":"after"}}').status == 200
    assert [one["body"] for one in gateway.notifications()] == ["before", "after"]
    gateway.crash()
    gateway.start()
    assert [one["body"] for one in gateway.notifications()] == ["before", "after"]
    assert [one["status"] for one in gateway.api("GET", "/devices/" + name)["registrations"]] == ["active"]


def test_a_removed_file_rejects_pushes_until_it_is_back(start_gateway, tmp_path):
    """Writes to an unlinked file would be lost at exit: answers 503 until the file is back, then recovers."""
    gateway = start_gateway(*sqlite(tmp_path))
    name, token = gateway.device()
    with Provider.to(gateway) as client:
        assert client.push(token, b'{"aps":{"alert":"before"}}').status == 200
        (tmp_path / "journal.sqlite").rename(tmp_path / "away")
        assert client.push(token, b'{"aps":{"alert":"refused"}}').status == 503
        refusal = gateway.api("PUT", "/devices/other", json={}, expect=503)["error"]
        assert "journal.sqlite: was removed or replaced" in refusal and "GET /api/v1/state" in refusal, refusal
        assert [one["body"] for one in gateway.notifications()] == ["before"]
        (tmp_path / "away").rename(tmp_path / "journal.sqlite")
        wait_until_ready(gateway)
        assert client.push(token, b'{"aps":{"alert":"after"}}').status == 200
    gateway.crash()
    gateway.start()
    assert [one["body"] for one in gateway.notifications()] == ["before", "after"]


def start_fails(tmp_path, certificates, file):
    made = pushcote(
        "serve", "--set", f"certificates.folder={certificates}", "--set", "journal=sqlite", "--set",
        f"sqlite.file={file}", *[part for kind in LISTENERS
                                 for part in ("--set", f"listen.{kind}=127.0.0.1:0")], cwd=tmp_path)
    assert made.returncode != 0
    assert str(file) in made.stderr, made.stderr
    return made.stderr


def test_a_journal_in_use_is_not_shared(start_gateway, tmp_path, certificates):
    start_gateway(*sqlite(tmp_path))
    assert "in use by another process" in start_fails(tmp_path, certificates, tmp_path / "journal.sqlite")


def test_a_damaged_journal_stops_start_up(start_gateway, tmp_path, certificates):
    gateway = start_gateway(*sqlite(tmp_path))
    _, token = gateway.device()
    with Provider.to(gateway) as client:
        for _ in range(200):
            assert client.push(token).status == 200
    gateway.crash()
    file = tmp_path / "journal.sqlite"
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT count(*) FROM batches").fetchone()[0] > 100
        database.execute("DELETE FROM batches WHERE last = (SELECT last FROM batches LIMIT 1 OFFSET 50)")
    database.close()
    assert "an input is missing" in start_fails(tmp_path, certificates, file)
    content = bytearray(file.read_bytes())
    content[:16] = b"not a database!!"
    file.write_bytes(content)
    assert "not a SQLite file" in start_fails(tmp_path, certificates, file)


@pytest.mark.parametrize("name, words", [("missing/journal.sqlite", "Its folder must exist"), ("other.sqlite", "another program")])
def test_an_unusable_file_is_named(tmp_path, certificates, name, words):
    with sqlite3.connect(tmp_path / "other.sqlite") as database:
        database.execute("CREATE TABLE theirs (value)")
    database.close()
    assert words in start_fails(tmp_path, certificates, tmp_path / name)


def test_only_the_owner_reads_the_journal(start_gateway, tmp_path):
    """It has payloads, tokens and webhooks' secrets."""
    gateway = start_gateway(*sqlite(tmp_path))
    gateway.device()
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("journal.sqlite*")}
    assert modes == {"journal.sqlite": 0o600, "journal.sqlite-wal": 0o600}
    gateway.stop()
    # As an older version left it.
    (tmp_path / "journal.sqlite").chmod(0o644)
    start_gateway(*sqlite(tmp_path))
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("journal.sqlite*")} == {0o600}
