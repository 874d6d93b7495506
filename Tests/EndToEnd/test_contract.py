"""The admin API's description, and the check that answers conform to it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import contract
from gateway import environment


@pytest.fixture(scope="module")
def text(gateway):
    return gateway.admin.get("/openapi.yaml").text


@pytest.fixture
def notification(gateway, provider):
    """The path of a new notification."""
    device, token = gateway.device()
    provider.push(token)
    [summary] = gateway.wait(device=device)
    return f"/api/v1/notifications/{summary['id']}"


# Each edit removes something from the description, or forbids something, that answers contain.
@pytest.mark.parametrize("pattern, replacement, problem", [
    (r"\n +why: .*", "", "why"),
    (r"(priority: \{enum: \[1, 5), 10", r"\1", "priority"),
    (r"(\[content, localized,)", r"\1 nothing,", "nothing"),
    (r"(id: \{type: integer, minimum: )1(, description: \"Greater)", r"\g<1>1000000\2", "id"),
    (r"(\n  /api/v1/notifications/\{id\}:(?:\n    .*)*?\n        \")200", r"\g<1>202", "not described"),
    (r"\n  /api/v1/notifications/\{id\}:", "\n  /api/v1/notification/{id}:", "nothing is described there"),
])
def test_an_answer_that_is_not_as_described_fails_the_test(gateway, notification, text, pattern, replacement, problem):
    answer = gateway.admin.get(notification)
    contract.of(text).check(answer)
    wrong, count = re.subn(pattern, replacement, text)
    assert count, "the description is written otherwise now"
    with pytest.raises(AssertionError, match=problem):
        contract.of(wrong).check(answer)


def test_every_error_is_described(text):
    """Every operation has the errors of its access and its method."""
    document = contract.of(text).document
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in ("get", "put", "post", "patch", "delete"):
                statuses = set(operation["responses"])
                is_open = operation.get("security") == [{}]
                shared = {"400", "403", "500"} | (set() if is_open else {"401", "503"}) | (set() if method == "get" else {"415"})
                assert "default" not in statuses and shared <= statuses, f"{method} {path}"


def test_what_a_resource_answers_can_be_sent_back(start_gateway, text):
    """Every PUT and PATCH takes what GET of its path answers, and changes nothing by it."""
    gateway = start_gateway()
    gateway.api("PUT", "/apps/com.example.app", json={"liveActivities": {"types": [{"name": "Trip"}]}})
    _, token = gateway.device("phone")
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    sent = []
    for path, item in contract.of(text).document["paths"].items():
        methods = item.keys() & {"put", "patch"}
        # A webhook would lose its secret.
        if not methods or "get" not in item or "webhook" in path or path.startswith("/mock/"):
            continue
        path = path.removeprefix("/api/v1").format(name="phone", bundleId="com.example.app", token=token)
        for method in methods:
            before = gateway.api("GET", path)
            gateway.api(method, path, json=before)
            assert gateway.api("GET", path) == before, f"{method} {path}"
            sent.append(path)
    assert {"/state", "/devices/phone", "/devices/phone/calendar", "/apps/com.example.app", "/clock", "/faults"} <= {*sent}


def test_the_server_in_the_description_is_the_host_requested(text):
    assert [server["url"] for server in contract.of(text).document["servers"]] == ["/"]


# A fixed number of requests: about one minute on an idle machine, over five at a load of 16.
@pytest.mark.timeout(1500)
def test_generated_requests_find_nothing(start_gateway, tmp_path):
    """Runs all checks of schemathesis with a fixed seed, so each run sends the same requests.

    Without `--checks`, which would run those that the configuration disables for an operation, too.
    """
    gateway = start_gateway("seed=1")
    here = Path(__file__).parent
    done = subprocess.run(
        [
            sys.executable, "-m", "schemathesis.cli", "--config-file", here / "schemathesis.toml", "run",
            f"{gateway.admin.base_url.join('/openapi.yaml')}", "--workers", "1", "--max-examples", "10", "--no-color"],
        cwd=tmp_path, env=environment(SCHEMATHESIS_HOOKS=str(here / "schemathesis_hooks.py")), timeout=1440, text=True,
        capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Tested: " in done.stdout
    assert gateway.admin.get("/readyz").status_code == 200
