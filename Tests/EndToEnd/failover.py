"""`make failover`: injects failures into gateways on Postgres; prints the table of docs/reliability.md.

    python failover.py [--rounds 30] [--only kill,stop,…]
"""

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import partitions
import postgres
from gateway import BINARY, pushcote
from provider import Provider
from replicas import House
from scenario import (
    ROWS, Setting, ahead_first, epoch_of, first_owner, report, seconds, text, under_load, wait_for_answer)


def kill(setting, rounds, chance, what=""):
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
    report(f"`kill -9` of the owner under load{what}, {rounds} times",
           f"{len(house.accepted)} pushes answered 200; lost, doubled, reordered: 0; serves again: {seconds(times)}")


def clocks(setting, rounds, chance):
    """Each second gateway's clock is ahead. `House.check` verifies that notification times do not go back."""
    setting.house.clocks = [5, 0]
    kill(setting, min(rounds, 6), chance, ", each second gateway's clock 5 s ahead")


def stop(setting, rounds, chance):
    house = setting.house
    owner, standby, third = house.owner(), house.standby(), house.standby()
    times, kept = [], 0
    for number in range(rounds):
        running = under_load(owner, f"r{number}", chance)
        pause = chance.uniform(0.5, 10)
        epoch = epoch_of(setting.cluster, house)
        start = time.monotonic()
        successor = owner.stop_and_continue(lambda: serving_within(pause, standby, third, times, start))
        if epoch_of(setting.cluster, house) == epoch:
            # The owner continued before another gateway took its lease, so it remains the owner.
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
    """The gateway that takes over within `pause` seconds; None if none does."""
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


def promote(setting, rounds, chance):
    house, cluster = setting.house, setting.cluster
    owner = house.owner()
    house.standby()
    running = under_load(owner, "promotion", chance)
    cluster.primary.end()
    first, second = ahead_first(cluster.servers[1:])
    start = time.monotonic()
    first.promote()
    second.follow(first)
    second.restart()
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


def throughput(setting, rounds, chance):
    """The load generator's `real` traffic with default settings, alternately in memory and on Postgres."""
    folder = Path(tempfile.mkdtemp(dir=setting.folder))
    house = House(folder, setting.certificates, setting.cluster.connection, "streams.oneUntilAccepted=false",
                  "log.pushes=false")
    try:
        owners = {mode: house.owner(f"journal={mode}") for mode in ("memory", "postgres")}
        ratios, costs, alone = [], {mode: [] for mode in owners}, {mode: [] for mode in owners}
        for number in range(8):
            rates = {}
            for mode, owner in owners.items():
                rates[mode], cost = generate_load(setting.cluster, owner, 10, 100, 60_000)
                costs[mode].append(cost)
                alone[mode].append(1000 / generate_load(setting.cluster, owner, 1, 1, 1000)[0])
            # The first round warms up.
            if number:
                ratios.append(rates["postgres"] / rates["memory"])
    finally:
        house.close()
    shares = "; ".join(
        f"{mode}: " + ", ".join(f"{name} {statistics.median(cost[name] for cost in each):.1f}" for name in each[0])
        for mode, each in costs.items())
    report("throughput with a quorum, 10 connections of 100 streams",
           f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) of the rate in memory; CPU time of a push "
           f"in µs, {shares}; one push at a time takes {statistics.median(alone['postgres']):.2f} ms "
           f"(memory: {statistics.median(alone['memory']):.2f})")


def generate_load(cluster, gateway, connections, streams, pushes):
    """Pushes per second, and each process's CPU time per push in µs."""
    def costs():
        ended = os.times()
        return {"gateway": cpu_seconds(gateway.pid), "primary": cpu_seconds(cluster.primary.process.pid),
                "standbys": sum(cpu_seconds(server.process.pid) for server in cluster.servers[1:]),
                "load generator": ended.children_user + ended.children_system}

    before = costs()
    done = subprocess.run(
        [Path(BINARY).with_name("load-generator"), *map(str, gateway.provider), "--authorization",
         f"bearer {gateway.bearer}", "--connections", str(connections), "--streams", str(streams), "--pushes", str(pushes),
         "--traffic", "real", "--devices", "10000"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    after = costs()
    return json.loads(done.stdout)["pushesPerSecond"], {
        name: (after[name] - before[name]) / pushes * 1e6 for name in after}


def cpu_seconds(pid):
    """The CPU time of a process and its descendants."""
    total = 0
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            total += int((task / "schedstat").read_text().split()[0]) / 1e9
            total += sum(cpu_seconds(child) for child in (task / "children").read_text().split())
    return total


SCENARIOS = {"kill": kill, "clocks": clocks, "stop": stop, "promote": promote, "standbys": standbys_gone, "disk": disk_full,
             "rolling": rolling, "database-link": partitions.database_link, "provider-link": partitions.provider_link,
             "standby-links": partitions.standby_links, "throughput": throughput}


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
            # A tablespace has one absolute path, so standbys on the same machine would use the primary's folder.
            with Setting(Path(folder), certificates, standbys=0 if name == "disk" else 2) as setting:
                SCENARIOS[name](setting, arguments.rounds, random.Random(arguments.seed))
    print("\n".join(["", "| what | result |", "|---|---|", *(f"| {name} | {result} |" for name, result in ROWS)]))


if __name__ == "__main__":
    main()
