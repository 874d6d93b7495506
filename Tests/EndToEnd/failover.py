"""`make failover`: several gateways on Postgres under everything that may go wrong; prints the table of docs/reliability.md.

    python failover.py [--rounds 30] [--only kill,stop,…]
"""

import argparse
import contextlib
import os
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import postgres
from gateway import pushcote
from provider import Provider
from replicas import House, accepted_some, loads

KEEPS_ALL = ("inbox.perDevice=10000000", "inbox.total=10000000", "postgres.checkpointEvery=9973", "log.pushes=false")
ROWS = []


def report(name, result):
    ROWS.append((name, result))
    print(f"| {name} | {result} |", flush=True)


def text():
    """A payload that no other push has."""
    return b'{"aps":{"alert":"%s-0"}}' % secrets.token_hex(8).encode()


def seconds(times):
    return f"median {statistics.median(times):.2f} s, worst {max(times):.2f} s"


class Setting:
    """A cluster and a house whose gateways have one folder of certificates."""

    def __init__(self, folder, certificates, standbys=2, **options):
        self.folder, self.certificates = folder, certificates
        self.cluster = postgres.Cluster(standbys, **options)

    def __enter__(self):
        self.cluster.__enter__()
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        self.house = House(folder, self.certificates, self.cluster.connection, *KEEPS_ALL)
        return self

    def __exit__(self, *_):
        self.house.close()
        self.cluster.close()


def under_load(owner, name, chance):
    running = loads(owner, name, 3)
    for load in running:
        accepted_some(load)
    running[0].thread.join(chance.uniform(0, 1))
    return running


def kill(setting, rounds, chance):
    house = setting.house
    owner, standby, third = house.owner(), house.standby(), house.standby()
    times = []
    for number in range(rounds):
        running = under_load(owner, f"r{number}", chance)
        owner.crash()
        start = time.monotonic()
        successor = first_owner(standby, third)
        times.append(time.monotonic() - start)
        house.end(*running)
        house.check(successor)
        other = third if successor is standby else standby
        owner, standby, third = successor, other, house.standby()
    report(f"`kill -9` of the owner under load, {rounds} times",
           f"{len(house.accepted)} pushes answered 200; lost, doubled, reordered: 0; serves again: {seconds(times)}")


def first_owner(*standbys):
    """Waits until one of them serves."""
    pause = 0.01
    while True:
        for standby in standbys:
            if "Owns the house" in standby.stderr:
                return standby.wait_until_owner()
            with contextlib.suppress(subprocess.TimeoutExpired):
                standby.process.wait(pause)


def stop(setting, rounds, chance):
    house = setting.house
    owner, standby, third = house.owner(), house.standby(), house.standby()
    times, kept = [], 0
    for number in range(rounds):
        running = under_load(owner, f"r{number}", chance)
        pause = chance.uniform(0.5, 10)
        epoch = epoch_of(setting)
        start = time.monotonic()
        successor = owner.stop_and_continue(lambda: serving_within(pause, standby, third, times, start))
        if epoch_of(setting) == epoch:
            # It woke up before its lease was taken, and goes on.
            kept += 1
            wait_for_answer(owner)
            owner.stop()
            successor = first_owner(standby, third)
        else:
            successor = successor or first_owner(standby, third)
            assert owner.wait_for_end() == 1, owner.stderr
            owner.close()
        house.end(*running)
        house.check(successor)
        other = third if successor is standby else standby
        owner, standby, third = successor, other, house.standby()
    report(f"`SIGSTOP` of the owner for 0.5 to 10 s, {rounds} times",
           f"{len(house.accepted)} pushes answered 200; lost, doubled, reordered: 0; {kept} owners woke up in time and went on, "
           f"{rounds - kept} left; serves again: {seconds(times) if times else 'never needed'}")


def serving_within(pause, standby, third, times, start):
    """The successor, if there is one before the owner wakes up."""
    while time.monotonic() - start < pause:
        for one in (standby, third):
            if "Owns the house" in one.stderr:
                one.wait_until_owner()
                times.append(time.monotonic() - start)
                rest = pause - (time.monotonic() - start)
                if rest > 0:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        one.process.wait(rest)
                return one
        with contextlib.suppress(subprocess.TimeoutExpired):
            standby.process.wait(0.01)
    return None


def epoch_of(setting):
    return setting.cluster.primary.query(f"SELECT epoch FROM pushcote_houses WHERE name = '{setting.house.name}'")


def wait_for_answer(owner, token=None, allowed=503):
    """How long until a push is answered 200; everything else must be the allowed status."""
    token = token or owner.device()[1]
    start = time.monotonic()
    with Provider.to(owner) as provider:
        while (status := provider.push(token, text()).status) != 200:
            assert status == allowed and time.monotonic() - start < 60, status
    return time.monotonic() - start


def promote(setting, rounds, chance):
    house, cluster = setting.house, setting.cluster
    owner = house.owner()
    house.standby()
    running = under_load(owner, "promotion", chance)
    cluster.primary.end()
    first, second = sorted(
        cluster.servers[1:], reverse=True,
        key=lambda server: int(server.query("SELECT pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::bigint")))
    start = time.monotonic()
    first.promote()
    second.end()
    second.follow(first)
    second.start()
    token = "ab" * 32
    pause = wait_for_answer(owner, token)
    total = time.monotonic() - start
    for load in running:
        load.gateway = owner
    owner.stop()
    house.end(*running)
    successor = first_owner(*[one for one in house.replicas if one is not owner])
    house.check(successor)
    report("the primary killed, the standby that is ahead promoted, the other one follows it",
           f"{len(house.accepted)} pushes answered 200, 0 lost; the next 200 comes {total:.2f} s after the promotion began, "
           f"{pause:.2f} s after the second server was back")


def standbys_gone(setting, rounds, chance):
    house, cluster = setting.house, setting.cluster
    owner = house.owner()
    device, token = owner.device()
    for server in cluster.servers[1:]:
        server.end()
    with Provider.to(owner) as provider:
        start = time.monotonic()
        assert provider.push(token, text()).status == 503
        until_refused = time.monotonic() - start
        assert provider.push(token, text()).status == 503
    cluster.servers[1].start()
    pause = wait_for_answer(owner, token)
    report("both standbys gone", f"503 after {until_refused:.2f} s, then at once; 200 again {pause:.2f} s after a standby is back")


def disk_full(setting, rounds, chance):
    house, cluster = setting.house, setting.cluster
    owner = house.owner()
    device, token = owner.device()
    small = cluster.folder / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m,mode=777", "tmpfs", small], check=True)
    try:
        place = small / "space"
        place.mkdir()
        os.chown(place, postgres.USER.pw_uid, postgres.USER.pw_gid)
        place.chmod(0o700)
        cluster.primary.query(f"CREATE TABLESPACE small LOCATION '{place}'")
        for table in ("batches", "parts"):
            cluster.primary.query(f"ALTER TABLE pushcote_{table} SET TABLESPACE small")
        ballast = small / "ballast"
        with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 12))
        with Provider.to(owner) as provider:
            while (status := provider.push(token, b'{"aps":{"alert":"%s"}}' % (b"x" * 3000)).status) == 200:
                pass
        assert status == 503
        # Its problem says what is wrong.
        reason = owner.admin.get("/readyz").json()["reason"]
        assert "disk is full" in reason, reason
        ballast.unlink()
        pause = wait_for_answer(owner, token)
        owner.kill()
        report("the disk of the tables full", f"503 meanwhile, and `/readyz` says so; 200 again {pause:.2f} s after there is room")
    finally:
        cluster.close()
        subprocess.run(["umount", "--lazy", small])


def rolling(setting, rounds, chance):
    house = setting.house
    owner, standby = house.owner(), house.standby()
    pauses = []
    for number in range(5):
        # Standbys first, the owner last.
        standby.stop()
        standby = house.standby()
        running = under_load(owner, f"roll{number}", chance)
        start = time.monotonic()
        done = pushcote("handover", "--admin", "http://%s:%d" % owner.admin_address)
        assert done.returncode == 0, done.stderr
        standby.wait_until_owner()
        wait_for_answer(standby)
        pauses.append(time.monotonic() - start)
        assert owner.wait_for_end() == 0
        house.end(*running)
        house.check(standby)
        owner, standby = standby, house.standby()
    report("rolling update under load, 5 times", f"{len(house.accepted)} pushes answered 200, 0 lost; from `handover` to the next 200: "
           f"{seconds(pauses)}")


class Namespace:
    """A network of its own with two links: 0 to the database, 1 to providers."""

    def __init__(self, number):
        self.name, self.links = f"pushcote-{os.getpid()}-{number}", []
        self._ip("netns", "add", self.name)
        self._ip("-n", self.name, "link", "set", "lo", "up")
        for kind in (0, 1):
            ours, theirs = f"pc{os.getpid() % 10000}{number}{kind}a", f"pc{os.getpid() % 10000}{number}{kind}b"
            net = f"10.77.{number * 2 + kind}"
            self._ip("link", "add", ours, "type", "veth", "peer", "name", theirs, "netns", self.name)
            self._ip("addr", "add", f"{net}.1/24", "dev", ours)
            self._ip("link", "set", ours, "up")
            self._ip("-n", self.name, "addr", "add", f"{net}.2/24", "dev", theirs)
            self._ip("-n", self.name, "link", "set", theirs, "up")
            self.links.append((ours, f"{net}.1", f"{net}.2"))

    @staticmethod
    def _ip(*arguments):
        subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)

    def set(self, kind, state):
        self._ip("link", "set", self.links[kind][0], state)

    def close(self):
        subprocess.run(["ip", "netns", "delete", self.name], capture_output=True)


def partition(setting, rounds, chance):
    """Two gateways, each in a network of its own; first the link to the database goes down, then the one to providers."""
    with contextlib.ExitStack() as stack:
        spaces = []
        for number in range(2):
            spaces.append(Namespace(number))
            stack.callback(spaces[-1].close)
        cluster = postgres.Cluster(1)
        cluster.primary.settings["listen_addresses"] = ",".join(space.links[0][1] for space in spaces)
        stack.callback(cluster.close)
        cluster.__enter__()
        house = House(Path(tempfile.mkdtemp(dir=setting.folder)), setting.certificates, "", *KEEPS_ALL)
        stack.callback(house.close)

        def replica(space):
            host = space.links[1][2]
            one = house.replica(
                *[f"listen.{name}={host}:0" for name in ("provider", "admin")], "admin.open=true",
                "postgres.connection=host=%s dbname=postgres user=postgres" % space.links[0][1])
            one.command = ["ip", "netns", "exec", space.name, *one.command]
            return one.launch()

        owner = replica(spaces[0]).wait_until_owner()
        standby = replica(spaces[1])
        standby.wait_until_standby()
        running = under_load(owner, "partition", chance)
        token = owner.device()[1]
        with Provider.to(owner) as provider:
            assert provider.push(token, text()).status == 200
            spaces[0].set(0, "down")
            start = time.monotonic()
            last = start
            while time.monotonic() - start < 3:
                status = provider.push(token, text()).status
                last = time.monotonic() if status == 200 else last
                assert status in (200, 503), status
            standby.wait_until_owner()
            taken = time.monotonic() - start
            assert provider.push(token, text()).status == 503
        assert wait_for_answer(standby) < 60
        spaces[0].set(0, "up")
        assert owner.wait_for_end(60) == 1
        house.end(*running)
        house.check(standby)
        report("link between owner and primary down",
               f"the last 200 of the cut-off owner after {last - start:.2f} s, another serves after {taken:.2f} s; "
               f"{len(house.accepted)} pushes answered 200, 0 lost")


def throughput(setting, rounds, chance):
    """`h2load` on the clear-text port, whose requests repeat one header block."""
    payload = setting.folder / "payload.json"
    payload.write_text('{"aps":{"alert":{"title":"Tea","body":"It is ready."},"sound":"default"}}')
    house = setting.house
    rates, alone = {}, {}
    for kind in ("memory", "postgres"):
        options = ["auth.mode=off", "streams.oneUntilAccepted=false"] + (["journal=memory"] if kind == "memory" else [])
        owner = house.owner(*options)
        token = owner.device()[1]
        for streams, clients, count, table in ((100, 10, 100_000, rates), (1, 1, 2000, alone)):
            done = subprocess.run(
                ["h2load", "-n", str(count), "-c", str(clients), "-m", str(streams), "-d", payload,
                 "-H", "apns-topic: com.example.app", "-H", "apns-push-type: alert",
                 "http://%s:%d/3/device/%s" % (*owner.clear_text, token)], capture_output=True, text=True, check=True).stdout
            assert f"{count} 2xx" in done, done
            table[kind] = (float(re.search(r"([\d.]+) req/s", done)[1]),
                           re.search(r"time for request:\s+\S+\s+\S+\s+(\S+)", done)[1])
        owner.stop()
    report("throughput, 10 connections of 100 streams",
           f"memory {rates['memory'][0]:.0f}/s, Postgres with a quorum {rates['postgres'][0]:.0f}/s: "
           f"{rates['postgres'][0] / rates['memory'][0]:.2f}; one push at a time takes {alone['postgres'][1]} on average "
           f"(memory: {alone['memory'][1]})")


SCENARIOS = {"kill": kill, "stop": stop, "promote": promote, "standbys": standbys_gone, "disk": disk_full,
             "rolling": rolling, "partition": partition, "throughput": throughput}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--only", default=",".join(SCENARIOS))
    arguments = parser.parse_args()
    if postgres.MISSING:
        sys.exit(postgres.MISSING)
    print(f"seed {arguments.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        certificates = Path(folder) / "certs"
        made = pushcote("certs", "--set", f"certificates.folder={certificates}", cwd=folder)
        assert made.returncode == 0, made.stderr
        for name in arguments.only.split(","):
            # A tablespace has one path, which standbys on this machine would take from the primary.
            with Setting(Path(folder), certificates, standbys=0 if name == "disk" else 2) as setting:
                SCENARIOS[name](setting, arguments.rounds, random.Random(arguments.seed))
    print("\n".join(["", "| what | result |", "|---|---|", *(f"| {name} | {result} |" for name, result in ROWS)]))


if __name__ == "__main__":
    main()
