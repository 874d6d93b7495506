"""Gateways that share a house in Postgres, and checks that no accepted push is lost."""

import os
import re
import secrets
import signal
import threading

import httpx

import tokens
from gateway import Gateway, address, clock_ahead, environment
from test_journal import Load, notifications

STANDING_BY = re.compile(r"Standing by admin=(\S+) owner=(.*)")


class Replica(Gateway):
    """A gateway of a house. It serves pushes only while it owns the house."""

    def launch(self):
        super().launch()
        return self

    def wait_until_standby(self):
        """Waits until the gateway stands by; returns the owner that it names."""
        bound, owner = self.follow_log(lambda log: (found := STANDING_BY.findall(log)) and found[-1], "standby")
        self.admin_address = address(bound)
        self.admin = httpx.Client(base_url="http://" + bound, timeout=30, trust_env=False)
        return owner

    def wait_until_owner(self, seconds=90):
        if hasattr(self, "admin"):
            self.admin.close()
        self.finish_start(seconds)
        self.private_key = tokens.load(self.key_file.read_bytes())
        self.bearer = tokens.provider_token(self.private_key, self.key_id, self.team_id)
        return self

    def stop_and_continue(self, until):
        """Stops the process while `until` runs, like a frozen virtual machine."""
        self.send(signal.SIGSTOP)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED)
        try:
            return until()
        finally:
            self.send(signal.SIGCONT)


class House:
    """Starts replicas, and collects the answers that providers got."""

    def __init__(self, folder, certificates, connection, *options):
        self.folder, self.certificates = folder, certificates
        self.name = secrets.token_hex(4)
        self.env = environment(**({"PUSHCOTE_POSTGRES_CONNECTION": connection} if connection else {}))
        self.options = ["journal=postgres", f"postgres.house={self.name}", *options]
        self.replicas = []
        # By how many seconds the replicas' clocks are ahead; replicas use the entries in turn.
        self.clocks = [0]
        self.accepted, self.refused, self.last = {}, [], 0

    def replica(self, *options):
        folder = self.folder / f"{self.name}-{len(self.replicas)}"
        folder.mkdir()
        seconds = self.clocks[len(self.replicas) % len(self.clocks)]
        clock = clock_ahead(self.folder, seconds) if seconds else {}
        replica = Replica(folder, self.certificates, [*self.options, *options], env=self.env | clock)
        self.replicas.append(replica)
        return replica

    def owner(self, *options):
        return self.replica(*options).launch().wait_until_owner()

    def standby(self, *options):
        replica = self.replica(*options).launch()
        replica.wait_until_standby()
        return replica

    def close(self):
        for replica in self.replicas:
            replica.kill()

    def end(self, *loads):
        """Collects the answers of the loads, after their connections have ended."""
        for load in loads:
            load.thread.join(60)
            assert not load.thread.is_alive()
            self.accepted |= load.accepted
            self.refused += load.refused
        assert set(self.refused) <= {503}, set(self.refused)

    def check(self, owner):
        """No push that was answered with 200 is lost, duplicated or out of order on its device."""
        found = notifications(owner)
        ids = [one["id"] for one in found]
        assert ids == sorted(set(ids))
        before, after = ([one["receivedAt"] for one in found if (one["id"] > self.last) == is_new] for is_new in (False, True))
        assert not before or not after or max(before) <= min(after), "time went back"
        texts = [one["body"] for one in found]
        assert len(texts) == len(set(texts)), "doubled"
        by_text = {one["body"]: one for one in found}
        missing = [text for text in self.accepted if text not in by_text]
        assert not missing, f"{len(missing)} of {len(self.accepted)} lost: {missing[:5]}"
        assert all(by_text[text]["apnsId"].lower() == apns_id for text, apns_id in self.accepted.items())
        order = {}
        for text in texts:
            name, _, count = text.rpartition("-")
            assert order.get(name, -1) < int(count), "out of order"
            order[name] = int(count)
        assert max(ids, default=0) >= self.last
        self.last = max(ids, default=0)


def loads(owner, name, count=2):
    """Providers that push until their connection ends."""
    shared = owner.device(f"shared-{name}")[1]
    return [Load(owner, shared, f"{name}-{number}") for number in range(count)]


def accepted_some(load):
    """Waits until a push of the load was accepted."""
    done = threading.Event()
    while not load.accepted and load.thread.is_alive():
        done.wait(0.01)
    assert load.accepted
