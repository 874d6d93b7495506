"""Runs client programs, for the client tests."""

import subprocess

from gateway import environment
from provider import PAYLOAD


TOPIC = "com.example.app"


def run(*command, **options):
    """Runs a client program, with a timeout of 150 seconds, less than a test's."""
    return subprocess.run(
        list(map(str, command)), capture_output=True, timeout=150, env=options.pop("env", environment()), **options)


def curl(gateway, url, *arguments, token=None, bearer=None):
    """Runs curl; returns the status line and headers, and the body."""
    command = [
        "curl", "--silent", "--show-error", "--include", "--max-time", "20", "--noproxy", "",
        "--cacert", gateway.ca, "--header", "apns-topic: " + TOPIC, "--header", "apns-push-type: alert",
        "--header", f"authorization: bearer {bearer or gateway.bearer}", "--data-binary", PAYLOAD.decode(),
        *arguments, url]
    done = run(*command)
    assert done.returncode == 0, done.stderr.decode()
    *heads, body = done.stdout.split(b"\r\n\r\n")
    return heads[-1].decode().splitlines(), body


def received(gateway, device, count=1):
    """The device's notifications, after checking that their title is the one sent."""
    notifications = gateway.wait(device=device, count=count)
    assert len(notifications) == count
    assert {one["title"] for one in notifications} == {"Tea"}
    return notifications


def connection_of(gateway, notification):
    number = gateway.detail(notification)["request"]["connection"]
    return gateway.api("GET", f"/connections/{number}")


def headers(gateway, **more):
    return {"apns-topic": TOPIC, "apns-push-type": "alert", "authorization": f"bearer {gateway.bearer}", **more}
