"""Scenarios of `make failover` whose links go down. They need root: each side is in a network namespace of its own."""

import contextlib
import os
import subprocess
import tempfile
import time
from pathlib import Path

import postgres
from provider import Provider
from replicas import House
from scenario import KEEPS_ALL, ahead_first, epoch_of, report, text, under_load, wait_for_answer


class Namespace:
    """A network of its own with two links to this one: 0 for databases, 1 for providers."""

    def __init__(self, number):
        self.name, self.links = f"pushcote-{os.getpid()}-{number}", []
        self.prefix = ["ip", "netns", "exec", self.name]
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
        # The kernel deletes those of a namespace later, when their names may be in use again.
        for ours, _, _ in self.links:
            self._ip("link", "delete", ours)
        self._ip("netns", "delete", self.name)


@contextlib.contextmanager
def namespaces():
    with contextlib.ExitStack() as stack:
        made = []
        for number in range(2):
            made.append(Namespace(number))
            stack.callback(made[-1].close)
        yield made


@contextlib.contextmanager
def gateways_apart(setting):
    """The owner in the first namespace, its standby in the second one; both reach the database over their links 0."""
    with namespaces() as spaces, contextlib.ExitStack() as stack:
        cluster = postgres.Cluster(1)
        cluster.primary.settings["listen_addresses"] = ",".join(space.links[0][1] for space in spaces)
        stack.enter_context(cluster)
        house = House(Path(tempfile.mkdtemp(dir=setting.folder)), setting.certificates, "", *KEEPS_ALL)
        stack.callback(house.close)

        def replica(space):
            host = space.links[1][2]
            one = house.replica(
                *[f"listen.{name}={host}:0" for name in ("provider", "admin")], "admin.open=true",
                "postgres.connection=host=%s dbname=postgres user=postgres" % space.links[0][1])
            one.command = [*space.prefix, *one.command]
            return one.launch()

        owner = replica(spaces[0]).wait_until_owner()
        standby = replica(spaces[1])
        standby.wait_until_standby()
        yield spaces[0], cluster, house, owner, standby


def database_link(setting, rounds, chance):
    with gateways_apart(setting) as (space, cluster, house, owner, standby):
        running = under_load(owner, "database", chance)
        token = owner.device()[1]
        with Provider.to(owner) as provider:
            assert provider.push(token, text()).status == 200
            space.set(0, "down")
            start = time.monotonic()
            last = start
            while time.monotonic() - start < 3:
                status = provider.push(token, text()).status
                last = time.monotonic() if status == 200 else last
                assert status in (200, 503), status
            standby.wait_until_owner()
            taken = time.monotonic() - start
            assert provider.push(token, text()).status == 503
        wait_for_answer(standby)
        space.set(0, "up")
        assert owner.wait_for_end(60) == 1
        house.end(*running)
        house.check(standby)
        report("link between owner and primary down",
               f"the last 200 of the cut-off owner after {last - start:.2f} s, another serves after {taken:.2f} s; "
               f"{len(house.accepted)} pushes answered 200, 0 lost")


def provider_link(setting, rounds, chance):
    """For longer than a lease. The owner stays the owner; what providers sent meanwhile arrives when the link is back."""
    with gateways_apart(setting) as (space, cluster, house, owner, standby):
        running = under_load(owner, "provider", chance)
        before = epoch_of(cluster, house)
        space.set(1, "down")
        with contextlib.suppress(subprocess.TimeoutExpired):
            standby.process.wait(5)
        assert standby.admin.get("/readyz").json()["status"] == "standby"
        counts = [len(load.accepted) for load in running]
        start = time.monotonic()
        space.set(1, "up")
        wait_for_answer(owner)
        pause = time.monotonic() - start
        for load, count in zip(running, counts):
            while len(load.accepted) == count and load.thread.is_alive():
                load.thread.join(0.01)
            assert len(load.accepted) > count, "its connection has not survived"
        assert epoch_of(cluster, house) == before
        owner.stop()
        house.end(*running)
        standby.wait_until_owner()
        house.check(standby)
        report("link between owner and providers down for 5 s",
               f"the owner stays the owner; a new connection gets 200 {pause:.2f} s after the link is back, and the old ones go on; "
               f"{len(house.accepted)} pushes answered 200, 0 lost")


def standby_links(setting, rounds, chance):
    """Between the primary and its standbys; at last a standby is promoted behind the cut, so that there are two primaries."""
    with namespaces() as spaces, contextlib.ExitStack() as stack:
        cluster = postgres.Cluster(2)
        cluster.primary.settings["listen_addresses"] = ",".join(space.links[0][1] for space in spaces)
        stack.enter_context(cluster)
        for space, server in zip(spaces, cluster.servers[1:]):
            server.prefix = space.prefix
            server.settings["primary_conninfo"] = f"host={space.links[0][1]} user=postgres application_name={server.name}"
            server.restart()
        connections = ["host=%s dbname=postgres user=postgres" % ",".join(server.host for server in servers)
                       for servers in (cluster.servers[:1], cluster.servers[1:])]
        house = House(Path(tempfile.mkdtemp(dir=setting.folder)), setting.certificates, "", *KEEPS_ALL)
        stack.callback(house.close)
        owner = house.owner(f"postgres.connection={connections[0]}")
        running = under_load(owner, "standbys", chance)
        token = owner.device()[1]
        with Provider.to(owner) as provider:
            spaces[0].set(0, "down")
            assert {provider.push(token, text()).status for _ in range(50)} == {200}
            spaces[1].set(0, "down")
            start = time.monotonic()
            while provider.push(token, text()).status == 200:
                pass
            refused = time.monotonic() - start
            assert {provider.push(token, text()).status for _ in range(50)} == {503}
            for space in spaces:
                space.set(0, "up")
            pause = wait_for_answer(owner, token)
            for space in spaces:
                space.set(0, "down")
            start = time.monotonic()
            first, second = ahead_first(cluster.servers[1:])
            first.promote()
            second.follow(first)
            second.restart()
            successor = house.owner(f"postgres.connection={connections[1]}")
            wait_for_answer(successor, token)
            taken = time.monotonic() - start
            # Its lease is held on its own primary, but nothing is committed there.
            assert {provider.push(token, text()).status for _ in range(50)} == {503}
        owner.kill()
        house.end(*running)
        house.check(successor)
        report("links between the primary and its two standbys down",
               f"one: no 503; both: 503 after {refused:.2f} s, 200 again {pause:.2f} s after the links are back; both, and a standby "
               f"promoted: the old owner answers 503, a new one 200 after {taken:.2f} s; {len(house.accepted)} pushes answered 200, 0 lost")
