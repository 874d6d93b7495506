"""The measured servers and the load on them."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build/release"
BINARY = os.environ.get("BINARY", str(BUILD / "pushcote"))
DEVICE = f"a5{0:062x}"    # the load generator's first device token


def cpu_ns(pid):
    tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)


def resident(pid, name="VmRSS"):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024


def measured(pid, work):
    """The seconds that the work takes, the resident bytes that it adds at most, what is left of them after five seconds,
    and what was there before."""
    before = resident(pid)
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")    # begins a new peak
    began = time.perf_counter()
    work()
    seconds = time.perf_counter() - began
    peak = resident(pid, "VmHWM") - before
    time.sleep(5)
    return seconds, peak, resident(pid) - before, before


class Pushcote:
    name = "pushcote"

    def __init__(self, folder, core, *settings, under=(), binary=BINARY):
        """`under`: the command that runs the server, such as valgrind."""
        self.folder = folder
        addresses = folder / "addresses.json"
        addresses.unlink(missing_ok=True)
        listen = [f"--set=listen.{kind}=127.0.0.1:0" for kind in (
            "provider", "clearText", "proxy", "channelsSandbox", "channelsProduction", "admin")]
        began = time.perf_counter()
        self.process = subprocess.Popen(
            ["taskset", "-c", str(core), *under, str(binary), "serve", "--config", str(folder / "config.yaml"),
             f"--set=certificates.folder={folder}/certs", *listen, *[f"--set={setting}" for setting in settings],
             "--addresses-file", str(addresses)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if line.strip() == "Ready.":
                break
        else:
            sys.exit("pushcote did not start")
        self.start_milliseconds = (time.perf_counter() - began) * 1000
        state = json.loads(addresses.read_text())
        self.port = int(state["addresses"]["provider"][0].rsplit(":", 1)[1])
        self.admin = state["addresses"]["admin"][0]
        self.pid = self.process.pid

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://{self.admin}/api/v1{path}", method=method, data=body and json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def text(self, method, path, body=None):
        request = urllib.request.Request(f"http://{self.admin}/api/v1{path}", method=method, data=body)
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


class Nghttpd:
    """Debian's nghttpd, which answers every push with a file of two bytes. All pushes use one path, so that opening
    files is not measured."""

    name = "nghttpd"

    def __init__(self, folder, core, under=()):
        documents = folder / "htdocs" / "3" / "device"
        documents.mkdir(parents=True, exist_ok=True)
        (documents / DEVICE).write_text("{}")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            ["taskset", "-c", str(core), *under, "nghttpd", "--address=127.0.0.1", "-d", str(folder / "htdocs"),
             str(self.port), str(folder / "certs/private/server.key"), str(folder / "certs/server.pem")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pid = self.process.pid
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        sys.exit("nghttpd did not start")

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def token(folder):
    command = [BINARY, "token", "--config", folder / "config.yaml", f"--set=certificates.folder={folder}/certs"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


class Load:
    """Runs the load generator (Benchmarks/Load) on its own core. Every push must get status 200."""

    def __init__(self, folder, core):
        self.folder, self.core = folder, core

    def run(self, server, connections, streams, pushes, traffic="real", encoding="nghttp2", devices=10_000):
        """Returns the server's CPU microseconds per push and the generator's output."""
        command = [
            "taskset", "-c", str(self.core), str(BUILD / "load-generator"), "127.0.0.1", str(server.port),
            "--authorization", f"bearer {token(self.folder)}", "--connections", str(connections),
            "--streams", str(streams), "--pushes", str(pushes), "--traffic", traffic, "--encoding", encoding,
            "--devices", str(devices), *(["--fixed-path"] if isinstance(server, Nghttpd) else [])]
        before = cpu_ns(server.pid)
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{server.name}: {run.stderr}")
        return (cpu_ns(server.pid) - before) / 1000 / pushes, json.loads(run.stdout)


def follow(server):
    """A reader of the server's event stream; kill it."""
    return subprocess.Popen(["curl", "-sN", "-o", os.devnull, f"http://{server.admin}/api/v1/events/stream"])


def instructions(kind, load, core, pushes=10_000, **traffic):
    """User-space instructions per push at 10x10: the difference between two callgrind runs of different length."""
    def count(pushes):
        with tempfile.TemporaryDirectory() as out:
            under = ("valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}/profile")
            settings, options = (), {}
            if kind is Pushcote:
                # callgrind slows the program fifty times, but not the log, which writes 20 lines a second.
                settings = ("log.pushes=false",)
                # Debian's valgrind cannot read Swift's debug information.
                options["binary"] = pathlib.Path(out, "pushcote")
                subprocess.run(["strip", "-o", options["binary"], BINARY], check=True)
            server = kind(load.folder, core, *settings, under=under, **options)
            load.run(server, 10, 10, pushes, **traffic)
            server.stop()
            return int(re.search(r"^summary: (\d+)", pathlib.Path(out, "profile").read_text(), re.MULTILINE).group(1))
    return (count(2 * pushes) - count(pushes)) / pushes
