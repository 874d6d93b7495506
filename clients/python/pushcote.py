"""Pushcote in Python tests: simulated devices, pushes, waits and assertions. Copy this file into your project.

    with Pushcote.start() as pushcote:
        phone = pushcote.device()
        token = phone.register("com.example.app")
        ...                                      # your back end pushes to the token
        phone.wait("title~Order")

It needs Python 3.9 and nothing else. Conditions are those of Pushcote's docs/queries.md; objects have the members of
docs/admin-api.md. A duration is a text such as "5s" or "PT1H", a number of seconds, or a timedelta.
"""

from __future__ import annotations

import contextlib
import datetime
import http.client
import json
import os
import re
import secrets
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Union

Where = Union[str, Sequence[str], Mapping[str, Any]]
Duration = Union[str, float, datetime.timedelta]

_TIMEOUT = 630  # The gateway answers a wait within 600 seconds.
_ADDRESS = re.compile(r"https?://([^/:\s]+|\[[^\]\s]+\])(:\d+)?(/\S*)?")
# Unlike None, which may come from a variable by mistake, this was not given.
_ABSENT: Any = object()
# Ends with its standard input: the gateway stops even if this process is killed.
_UNTIL_STOPPED = 'printf "%s %s\\n" "$PUSHCOTE_ADMIN" "$PUSHCOTE_ADMIN_TOKEN"; exec cat >/dev/null'


class PushcoteError(Exception):
    """The gateway rejects a call or does not start; the message is the gateway's."""

    def __init__(self, message: str, status: Optional[int] = None):
        super().__init__(message)
        self.status = status  #: HTTP's; None without an answer.


class VerificationError(AssertionError):
    """A verification failed; the message is the gateway's report with the nearest misses."""

    def __init__(self, verdict: dict):
        super().__init__(verdict["report"])
        #: The answer of `POST /verify`.
        self.verdict = verdict


class Pushcote:
    """A gateway: an existing one (`connect`), or one started for the test (`start`)."""

    def __init__(self, address: str, token: Optional[str] = None):
        self.address = re.sub(r"(/api/v1)?/*$", "", address)
        self.token = token
        self.clock = Clock(self)
        #: Devices made by `device`, for reports.
        self.devices: List[Device] = []
        self._process: Any = None
        self._log: Any = None
        # The admin API is on loopback or in the test's network, never behind a proxy.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    @classmethod
    def connect(cls, address: Optional[str] = None, token: Optional[str] = None) -> Pushcote:
        """Uses the gateway at an admin address such as `http://localhost:8197`.

        By default, PUSHCOTE_ADMIN and PUSHCOTE_ADMIN_TOKEN, which `pushcote exec` sets.
        """
        if address is None:
            address = os.environ.get("PUSHCOTE_ADMIN") or "http://localhost:8197"
        pushcote = cls(address, token or os.environ.get("PUSHCOTE_ADMIN_TOKEN"))
        info = pushcote.info()
        if not isinstance(info, dict) or "addresses" not in info:
            raise pushcote._foreign(info)
        return pushcote

    @classmethod
    def start(cls, *settings: str) -> Pushcote:
        """Starts a gateway on free ports, with settings such as `auth.mode=strict`.

        The program is PUSHCOTE in the environment, else `pushcote` in PATH.
        """
        command = [os.environ.get("PUSHCOTE", "pushcote"), "exec"]
        for setting in settings:
            command += ["--set", setting]
        log = tempfile.TemporaryFile("w+", errors="replace")
        try:
            process: Any = subprocess.Popen(
                [*command, "--", "sh", "-c", _UNTIL_STOPPED], text=True, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=log)
        except OSError as error:
            raise PushcoteError(f"Cannot run {command[0]}: {error.strerror}. Set PUSHCOTE to the program.") from error
        address, _, token = process.stdout.readline().rstrip("\n").partition(" ")
        pushcote = cls(address, token)
        pushcote._process, pushcote._log = process, log
        if not address:
            pushcote.stop()
            raise PushcoteError("The gateway has no admin address.")
        return pushcote

    def stop(self) -> None:
        """Stops a gateway that `start` started. Raises PushcoteError with its log if it failed."""
        process, self._process = self._process, None
        if process is None:
            return
        process.stdin.close()
        process.stdout.close()
        status = process.wait()
        with self._log as log:
            log.seek(0)
            if status:
                raise PushcoteError(f"The gateway ended with status {status}:\n{log.read()}")

    def __enter__(self) -> Pushcote:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        with _yielding(kind is not None):
            self.stop()

    def info(self) -> dict:
        """Addresses, key and counts of the gateway: `info()["addresses"]["provider"][0]` is for your back end."""
        return self.call("GET", "/info")

    def ca(self) -> str:
        """The certificate authority that your back end must trust, as PEM."""
        return self.call("GET", "/ca.pem")

    @property
    def provider(self) -> str:
        """The provider API for your back end: `https://localhost:PORT`."""
        return f"https://{self.host}:{self.port}"

    @property
    def host(self) -> str:
        """The provider API's host: `localhost` on this machine, which the certificate names."""
        host = urllib.parse.urlsplit(self.address).hostname or ""
        return "localhost" if re.match(r"127\.|::1$", host) else host

    @property
    def port(self) -> int:
        """The provider API's port."""
        return int(self.info()["addresses"]["provider"][0].rpartition(":")[2])

    @property
    def authority_file(self) -> str:
        """The file of `ca()`, on the gateway's machine."""
        return self._file("PUSHCOTE_RUN_CA", self.info()["certificate"]["caFile"])

    @property
    def key_file(self) -> str:
        """The file of the key that the gateway accepts (`.p8`), on the gateway's machine."""
        return self._file("PUSHCOTE_RUN_KEY", self.info()["demonstrationKey"]["file"])

    @property
    def key_id(self) -> str:
        """The key's identifier, as Apple's developer account shows it."""
        return self.info()["demonstrationKey"]["keyId"]

    @property
    def team_id(self) -> str:
        """The team's identifier."""
        return self.info()["demonstrationKey"]["teamId"]

    def provider_token(self) -> str:
        """A provider token for the header `authorization: bearer …`, which the gateway signs now with its key."""
        return self.call("POST", "/provider-tokens", body={})["token"]

    def _file(self, variable: str, path: str) -> str:
        # `pushcote exec` may have been started in another folder than the test.
        is_of_exec = self.address == os.environ.get("PUSHCOTE_ADMIN")
        return os.path.abspath(is_of_exec and os.environ.get(variable) or path)

    def device(self, name: Optional[str] = None, **conditions: Any) -> Device:
        """Makes a device, with a unique name unless given, and conditions such as `isOnline=False`."""
        device = Device(self, name or f"device-{secrets.token_hex(6)}")
        self.call("PUT", "/devices/{name}", device.name, body=conditions)
        self.devices.append(device)
        return device

    def verify(
        self, where: Where = _ABSENT, *, order: Sequence[Where] = _ABSENT,
        count: Union[int, Mapping[str, int]] = _ABSENT, never: bool = False, within: Duration = _ABSENT,
        of: str = "notifications", device: str = _ABSENT, since: int = 0, clock: str = _ABSENT,
    ) -> dict:
        """Asserts that the right notifications, requests or events arrived; the answer of `POST /verify`.

        Raises VerificationError with the nearest misses if they did not.
        """
        body = {
            "where": where, "order": order, "count": count, "never": never, "of": of, "device": device,
            "within": within, "since": since, "clock": clock}
        body = {name: value for name, value in body.items() if value is not _ABSENT}
        if "within" in body:
            body["within"] = _duration(within)
        _check(body)
        verdict = self.call("POST", "/verify", body=body, accept=406)
        if not verdict["verified"]:
            raise VerificationError(verdict)
        return verdict

    def notifications(self, **filters: Any) -> List[dict]:
        """The first 100 that devices received: `notifications(device="phone", where=["badge>2"], limit=1000)`."""
        return self.call("GET", "/notifications", query=filters)["notifications"]

    def notification(self, number: int) -> dict:
        """Everything about a notification."""
        return self.call("GET", "/notifications/{id}", number)

    def explain(self, notification: Union[Mapping[str, Any], int]) -> str:
        """Why the device showed a notification as it did, in sentences."""
        number = notification if isinstance(notification, int) else notification["id"]
        return self.call("GET", "/notifications/{id}/explanation", number)

    def requests(self, **filters: Any) -> List[dict]:
        """The first 100 requests of providers, with their answers: `requests(reason="BadDeviceToken")`."""
        return self.call("GET", "/requests", query=filters)["requests"]

    @contextlib.contextmanager
    def fault(self, rule: Optional[Mapping[str, Any]] = None, **members: Any) -> Iterator[Fault]:
        """Makes the gateway fail until the block ends: `with pushcote.fault(scenario="outage"):`."""
        body = {**(rule or {}), **members}
        _check(body)
        names = [one["name"] for one in self.call("POST", "/faults", body=body)["faults"]]
        try:
            yield Fault(self, names)
        except BaseException:
            with _yielding(True):
                self._remove(names)
            raise
        self._remove(names)

    def _remove(self, faults: Sequence[str]) -> None:
        for name in faults:
            self.call("DELETE", "/faults/{name}", name)

    def reset(self, *keep: str) -> None:
        """Removes devices, apps, requests and faults except those to keep: `reset("devices")`."""
        self.call("POST", "/reset", body={"keep": keep})
        self.devices.clear()

    def call(
        self, method: str, path: str, *values: Any, body: Any = None, query: Optional[Mapping[str, Any]] = None,
        accept: Optional[int] = None,
    ) -> Any:
        """A call of the admin API: a path of openapi.yaml below /api/v1 and the values for its braces.

        Returns the JSON or text of an answer below 400 or with the status `accept`. Raises PushcoteError otherwise.
        """
        if not _ADDRESS.fullmatch(self.address):
            raise PushcoteError(f'The admin address is "{self.address}"; accepted: one such as http://localhost:8197.')
        for value in values:
            _check(value, "a value of the path", ())
            path = re.sub(r"\{\w+\}", lambda _: urllib.parse.quote(str(value), safe=""), path, count=1)
        for name, value in (query or {}).items():
            _check(value, name, (list, tuple))
        url = f"{self.address}/api/v1{path}?{urllib.parse.urlencode(query or {}, doseq=True)}".rstrip("?")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with self._opener.open(request, timeout=_TIMEOUT) as answer:
                return self._content(answer)
        except urllib.error.HTTPError as error:
            with error:
                content = self._content(error)
            if error.code == accept:
                return content
            message = isinstance(content, dict) and content.get("error")
            raise (PushcoteError(message, error.code) if message else self._foreign(content, error.code)) from None
        except (OSError, http.client.HTTPException) as error:
            reason = str(getattr(error, "reason", error))
            what = reason if reason.isprintable() else "it speaks no HTTP/1.1"
            raise PushcoteError(f"No answer from {self.address}: {what}") from error

    def _content(self, answer: Any) -> Any:
        text = answer.read().decode(errors="replace")
        try:
            return json.loads(text) if answer.headers.get_content_type() == "application/json" else text
        except ValueError:
            raise self._foreign(text) from None

    def _foreign(self, content: Any, status: Optional[int] = None) -> PushcoteError:
        return PushcoteError(f"{self.address} is not Pushcote's admin API: {str(content)[:200]}", status)


class Device:
    """A simulated device."""

    def __init__(self, pushcote: Pushcote, name: str):
        self.pushcote = pushcote
        self.name = name

    def register(self, topic: str, **members: Any) -> str:
        """Registers an app for pushes, for production with `environment="production"`; returns its device token."""
        body = {"topic": topic, **members}
        return self.pushcote.call("POST", "/devices/{name}/registrations", self.name, body=body)["token"]

    def push(self, topic: str, payload: Mapping[str, Any], **query: Any) -> int:
        """Pushes directly, without a provider; returns the notification's number. `pushType` etc. are optional."""
        query["topic"] = topic
        return self.pushcote.call("POST", "/devices/{name}/push", self.name, body=payload, query=query)["id"]

    def wait(self, where: Where = _ABSENT, within: Duration = "5s", since: int = 0) -> dict:
        """Waits for a notification after number `since` that matches, or for any, and returns it.

        Existing notifications count. Raises VerificationError with the nearest misses after `within`.
        """
        verdict = self.verify({"device": self.name} if where is _ABSENT else where, within=within, since=since)
        return self.pushcote.notification(verdict["matched"][0])

    def verify(self, where: Where = _ABSENT, **members: Any) -> dict:
        """`Pushcote.verify` for this device."""
        return self.pushcote.verify(where, device=self.name, **members)

    def notifications(self, **filters: Any) -> List[dict]:
        """The first 100 that the device received."""
        return self.pushcote.notifications(device=self.name, **filters)

    def patch(self, **conditions: Any) -> dict:
        """Changes conditions: `patch(isOnline=False)`; returns the device."""
        return self.pushcote.call("PATCH", "/devices/{name}", self.name, body=conditions)

    def act(self, action: str, **members: Any) -> dict:
        """Performs an act of a person or an app: `act("tap", notification=1)`; returns the events."""
        return self.pushcote.call("POST", "/devices/{name}/actions", self.name, body={"action": action, **members})

    def picture(self, **query: Any) -> str:
        """What the person sees, as SVG; `form="lockScreen"` and others are optional."""
        return self.pushcote.call("GET", "/devices/{name}/screen.svg", self.name, query=query)


class Clock:
    """The clock that the gateway and all its devices share."""

    def __init__(self, pushcote: Pushcote):
        self._pushcote = pushcote

    def stop(self, **members: Any) -> dict:
        """Stops the clock, at a given time with `now="2027-01-01T09:00:00Z"`."""
        return self._pushcote.call("PUT", "/clock", body={"mode": "manual", **members})

    def advance(self, by: Duration) -> dict:
        """Advances the stopped clock; everything due happens before this returns."""
        return self._pushcote.call("POST", "/clock/advance", body={"by": _duration(by)})

    def reset(self) -> dict:
        """Follows real time again."""
        return self._pushcote.call("POST", "/clock/reset")


class Fault:
    """The fault rules that `Pushcote.fault` added."""

    def __init__(self, pushcote: Pushcote, names: List[str]):
        self._pushcote = pushcote
        self.names = names

    def fired(self) -> int:
        """How often the rules have fired."""
        return sum(self._pushcote.call("GET", "/faults/{name}", name)["fired"] for name in self.names)


@contextlib.contextmanager
def _yielding(has_failed: bool) -> Iterator[None]:
    """The error of a failed test says more than that of its end."""
    try:
        yield
    except PushcoteError:
        if not has_failed:
            raise


def _check(value: Any, path: str = "", containers: Any = (list, tuple, Mapping)) -> None:
    """Raises TypeError for None, without which a condition would match more, and for what is no JSON."""
    if value is None:
        raise TypeError(f"{path} is None; give it a value, or leave it out.")
    if isinstance(value, (str, int, float)):
        return
    if not isinstance(value, containers):
        accepted = ["texts", "numbers", "booleans", *(f"{one.__name__}s".lower() for one in containers)]
        raise TypeError(f"{path} is {value!r}; accepted: {', '.join(accepted)}.")
    for name, one in value.items() if isinstance(value, Mapping) else enumerate(value):
        _check(one, f"{path}.{name}" if path else str(name), containers)


def _duration(value: Duration) -> Any:
    if isinstance(value, datetime.timedelta):
        value = value.total_seconds()
    return f"{round(value * 1000)}ms" if isinstance(value, (int, float)) else value
