"""A pytest plugin for Pushcote. Copy it into your project beside pushcote.py, and add to conftest.py:

    pytest_plugins = ["pytest_pushcote"]

Fixtures: `pushcote`, the gateway of the session, and `device`, a device of the test's own. The report of a failing test
says what each of its devices received and why it showed it so, and names a file with a picture of the screen.
"""

import os
import re
import secrets

import pytest

import pushcote as helper
from pushcote import Pushcote, PushcoteError

# The newest notifications of a device, and its newest rejected requests, in the report of a failure.
_REPORTED = 3
_pictures: pytest.StashKey = pytest.StashKey()
# pytest shows a failure where the test asserts, not where the helper raises it.
vars(helper)["__tracebackhide__"] = True


@pytest.fixture(scope="session")
def pushcote(tmp_path_factory, request):
    """The gateway at PUSHCOTE_ADMIN, which `pushcote exec` sets; otherwise one that stops with the session."""
    request.config.stash[_pictures] = tmp_path_factory.mktemp("pushcote")
    if os.environ.get("PUSHCOTE_ADMIN"):
        yield Pushcote.connect()
    else:
        with Pushcote.start() as started:
            yield started


@pytest.fixture
def device(pushcote, request):
    """A new device, named after the test."""
    return pushcote.device(f"{_plain(request.node.name)[:80]}-{secrets.token_hex(3)}")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    pushcote = getattr(item, "funcargs", {}).get("pushcote")
    if not isinstance(pushcote, Pushcote):
        return
    if report.when == "call" and report.failed:
        for device in pushcote.devices:
            report.sections.append((f"Pushcote: {device.name}", _seen(device, item.config.stash[_pictures])))
    if report.when == "teardown":
        pushcote.devices.clear()


def _seen(device, folder):
    """What a device received, why it showed it so, and what the gateway rejected."""
    try:
        received = device.notifications(order="newest", limit=_REPORTED)
        rejected = device.pushcote.requests(device=device.name, where="reason", order="newest", limit=_REPORTED)
        picture = folder / f"{_plain(device.name)}.svg"
        picture.write_text(device.picture(), encoding="utf-8")
    except (PushcoteError, OSError) as error:
        return f"The gateway does not say what the device saw: {error}"
    lines = [device.pushcote.explain(one).rstrip() + "\n" for one in reversed(received)]
    lines += [f"Rejected: {one['reason']}. {one['diagnosis']['message']}" for one in reversed(rejected)]
    return "\n".join([*(lines or ["The device received nothing."]), f"Screen: {picture}"])


def _plain(name):
    """The name with the characters that are good in the name of a file."""
    return re.sub(r"[^\w.-]+", "-", name, flags=re.ASCII)
