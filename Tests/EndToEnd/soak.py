"""Mixed traffic for a given time, then checks of what must hold afterwards: `make soak`.

Several providers that connect and disconnect, every push type, rejected pushes, faults on and off, acts on devices that
go offline and come back. The seed determines all randomness; the only timed wait is the length of the run.
"""

import argparse
import collections
import dataclasses
import http.client
import json
import os
import random
import resource
import socket
import sys
import tempfile
import time
from pathlib import Path

from gateway import Gateway, device_token, pushcote
from provider import Provider

TOPIC = "com.example.app"
# Small enough that every bounded store is full when the warm-up ends: memory must not grow after that.
SETTINGS = [
    "inbox.perDevice=50", "inbox.total=1000", "inbox.devices=500", "requests.kept=1000", "seed=7",
    "streams.oneUntilAccepted=false", "limits.connections=200",
]
DEVICES = 6
# The size of a device's journal (`Journal.capacity`); it is filled before anything is measured.
JOURNAL = 2000

# The status of each kind of push when no fault is set.
KINDS = {
    "alert": (200, {}), "background": (200, {"apns_push_type": "background", "apns_priority": "5"}),
    "voip": (200, {"apns_push_type": "voip", "apns_topic": f"{TOPIC}.voip"}),
    "collapsed": (200, {"apns_collapse_id": "tea"}), "no storage": (200, {"apns_expiration": "0"}),
    "no topic": (400, {"apns_topic": None}), "bad token": (400, {}), "bad type": (400, {"apns_push_type": "odd"}),
    "bad method": (405, {"method": "GET"}), "no credentials": (403, {"authorization": None}),
    "too large": (413, {}), "no JSON": (200, {}),
}
# Faults, and the statuses or connection ends they cause.
FAULTS = {
    "none": (None, set()),
    "busy": ({"match": {"every": 3}, "effect": {"answer": {"status": 429, "reason": "TooManyRequests"}}}, {429}),
    "broken": ({"match": {"every": 5}, "effect": {"answer": {"status": 500, "reason": "InternalServerError"}}}, {500}),
    "late": ({"match": {"every": 4}, "effect": {"delay": "20ms", "jitter": "10ms"}}, set()),
    "reset": ({"match": {"every": 6}, "effect": {"resets": "INTERNAL_ERROR"}}, {"reset"}),
}
ACTS = [
    {"action": "unlock"}, {"action": "lock"}, {"action": "wake"}, {"action": "open", "app": TOPIC}, {"action": "open"},
    {"action": "clear"}, {"action": "restart"}, {"action": "setBadge", "app": TOPIC, "count": 3},
    {"action": "removeAllDelivered", "app": TOPIC},
]
CONDITIONS = [{"isOnline": False}, {"isOnline": True}, {"isPoweredOn": False}, {"isPoweredOn": True}, {"ringSwitch": "silent"}]


@dataclasses.dataclass
class Report:
    seconds: float = 0
    rounds: int = 0
    connections: int = 0
    answers: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    unexplained: list = dataclasses.field(default_factory=list)
    acts: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    accepted: int = 0
    counts: dict = dataclasses.field(default_factory=dict)
    samples: list = dataclasses.field(default_factory=list)
    problems: list = dataclasses.field(default_factory=list)


class Soak:
    def __init__(self, gateway, seed=7):
        self.gateway, self.random, self.report = gateway, random.Random(seed), Report()
        self.tokens = {}
        for number in range(DEVICES):
            name = f"phone-{number}"
            _, token = gateway.device(name, TOPIC)
            voip = gateway.api(
                "POST", f"/devices/{name}/registrations", json={"topic": f"{TOPIC}.voip", "kind": "voip"})["token"]
            self.tokens[name] = (token, voip)

    def fill(self):
        """Fills every device's journal; otherwise it fills over an hour, and its growth looks like a leak."""
        for name in self.tokens:
            for turn in range(JOURNAL):
                self.gateway.api(
                    "POST", f"/devices/{name}/actions", json={"action": "lock" if turn % 2 else "unlock"})

    def run(self, seconds, warm_up):
        start = time.monotonic()
        end = start + seconds
        names = list(FAULTS)
        while time.monotonic() < end or self.report.rounds < len(names):
            fault = names[self.report.rounds % len(names)]
            self.set_fault(fault)
            self.round(fault)
            self.churn()
            self.act()
            if self.report.rounds % 10 == 0:
                self.read_all()
                self.crowd()
            self.report.rounds += 1
            self.report.samples.append((time.monotonic() - start, *usage(self.gateway)))
        self.set_fault("none")
        self.report.seconds = time.monotonic() - start
        self.settle()
        self.judge(warm_up)
        return self.report

    def set_fault(self, name):
        self.gateway.api("DELETE", "/faults")
        rule, _ = FAULTS[name]
        if rule:
            self.gateway.api("POST", "/faults", 201, json={"name": name, **rule})

    def round(self, fault):
        """Runs three providers, each with concurrent streams."""
        providers = [Provider.to(self.gateway) for _ in range(3)]
        self.report.connections += len(providers)
        sent = []
        for _ in range(8):
            for provider in providers:
                kind = self.random.choice(list(KINDS))
                sent.append((provider, kind, provider.send_raw(*self.request(provider, kind))))
        for provider, kind, stream in sent:
            answer = provider.answer(stream)
            status = "reset" if answer.reset is not None else answer.status
            self.report.answers[status] += 1
            if status not in {KINDS[kind][0]} | FAULTS[fault][1]:
                self.report.unexplained.append((kind, fault, status, answer.reason))
            self.report.accepted += status == 200
        for provider in providers:
            provider.channel.close()

    def request(self, provider, kind):
        name = self.random.choice(list(self.tokens))
        token, voip = self.tokens[name]
        token = "zz" if kind == "bad token" else voip if kind == "voip" else token
        edits = dict(KINDS[kind][1])
        payload = json.dumps({"aps": {"alert": f"{kind} {self.report.rounds}", "sound": "default"}}).encode()
        if kind == "background":
            payload = b'{"aps":{"content-available":1}}'
        if kind == "too large":
            payload = b'{"aps":{"alert":"' + b"x" * 5000 + b'"}}'
        if kind == "no JSON":
            payload = b"{"
        return provider.headers(token, **edits), payload

    def churn(self):
        """Opens connections that end in the middle of an exchange."""
        for cut in (lambda p: None, lambda p: p.http.send_headers(1, p.headers(device_token())), lambda p: p.http.ping(b"pushcote")):
            provider = Provider.to(self.gateway)
            cut(provider)
            provider.flush()
            provider.channel.close()
            self.report.connections += 1

    def crowd(self, count=150):
        """Many connections at once; what they take returns."""
        channels = [Provider.to(self.gateway).channel for _ in range(count)]
        for channel in channels:
            channel.shutdown(socket.SHUT_WR)
        for channel in channels:
            # Until the gateway has closed it, too; the descriptors are counted next.
            while channel.recv(65536):
                pass
            channel.close()
        self.report.connections += count

    def act(self):
        name = self.random.choice(list(self.tokens))
        self.gateway.api("PATCH", f"/devices/{name}", json=self.random.choice(CONDITIONS))
        # An act that is impossible now is rejected with 409, which is a valid answer.
        answer = self.gateway.admin.post(f"/api/v1/devices/{name}/actions", json=self.random.choice(ACTS))
        self.report.acts[answer.status_code] += 1
        if answer.status_code not in (200, 409):
            self.report.unexplained.append(("act", answer.text))
        self.gateway.api("GET", f"/devices/{name}/screen")
        self.gateway.api("GET", "/notifications", params={"limit": 20, "wait": "0s"})

    def read_all(self):
        """Long answers, and the state loaded again: the memory that they take returns."""
        self.gateway.api("POST", "/recordings", json={"name": "soak"})
        for path in ("/notifications?limit=1000", "/requests?limit=1000"):
            self.call("GET", path)
        self.call("PUT", "/state", self.call("GET", "/state"))
        self.call("GET", "/recordings/soak")
        self.gateway.api("DELETE", "/recordings/soak")

    def call(self, method, path, body=None):
        """The body of an answer; `gateway.api` would check a long one against the description."""
        connection = http.client.HTTPConnection(*self.gateway.admin_address, timeout=60)
        connection.request(method, "/api/v1" + path, body)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status != 200:
            self.report.unexplained.append((method, path, answer.status, text[:200]))
        return text

    def settle(self):
        """Brings every device back online, so that no push is left waiting."""
        for name in self.tokens:
            self.gateway.api("PATCH", f"/devices/{name}", json={"isOnline": True, "isPoweredOn": True})

    def judge(self, warm_up):
        report = self.report
        total = collections.Counter()
        for name in self.tokens:
            total.update(self.gateway.api("GET", f"/devices/{name}")["counts"])
        waiting = len(self.gateway.notifications(state="stored", limit=1000))
        waiting += len(self.gateway.notifications(state="accepted", limit=1000))
        report.counts = {**total, "waiting": waiting}
        if total["received"] != report.accepted:
            report.problems.append(f"{report.accepted} pushes were accepted, {total['received']} received")
        if total["received"] != total["delivered"] + total["discarded"] + waiting:
            report.problems.append(f"not each push in exactly one state: {report.counts}")
        if report.unexplained:
            report.problems.append(f"{len(report.unexplained)} unexplained: {report.unexplained[:5]}")
        warm = [sample for sample in report.samples if sample[0] >= warm_up]
        if len(warm) >= 10:
            self.judge_growth(warm)

    def judge_growth(self, warm):
        """Fits memory and descriptors by least squares, after caches, stores and the allocator's arenas are full.

        20 MB is also the limit of the attack tests: the allocator retains its peak. A run of half an hour moves several
        hundred megabytes, so a leak of 1% stands out.
        """
        growth = slope(warm, 1) * (warm[-1][0] - warm[0][0])
        if growth > 20:
            self.report.problems.append(f"memory grew by {growth:.1f} MB over {warm[-1][0] - warm[0][0]:.0f} s")
        # Connections close asynchronously: a few of the last round may still be open when they are counted.
        opened = slope(warm, 2) * (warm[-1][0] - warm[0][0])
        if opened > 5:
            self.report.problems.append(f"descriptors grew by {opened:.1f}")


def usage(gateway):
    """Resident memory in MB, and open descriptors."""
    pages = int(Path(f"/proc/{gateway.pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20, len(os.listdir(f"/proc/{gateway.pid}/fd"))


def slope(samples, column):
    mean_time = sum(sample[0] for sample in samples) / len(samples)
    mean = sum(sample[column] for sample in samples) / len(samples)
    over = sum((sample[0] - mean_time) * (sample[column] - mean) for sample in samples)
    under = sum((sample[0] - mean_time) ** 2 for sample in samples)
    return over / under if under else 0


def text(report, warm_up):
    warm = [sample for sample in report.samples if sample[0] >= warm_up] or report.samples
    lines = [
        f"seconds       {report.seconds:.0f}", f"rounds        {report.rounds}", f"connections   {report.connections}",
        f"answers       {sum(report.answers.values())} "
        + ", ".join(f"{status}: {count}" for status, count in sorted(report.answers.items(), key=str)),
        f"acts          {sum(report.acts.values())} "
        + ", ".join(f"{status}: {count}" for status, count in sorted(report.acts.items())),
        f"states        {report.counts}",
        "memory, MB    " + " ".join(f"{sample[1]:.1f}" for sample in report.samples[:: max(1, len(report.samples) // 12)]),
        f"memory        {warm[0][1]:.1f} MB after {warm[0][0]:.0f} s, {warm[-1][1]:.1f} MB at the end, "
        f"slope {slope(warm, 1) * 3600:.2f} MB/h",
        f"descriptors   {warm[0][2]} after {warm[0][0]:.0f} s, {warm[-1][2]} at the end, most "
        f"{max(sample[2] for sample in warm)}",
        f"unexplained   {len(report.unexplained)}",
    ]
    return "\n".join(lines + [f"problem       {problem}" for problem in report.problems])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=1800)
    options.add_argument("--seed", type=int, default=7)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        certificates = Path(folder) / "certs"
        made = pushcote("certs", "--set", f"certificates.folder={certificates}", cwd=folder)
        assert made.returncode == 0, made.stderr
        gateway = Gateway(folder, certificates, SETTINGS)
        gateway.start()
        try:
            gateway.bearer = pushcote("token", "--set", f"certificates.folder={certificates}", cwd=folder).stdout.strip()
            # One third of the run, and at least as long as the stores take to fill.
            warm_up = max(60, options.seconds / 3)
            soak = Soak(gateway, options.seed)
            soak.fill()
            report = soak.run(options.seconds, warm_up)
            gateway.stop()
        finally:
            gateway.kill()
    print(text(report, warm_up))
    sys.exit(1 if report.problems else 0)


if __name__ == "__main__":
    main()
