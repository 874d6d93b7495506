"""The test helpers in `clients/`: each offers the admin API in its own language."""

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import channels
import tokens
from documents import Block, difference, pieces
from gateway import BINARY, ROOT, environment
from other_server import other_server
from provider import Provider

CLIENTS = ROOT / "clients"
PROGRAMS = Path(__file__).parent / "helpers"
# Compilers are slow without their caches.
pytestmark = pytest.mark.timeout(600)

JUNIT = [Path("/usr/share/java") / f"{name}.jar" for name in (
    "junit-jupiter-api", "junit-jupiter-engine", "junit-platform-commons", "junit-platform-engine",
    "junit-platform-launcher", "junit-platform-reporting", "junit-platform-console", "opentest4j", "apiguardian-api",
    "opentest4j-reporting-events", "opentest4j-reporting-schema", "picocli")]


def junit():
    """JUnit's class path; skips the test, with the reason, if a part is missing. Not every version has the last four."""
    missing = [jar.name for jar in JUNIT[:8] if not jar.exists()]
    if missing:
        pytest.skip(f"{missing[0]} is not installed (Debian's junit5)")
    return ":".join(str(jar) for jar in JUNIT if jar.exists())


def installed(*programs):
    """Skips the test, with the reason, if a language is not installed."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed")


def every_kind_of_request(gateway, connect, token):
    """Fills the log: accepted, rejected, by a fault's answer, reset, withheld, unprocessed, for no device, for channels."""
    effects = {
        "gone": {"answer": {"status": 410, "reason": "Unregistered"}}, "torn": {"resets": "REFUSED_STREAM"},
        "silent": {"loses": "answer"}, "excluded": {"goAway": {"reason": "Shutdown", "unprocessed": 1}}}
    connect(gateway).push(token)
    connect(gateway).push(token, **{"apns-priority": "7"})
    for name, effect in effects.items():
        rule = {"name": name, "match": {"token": token}, "effect": effect, "count": 1}
        gateway.api("POST", "/faults", json=rule)
        provider = connect(gateway)
        stream = provider.send(token)
        if name == "gone":
            assert provider.answer(stream).status == 410
        query = {"fault": name, "wait": "20s"}
        assert gateway.api("GET", "/requests", params=query)["requests"]
        gateway.api("DELETE", f"/faults/{name}")
    connect(gateway).push("zz")
    answer = channels.request(
        channels.manager(gateway), "POST", f"/1/apps/{channels.APP}/channels", json.dumps(channels.POLICY).encode())
    assert answer.status == 201, answer


KNOWN = "c0" * 32


@pytest.fixture(scope="module")
def logged(tmp_path_factory, certificates, bearer):
    """A gateway whose log has requests of every kind, all of them relayed to an upstream that does not answer."""
    from conftest import _started

    gateway = _started(
        tmp_path_factory.mktemp("logged"), certificates, bearer, "relay.name=APNs", "relay.url=https://localhost:9",
        f"relay.allow={KNOWN}")
    opened = []

    def connect(gateway):
        opened.append(Provider.to(gateway))
        return opened[-1]

    _, token = gateway.device("logged", token=KNOWN)
    every_kind_of_request(gateway, connect, token)
    gateway.api("GET", "/requests", params={"where": "relay.outcome=failed", "wait": "20s"})
    yield gateway
    for provider in opened:
        provider.channel.close()
    try:
        gateway.stop()
    finally:
        gateway.kill()


def run(gateway, folder, *command, status=0, **variables):
    """Runs a helper's program against a running gateway, or one that it starts itself; returns its output."""
    # Instead of a gateway's program: one that a signal ends.
    killed = Path(folder) / "killed"
    killed.write_text('#!/bin/sh\necho "$PUSHCOTE_ADMIN "\nread -r line\nkill -9 $$\n')
    killed.chmod(0o755)
    files = Path(folder) / "exec"
    if not files.exists():
        files.symlink_to(gateway.certificates)
    # As `pushcote exec` sets them.
    of_exec = {
        "PUSHCOTE_ADMIN": "http://127.0.0.1:%d" % gateway.admin_address[1], "PUSHCOTE_RUN_CA": files / "ca.pem",
        "PUSHCOTE_RUN_KEY": files / gateway.key_file.name}
    with other_server() as other:
        done = subprocess.run(
            [str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=500,
            env=environment(**{"PUSHCOTE": BINARY, "OTHER": other, "KILLED": killed, **of_exec, **variables}))
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def copied(folder, *files):
    for file in files:
        shutil.copy(file, folder)


def check_members(gateway, folder):
    """What a helper's program wrote: the members that a back end needs are those of the gateway."""
    provider, host, port, authority, key, key_id, team_id, token = (folder / "members.txt").read_text().splitlines()
    assert (provider, host, int(port)) == (f"https://localhost:{port}", "localhost", gateway.provider[1])
    assert (Path(authority), Path(key)) == (folder / "exec/ca.pem", folder / "exec" / gateway.key_file.name)
    assert (key_id, team_id) == (gateway.key_id, gateway.team_id)
    header, claims = tokens.opened(token, tokens.load(gateway.key_file.read_bytes()))
    assert (header["kid"], claims["iss"]) == (key_id, team_id) and abs(claims["iat"] - time.time()) < 60


def test_python(logged, tmp_path):
    copied(tmp_path, CLIENTS / "python/pushcote.py", PROGRAMS / "python/program.py")
    assert "OK" in run(logged, tmp_path, sys.executable, "-W", "error", "program.py")
    check_members(logged, tmp_path)


def test_javascript(logged, tmp_path):
    installed("node")
    helper = CLIENTS / "javascript/pushcote.mjs"
    output = run(logged, tmp_path, "node", "--test", PROGRAMS / "javascript/program.test.mjs", HELPER=helper)
    assert re.search(r"^. pass 12$", output, re.M), output
    check_members(logged, tmp_path)


def test_typescript(gateway, tmp_path):
    installed("tsc")
    copied(tmp_path, *CLIENTS.glob("javascript/*"), PROGRAMS / "javascript/types.ts")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    run(gateway, tmp_path, "tsc", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "types.ts")


def test_go(logged, tmp_path):
    installed("go", "gofmt")
    copied(tmp_path, CLIENTS / "go/pushcote.go", PROGRAMS / "go/program_test.go")
    (tmp_path / "go.mod").write_text("module example.com/pushcote\n\ngo 1.18\n")
    assert not run(logged, tmp_path, "gofmt", "-l", ".")
    assert run(logged, tmp_path, "go", "test", "-count=1", "-v", ".").count("\n--- PASS") == 11
    check_members(logged, tmp_path)


def test_java(logged, tmp_path):
    installed("javac", "java")
    sources = [CLIENTS / "java/Pushcote.java", PROGRAMS / "java/Program.java"]
    options = ["-Xlint:all,-try", "-Werror", "--release", "11", "-encoding", "UTF-8", "-d", "."]
    run(logged, tmp_path, "javac", *options, *sources)
    assert "10 passed" in run(logged, tmp_path, "java", "-cp", ".", "pushcote.Program")
    check_members(logged, tmp_path)


def test_the_extension_of_junit(gateway, tmp_path):
    installed("javac", "java")
    classpath = f".:{junit()}"
    sources = [*CLIENTS.glob("java/*.java"), PROGRAMS / "java/ExtensionTest.java"]
    run(gateway, tmp_path, "javac", "-cp", classpath, "-d", ".", *sources)
    # Also with a gateway that the program starts itself.
    for admin in ({}, {"PUSHCOTE_ADMIN": ""}):
        output = run(
            gateway, tmp_path, "java", "-cp", classpath, "org.junit.platform.console.ConsoleLauncher",
            "--details=verbose", "--disable-banner", "--select-class", "pushcote.ExtensionTest", status=1, **admin)
        assert "1 tests successful" in output and "1 tests failed" in output, output
        assert 'title: expected Order 8, got "Order 7"' in output, output
        shown = re.findall(r"Shown as: Order \d|Rules, in the order tried", output)
        assert shown == ["Shown as: Order 7", "Shown as: Order 9", "Rules, in the order tried"], output


def test_ruby(logged, tmp_path):
    installed("ruby")
    assert "passed" in run(logged, tmp_path, "ruby", "-w", "-I", CLIENTS / "ruby", PROGRAMS / "ruby/program.rb")
    check_members(logged, tmp_path)


def test_php(logged, tmp_path):
    installed("php")
    helper = CLIENTS / "php/Pushcote.php"
    assert "passed" in run(logged, tmp_path, "php", PROGRAMS / "php/program.php", HELPER=helper)
    check_members(logged, tmp_path)


def test_rust(logged, tmp_path):
    installed("rustc")
    copied(tmp_path, CLIENTS / "rust/pushcote.rs", PROGRAMS / "rust/program.rs")
    run(logged, tmp_path, "rustc", "--edition", "2021", "--test", "-D", "warnings", "program.rs")
    assert "9 passed" in run(logged, tmp_path, "./program")
    check_members(logged, tmp_path)


SWIFT_TESTS = ROOT / ".build/debug/pushcotePackageTests.xctest"


def test_the_page_shows_what_a_failing_swift_test_prints():
    if not SWIFT_TESTS.exists():
        pytest.skip("the Swift tests are not built (swift build --build-tests)")
    page = (ROOT / "docs/testing.md").read_text()
    test, shown = re.search(r"^```swift\n(import PushcoteTesting\n.*?)^```\n.*?^```\n(.*?)^```", page, re.M | re.S).groups()
    source = (ROOT / "Tests/Program/PushcoteTestingTests/FailingExample.swift").read_text()
    function = test[test.index("    @Test"):]
    assert function in source
    done = subprocess.run(
        [SWIFT_TESTS, "--testing-library", "swift-testing", "--filter", "FailingExample"], capture_output=True, text=True,
        timeout=120, env=environment(FAILING_EXAMPLE="1", NO_COLOR="1"))
    assert done.returncode == 1
    assert not difference(Block("docs/testing.md", 0, "", test, list(pieces(shown))), done.stdout + done.stderr)


# The product code in the page's example test; it pushes over HTTP/2 as a back end does.
SHOP = '''
import os, ssl
import httpx

def ship(order, token):
    context = ssl.create_default_context(cafile=os.environ["CA"])
    with httpx.Client(http2=True, verify=context, trust_env=False) as client:
        client.post(
            f"https://{os.environ['PROVIDER']}/3/device/{token}", json={"aps": {"alert": {"title": f"Order {order}"}}},
            headers={"authorization": f"bearer {os.environ['BEARER']}", "apns-topic": "com.example.app"}).raise_for_status()
'''


def python_blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)


def project(gateway, folder, test):
    """Creates a project that uses the plugin; returns the environment variables for it."""
    copied(folder, *CLIENTS.glob("python/*.py"))
    (folder / "conftest.py").write_text('pytest_plugins = ["pytest_pushcote"]\n')
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_shop.py").write_text(test)
    return {"CA": str(gateway.ca), "PROVIDER": "localhost:%d" % gateway.provider[1], "BEARER": gateway.bearer}


@pytest.mark.parametrize("page, head", [("docs/testing.md", ""), ("README.md", "from shop import ship\n\n\n")])
def test_the_page_shows_what_a_failing_test_prints(start_gateway, tmp_path, page, head):
    gateway = start_gateway()
    [block] = python_blocks(page)
    passing = head + block.replace("Order 8", "Order 7").replace(', "sound"', "")
    # The README's first example passes, and its failure is the second.
    assert page != "README.md" or head + block == passing
    test = passing.replace("title=Order 7", "title=Order 8") if head + block == passing else head + block
    shown = re.search(r"^```python\n.*?^```\n.*?^```\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)[1]
    variables = project(gateway, tmp_path, test)
    output = run(gateway, tmp_path, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", status=1, **variables)
    assert not difference(Block(page, 0, "", test, list(pieces(shown))), output)
    picture = Path(re.search(r"^Screen: (.*)$", output, re.M)[1])
    assert "Order 7" in picture.read_text()
    (tmp_path / "test_shop.py").write_text(passing)
    assert "1 passed" in run(gateway, tmp_path, sys.executable, "-m", "pytest", "-q", **variables)


def test_the_plugin_starts_a_gateway_and_reports_each_device(gateway, tmp_path):
    variables = project(gateway, tmp_path, '''
import os
import pytest

def test_one(device):
    for text in ["one", "two", "three"]:
        device.push("com.example.app", {"aps": {"alert": text}})
    device.wait("body=three")
    assert False

@pytest.mark.parametrize("name", ["a/b", "c d"])
def test_two(pushcote, device, name):
    other = pushcote.device("other " + name.replace("/", ""))
    assert other.name != device.name and len(pushcote.devices) == 2
    with pushcote.fault(scenario="G19", match={"device": device.name}):
        pass
    assert pushcote.info()["counts"]["devices"] >= 2
    assert not os.environ["PUSHCOTE_ADMIN"] and name != "c d"

def test_three(pushcote, device):
    pushcote.stop()
    assert False
''')
    output = run(
        gateway, tmp_path, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", status=1,
        **variables | {"PUSHCOTE_ADMIN": ""})
    assert "3 failed, 1 passed" in output, output
    sections = re.findall(r"^-+ Pushcote: (.*?)(?:-[0-9a-f]{6})? -+\n(.*)", output, re.M)
    assert [name for name, _ in sections] == ["test_one", "test_two-c-d-", "other c d", "test_three"], output
    shown = re.findall(r"^Shown as: (.*)$|^(Rules, in the order tried)$", output, re.M)
    assert shown == [("app | one", ""), ("app | two", ""), ("app | three", ""), ("", "Rules, in the order tried")], output
    assert sections[1][1] == sections[2][1] == "The device received nothing."
    assert sections[3][1].startswith("The gateway does not say what the device saw: No answer from")


def test_a_failing_tests_report_has_requests_of_every_kind(logged, connect, tmp_path):
    """The push helper of the test is the real thing: the requests come during the test that fails."""
    variables = project(logged, tmp_path, '''
import json, os, sys
sys.path[:0] = os.environ["PATHS"].split(":")
from gateway import Gateway
import test_helpers

def test_one(device):
    facts = json.loads(os.environ["GATEWAY"])
    class Running:
        api = staticmethod(lambda method, path, **members: device.pushcote.call(
            method, path, body=members.get("json"), query=members.get("params")))
        provider, channels = tuple(facts["provider"]), {"sandbox": tuple(facts["channels"])}
        ca, bearer = facts["ca"], facts["bearer"]
    opened = []
    def connect(gateway):
        opened.append(test_helpers.Provider.to(gateway))
        return opened[-1]
    test_helpers.every_kind_of_request(Running, connect, device.register("com.example.app"))
    device.wait("title=Never", within="10ms")

def test_two(device):
    assert False
''')
    facts = {
        "provider": logged.provider, "channels": logged.channels["sandbox"], "ca": str(logged.ca), "bearer": logged.bearer}
    output = run(
        logged, tmp_path, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_shop.py", status=1,
        **variables, GATEWAY=json.dumps(facts), PATHS=f"{Path(__file__).parent}")
    assert "2 failed" in output and "INTERNALERROR" not in output, output
    first, second = re.split(r"^_+ test_two _+$", output, flags=re.M)
    for words in ("410 Unregistered · by fault rule 'gone'", "no answer · by fault rule 'torn'",
                  "no answer · by fault rule 'silent'", "no answer · by fault rule 'excluded'", "400 BadPriority",
                  "200 alert com.example.app", "Pushcote: requests for no device", "400 BadDeviceToken", "201 com.example.app"):
        assert words in first, (words, output)
    assert "No; next rule." not in output and "requests for no device" not in second, output


def test_a_missing_gateway_ends_the_session_once(gateway, tmp_path):
    tests = "".join(f"def test_{number}(device):\n    pass\n\n" for number in range(50))
    variables = project(gateway, tmp_path, tests)
    output = run(
        gateway, tmp_path, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", status=1,
        **variables | {"PUSHCOTE_ADMIN": "", "PUSHCOTE": "/no/such/program"})
    assert "Cannot run /no/such/program" in output and len(output.splitlines()) <= 5, output


def test_the_session_has_settings_of_its_own(gateway, tmp_path):
    variables = project(gateway, tmp_path, '''
import pytest

@pytest.fixture(scope="session")
def pushcote_settings():
    return ["seed=42"]

def test_one(pushcote):
    assert pushcote.info()["seed"] == 42
''')
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    assert "1 passed" in run(gateway, tmp_path, *command, **variables | {"PUSHCOTE_ADMIN": ""})
    output = run(gateway, tmp_path, *command, status=1, **variables)
    assert "Settings do not apply to the gateway at PUSHCOTE_ADMIN; pass them to `pushcote exec --set`." in output


def test_a_fault_counts_the_requests_of_a_provider(gateway, connect, monkeypatch):
    monkeypatch.syspath_prepend(str(CLIENTS / "python"))
    from pushcote import Pushcote

    pushcote = Pushcote.connect("http://127.0.0.1:%d" % gateway.admin_address[1])
    phone = pushcote.device()
    token = phone.register("com.example.app")
    effect = {"answer": {"status": 503, "reason": "Shutdown"}}
    with pushcote.fault({"name": phone.name, "match": {"device": phone.name}, "effect": effect}) as fault:
        assert connect(gateway).push(token, b'{"aps":{}}').status == 503
        assert fault.fired() == 1
    assert connect(gateway).push(token, b'{"aps":{}}').status == 200
    assert [one.get("fault") for one in pushcote.requests(device=phone.name)] == [phone.name, None]
    assert pushcote.verify(["status=503", f"fault={phone.name}"], of="requests", device=phone.name)["matchCount"] == 1
