"""Fixtures and helpers shared by the admin API tests."""

import json
import re
import time

import pytest


ISO8601 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture
def own(start_gateway):
    """A gateway used by one test only."""
    return start_gateway()


def alert(**members):
    return json.dumps({"aps": {"alert": members}}).encode()


def wait_until_waiting(gateway, count=1):
    """Waits until the gateway's metrics report `count` open long polls."""
    deadline = time.monotonic() + 60
    while int(re.search(r"^pushcote_waits (\d+)$", gateway.admin.get("/metrics").text, re.M)[1]) < count:
        assert time.monotonic() < deadline, "nobody waits"
