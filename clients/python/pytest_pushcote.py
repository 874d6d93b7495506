"""A pytest plugin for Pushcote. Copy it into your project beside pushcote.py, and add to conftest.py:

    pytest_plugins = ["pytest_pushcote"]

Fixtures: `pushcote`, the gateway of the session, and `device`, a device of the test's own. A fixture of yours with the
name `pushcote_settings` and the scope "session" returns settings such as ["auth.mode=strict"].
The report of a failing test says what each of its devices received, and why it showed the newest so, names a file with
a picture of the screen, and lists the requests that came during the test.
"""

import os
import re
import secrets

import pytest

import pushcote as helper
from pushcote import Pushcote, PushcoteError

# The newest notifications of a device, and the newest requests, in the report of a failure.
_REPORTED = 3
_REQUESTS = 10
_pictures: pytest.StashKey = pytest.StashKey()
# The newest request before the current test.
_newest: pytest.StashKey = pytest.StashKey()
# pytest shows a failure where the test asserts, not where the helper raises it.
vars(helper)["__tracebackhide__"] = True


@pytest.fixture(scope="session")
def pushcote_settings():
    """The settings of the gateway that the session starts."""
    return []


@pytest.fixture(scope="session")
def pushcote(tmp_path_factory, request, pushcote_settings):
    """The gateway at PUSHCOTE_ADMIN, which `pushcote exec` sets; otherwise one that stops with the session."""
    request.config.stash[_pictures] = tmp_path_factory.mktemp("pushcote")
    try:
        if os.environ.get("PUSHCOTE_ADMIN"):
            if pushcote_settings:
                raise PushcoteError(
                    "Settings do not apply to the gateway at PUSHCOTE_ADMIN; pass them to `pushcote exec --set`.")
            started = Pushcote.connect()
        else:
            started = Pushcote.start(*pushcote_settings)
    except PushcoteError as error:
        # Every other test would fail with the same words.
        pytest.exit(f"Pushcote: {error}", returncode=1)
    request.config.stash[_newest] = _newest_request(started)
    yield started
    started.stop()


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
    # An error in a hook would end the session.
    try:
        if report.when == "call" and report.failed:
            report.sections += _sections(pushcote, item.config.stash)
        if report.when == "teardown":
            item.config.stash[_newest] = _newest_request(pushcote)
    except Exception as error:  # noqa: BLE001
        report.sections.append(("Pushcote", f"The gateway does not say what happened: {error!r}"))
    if report.when == "teardown":
        pushcote.devices.clear()


def _newest_request(pushcote):
    newest = pushcote.requests(order="newest", limit=1)
    return newest[0]["number"] if newest else 0


def _sections(pushcote, stash):
    try:
        requests = pushcote.requests(since=stash.get(_newest, 0), limit=1000)
    except PushcoteError as error:
        return [(f"Pushcote: {device.name}", f"The gateway does not say what the device saw: {error}")
                for device in pushcote.devices]
    sections = [(f"Pushcote: {device.name}", _seen(device, requests, stash[_pictures])) for device in pushcote.devices]
    # A token that was never registered makes a device of this name.
    others = _lines(
        one for one in requests if one.get("device") in (None, f"device-{one.get('token', '')[:8]}"))
    return sections + ([("Pushcote: requests for no device", "\n".join(others))] if others else [])


def _lines(requests):
    return [one.get("summary", str(one)) for one in requests][-_REQUESTS:]


def _seen(device, requests, folder):
    """What a device received, why it showed the newest so, and the requests for it."""
    try:
        received = device.notifications(order="newest", limit=_REPORTED)
        picture = folder / f"{_plain(device.name)}.svg"
        picture.write_text(device.picture(), encoding="utf-8")
        # Of older ones only the first paragraph: what became of them.
        lines = [device.pushcote.explain(one).split("\n\n")[0] + "\n" for one in reversed(received[1:])]
        lines += [_explained(device.pushcote.explain(one)) for one in received[:1]]
    except (PushcoteError, OSError) as error:
        return f"The gateway does not say what the device saw: {error}"
    own = _lines(one for one in requests if one.get("device") == device.name)
    lines = (lines or ["The device received nothing."]) + own
    return "\n".join([*lines, f"Screen: {picture}"])


def _explained(explanation):
    """Without the rules that did not apply."""
    return "\n".join(line for line in explanation.rstrip().splitlines() if "No; next rule." not in line) + "\n"


def _plain(name):
    """The name with the characters that are good in the name of a file."""
    return re.sub(r"[^\w.-]+", "-", name, flags=re.ASCII)
