"""The program under test: started and queried as a user does, and stopped with a signal."""

import json
import os
import re
import secrets
import select
import signal
import subprocess
import time
from pathlib import Path

import contract

ROOT = Path(__file__).resolve().parents[2]
BINARY = str(Path(os.environ.get("PUSHCOTE_BINARY", ROOT / ".build/debug/pushcote")).absolute())

LISTENERS = ("provider", "clearText", "proxy", "channelsSandbox", "channelsProduction", "admin")

START_SECONDS = 90
STOP_SECONDS = 60

# What a crash writes to standard error, and the SwiftNIO warnings that precede a crash.
CRASH = re.compile(
    r"Fatal error|Precondition failed|Segmentation fault|Illegal instruction|\*\*\* Signal|stack smashing|forced crash"
    r"|[Ll]eaking promise")


def environment(**extra):
    """This process's environment without the variables that configure a gateway."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PUSHCOTE_")}
    # Overwrites freed memory, so that its use after it was freed crashes at once. A pytest of a test loads no plugins
    # of this environment, which takes seconds.
    tunables = "glibc.malloc.tcache_count=0:glibc.malloc.perturb=65"
    return clean | {"GLIBC_TUNABLES": tunables, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | extra


def clock_ahead(folder, seconds):
    """The environment of a process whose clock is `seconds` ahead."""
    library = folder / "clock.so"
    if not library.exists():
        # Clang is part of every Swift toolchain.
        source = Path(__file__).with_name("clock.c")
        subprocess.run(["clang", "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library), "CLOCK_AHEAD": str(seconds)}


def pushcote(*arguments, cwd=None, env=None, timeout=120, text=True):
    """Runs a command that exits by itself."""
    return subprocess.run(
        [BINARY, *map(str, arguments)], cwd=cwd, env=env or environment(), timeout=timeout, text=text,
        capture_output=True)


def address(text):
    """Parses `127.0.0.1:2197` into a socket address."""
    host, _, port = text.rpartition(":")
    return host.strip("[]"), int(port)


def device_token(byte_count=32):
    """A random device token, unique to the test."""
    return secrets.token_hex(byte_count)


class Gateway:
    """A running `pushcote serve` on free ports."""

    def __init__(self, folder, certificates, options=(), arguments=(), env=None, ignores_file_limit=False):
        # Python ignores SIGXFSZ (file size limit exceeded), and its child processes inherit that.
        self.ignores_file_limit = ignores_file_limit
        self.folder = Path(folder)
        self.certificates = Path(certificates)
        self.addresses_file = self.folder / "addresses.json"
        self.stderr_file = self.folder / "stderr.txt"
        settings = [f"listen.{name}=127.0.0.1:0" for name in LISTENERS]
        settings += [f"certificates.folder={self.certificates}", *options]
        self.command = [BINARY, "serve", "--addresses-file", str(self.addresses_file), *map(str, arguments)]
        for setting in settings:
            self.command += ["--set", setting]
        self.env = env or environment()
        self.process = None
        self.announcement = []
        tokens = [option.removeprefix("admin.token=") for option in options if option.startswith("admin.token=")]
        # Used to read the description only; API calls carry the token that the test passes.
        self.admin_token = tokens[-1] if tokens else self.env.get("PUSHCOTE_ADMIN_TOKEN")

    def start(self):
        self.launch()
        return self.finish_start()

    def launch(self):
        with open(self.stderr_file, "wb") as stderr:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=stderr, restore_signals=not self.ignores_file_limit)

    def finish_start(self, seconds=START_SECONDS):
        """Waits until the gateway serves."""
        self._wait_until_ready(seconds)
        facts = json.loads(self.addresses_file.read_text())
        self.facts = facts
        self.provider = address(facts["addresses"]["provider"][0])
        self.clear_text = address(facts["addresses"]["clearText"][0])
        self.proxy = address(facts["addresses"]["proxy"][0])
        self.channels = {
            "sandbox": address(facts["addresses"]["channelsSandbox"][0]),
            "production": address(facts["addresses"]["channelsProduction"][0]),
        }
        self.admin_address = address(facts["addresses"]["admin"][0])
        self.ca = self.certificates / "ca.pem"
        self.key_file = self.certificates / Path(facts["keyFile"]).name
        self.key_id, self.team_id = facts["keyId"], facts["teamId"]
        self.admin = contract.client("http://%s:%d" % self.admin_address, token=self.admin_token)
        return self

    def _wait_until_ready(self, seconds):
        deadline = time.monotonic() + seconds
        output = b""
        descriptor = self.process.stdout.fileno()
        while b"\nReady.\n" not in b"\n" + output:
            left = deadline - time.monotonic()
            readable = select.select([descriptor], [], [], max(0, left))[0] if left > 0 else []
            chunk = os.read(descriptor, 65536) if readable else b""
            if not chunk:
                self.kill()
                raise AssertionError(f"no Ready.\nstdout: {output.decode()}\nstderr: {self.stderr}")
            output += chunk
        self.announcement = output.decode().splitlines()

    @property
    def stderr(self):
        return self.stderr_file.read_text(errors="replace")

    @property
    def pid(self):
        return self.process.pid

    def send(self, number):
        self.process.send_signal(number)

    def wait_for_end(self, seconds=STOP_SECONDS):
        """Waits for the process to exit by itself; returns the exit status."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"still running after {seconds} s; stderr: {self.stderr}") from None

    def stop(self, number=signal.SIGTERM):
        """Stops the gateway with a signal, as an operator would; it must exit cleanly."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.wait_for_end()
        self.close()
        assert not CRASH.search(self.stderr), self.stderr
        assert status == 0, f"exit status {status}; stderr: {self.stderr}"
        self.process = None

    def kill(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(STOP_SECONDS)

    def crash(self):
        """Kills the gateway, as a power failure would; it can be started again."""
        self.process.kill()
        self.process.wait(STOP_SECONDS)
        self.close()
        self.process = None

    def close(self):
        if hasattr(self, "admin"):
            self.admin.close()
        if self.process.stdout:
            self.process.stdout.close()

    def follow_log(self, find, expected, seconds=60):
        """Waits until `find` matches something in standard error; returns the match."""
        deadline = time.monotonic() + seconds
        while True:
            has_ended = self.process.poll() is not None
            log = self.stderr
            if found := find(log):
                return found
            assert not has_ended, f"ended without {expected}: {log}"
            assert time.monotonic() < deadline, f"no {expected} in {seconds} s: {log}"
            # Polls for a longer log; returns early if the process exits.
            try:
                self.process.wait(0.02)
            except subprocess.TimeoutExpired:
                pass

    def wait_for_log(self, text, count=1, seconds=60):
        """Waits until standard error contains the text `count` times; returns all of standard error."""
        return self.follow_log(lambda log: log.count(text) >= count and log, f"{text!r} {count} times", seconds)

    # MARK: - Admin API

    @property
    def description(self):
        """The text of openapi.yaml."""
        headers = {"authorization": f"Bearer {self.admin_token}"} if self.admin_token else {}
        return self.admin.get("/openapi.yaml", headers=headers).text

    def api(self, method, path, expect=(200, 201), **arguments):
        """Makes an admin API call; returns the JSON of the answer."""
        answer = self.admin.request(method, "/api/v1" + path, **arguments)
        expected = expect if isinstance(expect, tuple) else (expect,)
        assert answer.status_code in expected, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()

    def device(self, name=None, topic="com.example.app", **registration):
        """Makes a device with one registration; returns its name and token."""
        name = name or "device-" + secrets.token_hex(6)
        self.api("PUT", f"/devices/{name}", json={})
        made = self.api("POST", f"/devices/{name}/registrations", json={"topic": topic, **registration})
        return name, made["token"]

    def notifications(self, **query):
        return self.api("GET", "/notifications", params=query)["notifications"]

    def wait(self, count=1, seconds=25, **query):
        """Long-polls until `count` notifications match."""
        page = self.api("GET", "/notifications", params={"wait": f"{seconds}s", "count": count, **query})
        assert page["outcome"] == "complete", page
        return page["notifications"]

    def detail(self, notification):
        return self.api("GET", f"/notifications/{notification['id']}")

    def request(self, apns_id, **query):
        """The request log's entry for an `apns-id`."""
        found, since = [], 0
        while True:
            page = self.api("GET", "/requests", params={"limit": 1000, "since": since, **query})
            found += [record for record in page["requests"] if record["apnsId"].lower() == apns_id.lower()]
            if not page["requests"]:
                break
            since = page["next"]
        assert len(found) == 1, f"{len(found)} log entries for {apns_id}"
        return found[0]

    def key(self, **members):
        """Mints a provider key; the answer includes the private key."""
        return self.api("POST", "/keys", json=members)
