"""Copies of a push on the page: the provider's request, and a test that passes when it is pasted."""

import os
import subprocess
import sys

import pytest

from admin import own
from test_helpers import installed, junit
from test_page_faces import check, push


def copied(page, title):
    return page.locator(f".tab h3:text-is('{title}') + .code code").inner_text()


def test_the_provider_s_request_can_be_pasted(own, open_tab):
    own.device("phone")
    number = push(own, "Tea")
    tab = open_tab(own)
    command = copied(check(tab, f"/notifications/{number}/copy"), "As the provider, with curl")
    token = "$(pushcote token --admin http://%s:%d)" % own.admin_address
    assert token in command
    command = command.replace(token, own.bearer).replace("curl", "curl -sf", 1)
    assert subprocess.run(["sh", "-c", command]).returncode == 0, command
    assert own.api("GET", f"/notifications/{number + 1}")["request"]["payload"]["aps"]["alert"]["title"] == "Tea"


# A test's file, what builds it, and what runs it; JUnit's path takes the place of {junit}.
RUNNERS = {
    "Python": ("test_push.py", None, [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_push.py"]),
    "JavaScript": ("push.test.mjs", None, ["node", "--test", "push.test.mjs"]),
    "Go": ("push_test.go", None, ["go", "test", "push_test.go"]),
    "Java": ("PushTest.java", ["javac", "-cp", "{junit}", "-d", ".", "PushTest.java"], [
        "java", "-cp", ".:{junit}", "org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--select-class",
        "PushTest"]),
    "Swift": ("Tests/PushTests/Push.swift", ["swift", "build", "--build-tests"], ["swift", "test", "--skip-build"]),
}
PACKAGE = """// swift-tools-version: 6.0
import PackageDescription

let package = Package(name: "Push", targets: [.testTarget(name: "PushTests")])
"""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", RUNNERS)
def test_a_copied_test_passes_and_fails_when_the_outcome_is_another(own, start_gateway, open_tab, tmp_path, language):
    name, build, command = RUNNERS[language]
    installed((build or command)[0])
    if language == "Java":
        build, command = ([word.replace("{junit}", junit()) for word in words] for words in (build, command))
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)

    def run(command=command, **variables):
        # A pytest loads no plugins of this environment, which takes seconds.
        variables = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | variables
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=variables)

    if language == "Swift":
        (tmp_path / "Package.swift").write_text(PACKAGE)
    own.device("phone")
    number = push(own, "Tea")
    page = open_tab(own).go(f"/notifications/{number}/copy")
    (tmp_path / name).write_text(copied(page, f"A test in {language}"))
    page.close()
    for words in filter(None, (build, command)):
        done = run(words)
        assert done.returncode == 0, done.stdout + done.stderr
    assert len(own.notifications()) == 2
    own.api("PATCH", "/devices/phone", json={"focus": {"modes": [{"id": "work", "name": "Work"}], "active": "work"}})
    done = run()
    assert done.returncode != 0 and "silenced by the Focus Work" in done.stdout + done.stderr
    # At the same address, so that the test is built once.
    own.stop()
    guarded = start_gateway("admin.token=hush", f"listen.admin=127.0.0.1:{own.admin_address[1]}")
    guarded.admin.headers["authorization"] = "Bearer hush"
    guarded.device("phone")
    for token, is_known in (("hush", True), ("hash", False)):
        done = run(PUSHCOTE_ADMIN_TOKEN=token)
        assert (done.returncode == 0) == is_known, done.stdout + done.stderr
    assert len(guarded.notifications()) == 1
