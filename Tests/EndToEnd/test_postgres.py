"""Several gateways and a state in Postgres: one serves, the others stand by, and nothing answered is lost."""

import glob
import os
import random
import socket
import subprocess
import time
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace

import pytest

import postgres
from gateway import BINARY, environment, pushcote
from provider import Provider
from replicas import House, accepted_some, loads

pytestmark = pytest.mark.skipif(bool(postgres.MISSING), reason=str(postgres.MISSING))

KEEPS_ALL = ("inbox.perDevice=10000000", "inbox.total=10000000", "postgres.checkpointEvery=997")


@pytest.fixture(scope="module")
def cluster():
    """A primary and a standby that syncs every commit."""
    with postgres.Cluster(1) as cluster:
        yield cluster


@pytest.fixture
def make_house(tmp_path, certificates, cluster):
    houses = []

    def make(*options, connection=None):
        houses.append(House(tmp_path, certificates, connection or cluster.connection, *options))
        return houses[-1]

    yield make
    for house in houses:
        house.close()


def push(owner, token):
    with Provider.to(owner) as provider:
        return provider.push(token)


def house_metrics(gateway):
    lines = (line.split() for line in gateway.admin.get("/metrics").text.splitlines())
    return {line[0].removeprefix("pushcote_house_"): line[1] for line in lines if line[0].startswith("pushcote_house_")}


def late_text(number, count):
    return b'{"aps":{"alert":"late%d-%d"}}' % (number, count)


def test_standbys_name_the_owner(make_house):
    house = make_house("postgres.requireQuorum=true")
    owner, standby = house.owner("postgres.address=gateway-0:8197"), house.standby()
    assert "on standbys: ANY 1" in owner.stderr
    assert standby.admin.get("/livez").json() == {"status": "ok"}
    for path in ("/readyz", "/readyz?of=owner", "/api/v1/readyz"):
        answer = standby.admin.get(path)
        assert answer.status_code == 503
        assert answer.json()["status"] == "standby" and "gateway-0:8197" in answer.json()["reason"]
    for path in ("/api/v1/info", "/"):
        answer = standby.admin.get(path)
        assert answer.status_code == 503 and "gateway-0:8197" in answer.json()["error"]
    assert owner.admin.get("/readyz").status_code == owner.admin.get("/readyz?of=owner").status_code == 200
    assert house_metrics(owner) == {"owner": "1", "epoch": "1", "quorum": "1"}
    assert house_metrics(standby) == {"owner": "0"}
    owner.stop()
    standby.wait_until_owner()
    assert house_metrics(standby) == {"owner": "1", "epoch": "2", "quorum": "1"}
    standby.stop()


def test_kill_9_of_the_owner_loses_nothing(make_house):
    house, chance = make_house(*KEEPS_ALL), random.Random(7)
    owner, standby = house.owner(), house.standby()
    for number in range(3):
        running = loads(owner, f"r{number}")
        for load in running:
            accepted_some(load)
        running[0].thread.join(chance.uniform(0, 0.5))
        owner.crash()
        standby.wait_until_owner()
        house.end(*running)
        house.check(standby)
        owner, standby = standby, house.standby()
    assert len(house.accepted) > 100


def test_a_stopped_owner_cannot_write_after_a_takeover(make_house):
    """It wakes up when another has taken over: it answers only 503, and leaves."""
    house = make_house(*KEEPS_ALL)
    owner, standby = house.owner(), house.standby()
    for number in range(2):
        running = loads(owner, f"r{number}")
        for load in running:
            accepted_some(load)
        token = owner.device()[1]
        with Provider.to(owner) as late:
            assert late.push(token, late_text(number, 0)).status == 200

            def meanwhile():
                standby.wait_until_owner()
                # Unknown tokens and bad requests, too: their answers would come from a state that is not the newest.
                return [late.send(token, late_text(number, 1)), late.send("ab" * 32), late.send(token, apns_topic="wrong")]

            streams = owner.stop_and_continue(meanwhile)
            late.until_closed()
            answers = [late.answers[stream].status for stream in streams]
            assert set(answers) <= {503, 0}, answers
        assert owner.wait_for_end() == 1
        assert "has taken over the house" in owner.stderr
        owner.close()
        house.end(*running)
        house.check(standby)
        owner, standby = standby, house.standby()


def test_handover_carries_everything_over(make_house):
    house = make_house("inbox.perDevice=10")
    owner, standby = house.owner(), house.standby()
    device, token = owner.device()
    owner.api("POST", "/faults", json={"name": "slow", "match": {"topic": "com.example.other"}, "effect": {"delay": "1s"}})
    key = owner.key()
    now = owner.api("PUT", "/clock", json={"mode": "manual"})["now"]
    assert push(owner, token).status == 200
    before = owner.api("GET", "/state")
    done = pushcote("handover", "--admin", "http://%s:%d" % owner.admin_address)
    assert done.returncode == 0 and done.stdout == "leaving\n", done.stderr
    assert owner.wait_for_end() == 0
    standby.wait_until_owner()
    assert standby.api("GET", "/state") == before
    assert standby.api("GET", "/clock")["now"] == now
    assert [rule["name"] for rule in standby.api("GET", "/faults")["faults"]] == ["slow"]
    assert key["keyId"] in [one["keyId"] for one in standby.api("GET", "/keys")["keys"]]
    assert standby.api("DELETE", "/faults/slow") == {"removed": 1}
    standby.stop()
    assert house.owner().api("GET", "/faults")["faults"] == []


def test_handover_requires_a_standby(gateway):
    assert "standbys" in gateway.api("POST", "/handover", expect=409)["error"]
    assert gateway.admin.get("/readyz?of=owner").status_code == 200


def test_the_clock_does_not_go_back_after_a_takeover_by_a_slower_machine(make_house, cluster):
    house = make_house()
    owner = house.owner()
    token = owner.device("phone")[1]
    assert push(owner, token).status == 200
    owner.stop()
    # As if its clock had been half an hour ahead. Provider tokens, which have the real time, are valid for an hour.
    cluster.primary.query(
        f"UPDATE pushcote_checkpoints SET written_at = written_at + 1800000 WHERE house = '{house.name}'")
    ahead = cluster.primary.query(f"SELECT written_at FROM pushcote_checkpoints WHERE house = '{house.name}'")
    again = house.owner()
    assert push(again, token).status == 200
    newest = again.notifications(device="phone")[-1]
    arrived = cluster.primary.query(f"SELECT extract(epoch FROM timestamptz '{newest['receivedAt']}') * 1000 >= {ahead}")
    assert arrived == "t", newest["receivedAt"]


def test_clocks_five_seconds_apart(make_house):
    house = make_house()
    house.clocks = [5, 0]
    owner, standby = house.owner(), house.standby()
    token = owner.device("phone")[1]
    before = datetime.now(timezone.utc)
    assert push(owner, token).status == 200
    ahead = owner.notifications(device="phone")[-1]["receivedAt"]
    assert datetime.fromisoformat(ahead) > before + timedelta(seconds=3)
    owner.crash()
    standby.wait_until_owner()
    assert push(standby, token).status == 200
    assert standby.notifications(device="phone")[-1]["receivedAt"] >= ahead
    standby.stop()


def test_a_connection_cut_between_commit_and_answer(make_house, cluster):
    """The chain says that the push was written, so it is answered 200, and it is there once."""
    relay = postgres.ServerRelay(cluster.primary)
    try:
        owner = make_house(connection=relay.connection).owner()
        device, token = owner.device()
        relay.cut_after(b"INSERT INTO pushcote_batches")
        assert push(owner, token).status == 200
        assert relay.cuts == 1
        assert len(owner.notifications(device=device)) == 1
        owner.stop()
    finally:
        relay.close()


def test_a_late_begin_leaves_no_transaction_open(make_house, cluster):
    """Pushes written within it would be answered 200, and never be committed."""
    relay = postgres.ServerRelay(cluster.primary)
    try:
        house = make_house("postgres.checkpointEvery=2", "postgres.lease=10s")
        owner = house.owner(f"postgres.connection={relay.connection}")
        token = owner.device("phone")[1]
        with Provider.to(owner) as provider:
            relay.stall_at(b"BEGIN")
            assert 503 in (provider.push(token).status for _ in range(100))
            relay.resume()
            wait_until_written(provider, token)
            assert provider.push(token, late_text(0, 0)).status == 200
        owner.stop()
        again = house.owner()
        assert again.notifications(device="phone")[-1]["body"] == "late0-0"
        again.stop()
    finally:
        relay.close()


def test_the_database_stops_and_returns(make_house, tmp_path):
    with postgres.Cluster() as cluster:
        house = make_house(connection=cluster.connection)
        owner = house.owner()
        device, token = owner.device()
        with Provider.to(owner) as provider:
            assert provider.push(token).status == 200
            cluster.primary.end()
            answer = provider.push(token)
            assert (answer.status, answer.reason) == (503, "ServiceUnavailable")
            assert owner.admin.get("/readyz").status_code == 503
            assert owner.admin.get("/readyz?of=owner").status_code == 200
            cluster.primary.start()
            wait_until_written(provider, token)
            assert owner.admin.get("/readyz").status_code == 200
            owner.stop()


def test_a_dead_link_to_the_database(make_house, cluster):
    """The owner stops answering within its lease, and another takes over; nothing tells the owner but silence."""
    relay = postgres.ServerRelay(cluster.primary)
    try:
        house = make_house(*KEEPS_ALL)
        owner, standby = house.owner(f"postgres.connection={relay.connection}"), house.standby()
        running = loads(owner, "link")
        for load in running:
            accepted_some(load)
        token = owner.device()[1]
        with Provider.to(owner) as provider:
            assert provider.push(token, late_text(0, 0)).status == 200
            relay.stall()
            standby.wait_until_owner()
            assert provider.push(token, late_text(0, 1)).status == 503
            assert owner.admin.get("/api/v1/devices").status_code == 503
            assert house_metrics(owner)["owner"] == "0"
        relay.resume()
        assert owner.wait_for_end() == 1
        owner.close()
        house.end(*running)
        house.check(standby)
    finally:
        relay.close()


@pytest.mark.parametrize("loss", ["ended", "cut off"])
def test_without_a_standby_nothing_is_accepted(make_house, loss):
    """The wait for the quorum is not cut short: what was in it may be found later, as documented."""
    with postgres.Cluster(1) as cluster:
        standby, relay = cluster.servers[1], postgres.ServerRelay(cluster.primary)
        standby.follow(relay)
        standby.restart()
        lose, restore = {"ended": (standby.end, standby.start), "cut off": (relay.stall, relay.resume)}[loss]
        owner = make_house(connection=cluster.connection).owner()
        device, token = owner.device()
        with Provider.to(owner) as provider:
            assert provider.push(token).status == 200
            lose()
            try:
                assert provider.push(token).status == 503
                assert provider.push(token).status == 503
            finally:
                restore()
            wait_until_written(provider, token)
        assert len(owner.notifications(device=device)) >= 2
        owner.stop()
        relay.close()


def test_a_dead_link_to_a_provider(make_house):
    """Concerns that provider alone: the owner goes on, and answers when the link is back."""
    house = make_house()
    owner, standby = house.owner(), house.standby()
    relay = postgres.Relay(socket.create_server(("127.0.0.1", 0)), lambda: socket.create_connection(owner.provider))
    far = SimpleNamespace(provider=relay.address, ca=owner.ca, bearer=owner.bearer)
    device, token = owner.device()
    with Provider.to(far) as cut_off, Provider.to(owner) as near:
        assert cut_off.push(token, late_text(0, 0)).status == 200
        relay.stall()
        stream = cut_off.send(token, late_text(0, 1))
        assert near.push(token, late_text(0, 2)).status == 200
        assert standby.admin.get("/readyz").json()["status"] == "standby"
        relay.resume()
        assert cut_off.answer(stream).status == 200
    assert [one["body"] for one in owner.notifications(device=device)] == ["late0-0", "late0-2", "late0-1"]
    relay.close()
    standby.stop()
    owner.stop()


def wait_until_written(provider, token):
    """The gateway resumes by itself."""
    deadline = time.monotonic() + 30
    while (status := provider.push(token).status) != 200:
        assert status == 503 and time.monotonic() < deadline


# MARK: - What goes wrong at the start


def serve(tmp_path, *settings, env=None):
    return pushcote("serve", "--set", "journal=postgres", *settings, cwd=tmp_path, env=env)


def test_start_up_names_what_is_missing(tmp_path, cluster):
    assert "PUSHCOTE_POSTGRES_CONNECTION" in serve(tmp_path).stderr
    wrong = serve(tmp_path, "--set", "postgres.connection=oops=secret secret")
    assert wrong.returncode == 2 and "not a connection string" in wrong.stderr and "secret" not in wrong.stderr
    with postgres.Cluster() as alone:
        refused = serve(
            tmp_path, "--set", f"postgres.connection={alone.connection}", "--set", "postgres.requireQuorum=true",
            "--set", "listen.admin=127.0.0.1:0")
        assert refused.returncode == 1 and "on the primary alone" in refused.stderr
    shown = pushcote("config", "--set", "postgres.connection=host=db password=secret", cwd=tmp_path).stdout
    assert "postgres.connection" in shown and "secret" not in shown


def test_a_system_without_libpq(tmp_path):
    """Everything else runs there."""
    libraries = glob.glob("/usr/lib/*/libpq.so.5")
    if os.geteuid() != 0 or not libraries:
        pytest.skip("hiding libpq needs root")
    serve = f"exec {BINARY} serve --set journal=postgres --set postgres.connection=host=x"
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", f"mount --bind /dev/null {libraries[0]} && {serve}"], cwd=tmp_path,
        env=environment(), capture_output=True, text=True, timeout=30)
    assert done.returncode == 2 and "libpq5" in done.stderr, done.stderr
