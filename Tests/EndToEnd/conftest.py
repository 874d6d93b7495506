"""Fixtures: a gateway shared by all tests, and gateways for a single test or module."""

import contextlib
import itertools
import os

import pytest

import tokens
from gateway import BINARY, Gateway, pushcote
from provider import Provider

pytest_plugins = ["browser"]

# The files that take longest, longest first: at the end, no process is left with one of them while the others wait.
# `pytest --durations 150` measures them.
LONGEST = [
    "test_contract", "test_helpers", "test_page", "test_release", "test_event_stream", "test_postgres", "test_state",
    "test_extensions", "test_documents", "test_journal", "test_page_speed", "test_redaction", "test_cli_setup"]


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """The certificate folder, created once: creating it is slow, and clients need to trust one authority only."""
    folder = tmp_path_factory.mktemp("gateway") / "certs"
    made = pushcote("certs", "--set", f"certificates.folder={folder}", cwd=folder.parent)
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="session")
def bearer(certificates, tmp_path_factory):
    """The demonstration key's token, shared by all tests, because APNs tells providers to reuse theirs."""
    made = pushcote("token", "--set", f"certificates.folder={certificates}", cwd=tmp_path_factory.mktemp("token"))
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


def _started(folder, certificates, bearer, *options, **arguments):
    gateway = Gateway(folder, certificates, options, **arguments)
    gateway.start()
    gateway.private_key = tokens.load(gateway.key_file.read_bytes())
    gateway.bearer = bearer or tokens.provider_token(gateway.private_key, gateway.key_id, gateway.team_id)
    return gateway


@contextlib.contextmanager
def _running(folder, certificates, bearer, *options):
    """Starts a gateway, stops it afterwards, and fails unless it stops cleanly."""
    gateway = _started(folder, certificates, bearer, *options)
    try:
        yield gateway
        gateway.stop()
    finally:
        gateway.kill()


@pytest.fixture(scope="session")
def gateway(tmp_path_factory, certificates, bearer):
    """A gateway with default settings; tests that share it use only their own devices."""
    with _running(tmp_path_factory.mktemp("shared"), certificates, bearer) as gateway:
        yield gateway


@pytest.fixture(scope="module")
def make_gateway(tmp_path_factory, certificates, bearer):
    """Starts gateways shared by the tests of a module."""
    with contextlib.ExitStack() as started:
        yield lambda *options: started.enter_context(
            _running(tmp_path_factory.mktemp("module"), certificates, bearer, *options))


@pytest.fixture
def start_gateway(tmp_path, certificates):
    """Starts gateways with `section.key=value` options; stops each and fails unless it stops cleanly."""
    started = []
    numbers = itertools.count(1)

    def start(*options, certificates=certificates, **arguments):
        folder = tmp_path / f"gateway-{next(numbers)}"
        folder.mkdir()
        # A token of its own: the session's may be old, and tests advance the clock.
        gateway = _started(folder, certificates, None, *options, **arguments)
        started.append(gateway)
        return gateway

    yield start
    problems = []
    for gateway in started:
        try:
            gateway.stop()
        except AssertionError as problem:
            problems.append(problem)
        finally:
            gateway.kill()
    if problems:
        raise problems[0]


@pytest.fixture
def provider(gateway):
    """A valid provider's connection to the shared gateway's sandbox."""
    with Provider.to(gateway) as provider:
        yield provider


@pytest.fixture
def connect(request):
    """Opens connections and closes them at the end of the test."""
    opened = []

    def open_connection(gateway, **options):
        provider = Provider.to(gateway, **options)
        opened.append(provider)
        return provider

    yield open_connection
    for one in opened:
        one.channel.close()


@pytest.fixture(scope="session")
def client_certificate(certificates, tmp_path_factory):
    """Mints client certificates with `pushcote certs client`; returns the path prefix of the files."""
    folder = tmp_path_factory.mktemp("clients")
    made = {}

    def mint(bundle_id="com.example.app", form="universal", *flags):
        wanted = (bundle_id, form, *flags)
        if wanted not in made:
            prefix = folder / f"client-{len(made)}"
            run = pushcote(
                "certs", "client", bundle_id, "--form", form, "--out", prefix, *flags,
                "--set", f"certificates.folder={certificates}", cwd=folder)
            assert run.returncode == 0, run.stderr
            made[wanted] = prefix
        return made[wanted]

    return mint


def pytest_report_header():
    return f"pushcote: {BINARY}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """In CI, a test whose program is missing fails: `make test` installs them all."""
    report = yield
    if os.environ.get("CI") and report.skipped and "not installed" in str(report.longrepr):
        report.outcome = "failed"
    return report


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST))
