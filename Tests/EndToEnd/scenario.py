"""What the scenarios of `make failover` share."""

import contextlib
import secrets
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import postgres
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


def first_owner(*standbys):
    """Waits until one of them serves."""
    pause = 0.01
    while True:
        for standby in standbys:
            if "Owns the house" in standby.stderr:
                return standby.wait_until_owner()
            with contextlib.suppress(subprocess.TimeoutExpired):
                standby.process.wait(pause)


def epoch_of(cluster, house):
    return cluster.primary.query(f"SELECT epoch FROM pushcote_houses WHERE name = '{house.name}'")


def ahead_first(servers):
    """Standbys, the one that has received most first."""
    return sorted(
        servers, reverse=True,
        key=lambda server: int(server.query("SELECT pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::bigint")))


def wait_for_answer(owner, token=None, allowed=503):
    """How long until a push is answered 200; everything else must be the allowed status."""
    token = token or owner.device()[1]
    start = time.monotonic()
    with Provider.to(owner) as provider:
        while (status := provider.push(token, text()).status) != 200:
            assert status == allowed and time.monotonic() - start < 60, status
    return time.monotonic() - start
