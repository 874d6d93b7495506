"""Postgres servers for one test, from Debian's packages. By default they open no TCP port. They are removed with the test."""

import contextlib
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

BINARIES = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
MISSING = None if BINARIES else "Postgres is not installed: scripts/install-packages test"

# The server refuses to run as root.
USER = pwd.getpwnam("postgres") if os.geteuid() == 0 and BINARIES else None
SECONDS = 90


def _as_user(command):
    prefix = ["setpriv", f"--reuid={USER.pw_uid}", f"--regid={USER.pw_gid}", "--clear-groups"] if USER else []
    return [*prefix, f"{BINARIES[-1]}/{command[0]}", *map(str, command[1:])]


def _run(*command):
    done = subprocess.run(_as_user(command), cwd="/", capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, f"{command[0]}: {done.stderr}{done.stdout}"
    return done.stdout


class Server:
    """One server, in its own folder. Clients connect to the Unix socket there."""

    def __init__(self, name, folder, address=""):
        self.name, self.folder, self.address = name, Path(folder), address
        self.data, self.log = self.folder / "data", self.folder / "log"
        self.process, self.settings = None, {}
        # The command that runs the server, such as `ip netns exec NAME`.
        self.prefix = []
        self.folder.mkdir(mode=0o755)
        if USER:
            os.chown(self.folder, USER.pw_uid, USER.pw_gid)

    @property
    def host(self):
        return self.address or str(self.folder)

    def initialise(self):
        _run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--no-locale")
        with open(self.data / "pg_hba.conf", "a") as file:
            file.write("host all all all trust\nhost replication all all trust\n")

    def copy(self, primary):
        _run("pg_basebackup", "-h", primary.host, "-U", "postgres", "-D", self.data, "-X", "stream", "-c", "fast",
             "--no-sync")
        self.follow(primary)

    def follow(self, primary):
        """Makes the server a standby of `primary` at its next start."""
        (self.data / "standby.signal").touch()
        self.settings["primary_conninfo"] = f"host={primary.host} user=postgres application_name={self.name}"

    def launch(self):
        settings = {"listen_addresses": self.address, "unix_socket_directories": self.folder, "shared_buffers": "16MB",
                    "max_connections": 40, "wal_retrieve_retry_interval": "100ms", **self.settings}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with open(self.log, "ab") as log:
            start = log.tell()
            self.process = subprocess.Popen(
                [*self.prefix, *_as_user(["postgres", "-D", self.data, *options])], cwd="/", stdin=subprocess.DEVNULL,
                stdout=log, stderr=log)
        return start

    def start(self):
        start = self.launch()
        self.wait_for_log("ready to accept", start)
        return self

    def restart(self):
        """Shuts down first: the child processes of a killed server may live on for a moment and prevent the start."""
        self.end(signal.SIGINT)
        return self.start()

    def wait_for_log(self, text, start=0):
        deadline = time.monotonic() + SECONDS
        while text not in (log := self.log.read_bytes()[start:].decode(errors="replace")):
            assert self.process.poll() is None and time.monotonic() < deadline, log
            try:
                self.process.wait(0.01)
            except subprocess.TimeoutExpired:
                pass

    def query(self, statement):
        done = subprocess.run(
            [f"{BINARIES[-1]}/psql", "-X", "-h", str(self.folder), "-U", "postgres", "-Atc", statement], cwd="/",
            capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def promote(self):
        _run("pg_ctl", "promote", "-D", self.data)

    def end(self, number=signal.SIGKILL):
        if self.process and self.process.poll() is None:
            pid = self.process.pid
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            self.process.send_signal(number)
            # The process of a connection outlives a killed server and could commit once more.
            for child in children if number == signal.SIGKILL else ():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(child), number)
            self.process.wait(SECONDS)


class Cluster:
    """A primary and `standbys` synchronous standbys. A commit waits for any one of them."""

    def __init__(self, standbys=0, addresses=(), **settings):
        self.folder = Path(tempfile.mkdtemp(prefix="pg-"))
        self.folder.chmod(0o755)
        names = [f"s{number}" for number in range(standbys + 1)]
        self.servers = [
            Server(name, self.folder / name, address)
            for name, address in zip(names, list(addresses) or [""] * len(names))]
        if standbys:
            settings["synchronous_standby_names"] = f"ANY 1 ({', '.join(names)})"
        for server in self.servers:
            server.settings |= settings

    def __enter__(self):
        try:
            self.primary.initialise()
            self.primary.start()
            for server in self.servers[1:]:
                server.copy(self.primary)
                server.start()
        except BaseException:
            self.close()
            raise
        return self

    @property
    def primary(self):
        return self.servers[0]

    @property
    def connection(self):
        hosts = ",".join(server.host for server in self.servers)
        return f"host={hosts} dbname=postgres user=postgres"

    def __exit__(self, *_):
        self.close()

    def close(self):
        for server in self.servers:
            server.end()
        shutil.rmtree(self.folder, ignore_errors=True)


class Relay:
    """A proxy between client and server that can break connections, or stop forwarding like a dead link."""

    def __init__(self, listener, connect):
        self.listener, self.connect = listener, connect
        self.listener.listen()
        self.address = listener.getsockname()
        self.is_up = threading.Event()
        self.is_up.set()
        self.cuts, self.is_armed, self.statement = 0, False, b""
        self.stalling = None
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_after(self, statement):
        """Closes the connection instead of forwarding the answer to the next request that contains `statement`; once."""
        self.statement, self.is_armed = statement, True

    def stall(self):
        """Stops forwarding, but leaves connections open."""
        self.is_up.clear()

    def stall_at(self, statement):
        """Stalls at the next request that contains `statement`; once."""
        self.stalling = statement

    def resume(self):
        self.is_up.set()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, server = self.listener.accept()[0], self.connect()
                seen = threading.Event()
                for source, target in ((client, server), (server, client)):
                    threading.Thread(
                        target=self._forward, args=(source, target, source is client, seen), daemon=True).start()

    def _forward(self, source, target, is_request, seen):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 20):
                if is_request and self.stalling and self.stalling in data:
                    self.stalling = None
                    self.stall()
                self.is_up.wait()
                if self.is_armed and is_request and self.statement in data:
                    seen.set()
                if not is_request and seen.is_set() and self.is_armed:
                    self.is_armed = False
                    self.cuts += 1
                    break
                target.sendall(data)
        for one in (source, target):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.listener.close()
        self.resume()


class ServerRelay(Relay):
    """A relay in front of a server. Clients use its folder in place of the server's."""

    def __init__(self, server):
        self.folder = Path(tempfile.mkdtemp(dir=server.folder))
        self.folder.chmod(0o755)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.folder / ".s.PGSQL.5432"))
        (self.folder / ".s.PGSQL.5432").chmod(0o777)
        super().__init__(listener, lambda: self._connected(server))

    @staticmethod
    def _connected(server):
        connected = socket.socket(socket.AF_UNIX)
        connected.connect(str(server.folder / ".s.PGSQL.5432"))
        return connected

    @property
    def host(self):
        return str(self.folder)

    @property
    def connection(self):
        return f"host={self.host} dbname=postgres user=postgres"
