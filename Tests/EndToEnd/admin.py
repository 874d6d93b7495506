"""What tests of the admin API share."""

import json
import re
import time

import pytest


ISO8601 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture
def own(start_gateway):
    """A gateway that no other test looks at."""
    return start_gateway()


def alert(**members):
    return json.dumps({"aps": {"alert": members}}).encode()


def wait_until_waiting(gateway, count=1):
    """The gateway says how many long polls are under way."""
    deadline = time.monotonic() + 15
    while int(re.search(r"^pushcote_waits (\d+)$", gateway.admin.get("/metrics").text, re.M)[1]) < count:
        assert time.monotonic() < deadline, "nobody waits"
