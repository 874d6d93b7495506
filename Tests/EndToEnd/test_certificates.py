"""Certificates that clients present, that clients must trust, and that stop a gateway from starting."""

from pathlib import Path
import os
import shutil
import signal
import socket
import ssl
import tempfile

from cryptography.hazmat.primitives.asymmetric import ec, rsa
import pytest

from authorities import DAY, NOW, issue, name, pem, pem_key, run, stranger
from gateway import LISTENERS, BINARY, device_token, environment, pushcote
from provider import connect as connect_tls, Provider, SANDBOX

TOPIC = "com.example.app"


def test_configured_files_are_used(start_gateway, tmp_path):
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "own.pem").write_bytes(pem(issue(name("own"), key, names=["localhost", SANDBOX], authority=True)))
    (tmp_path / "own.key").write_bytes(pem_key(key))
    gateway = start_gateway(
        f"certificates.chain={tmp_path / 'own.pem'}", f"certificates.key={tmp_path / 'own.key'}")
    context = ssl.create_default_context(cafile=str(tmp_path / "own.pem"))
    context.set_alpn_protocols(["h2"])
    with Provider.to(gateway, context=context) as provider:
        assert provider.push(device_token()).status == 200


def test_configured_names_are_added(start_gateway, tmp_path):
    gateway = start_gateway("certificates.names=push.test.internal", certificates=tmp_path / "own-certs")
    with Provider.to(gateway, host="push.test.internal") as provider:
        assert provider.push(device_token()).status == 200


# Files that a folder of this name may already contain, from a web server, a VPN or other tests.
@pytest.mark.parametrize("command, file", [
    (["serve"], "server.key"), (["exec", "--", "true"], "server.pem"), (["certs"], "bundle.pem"),
    (["certs", "renew", "--all"], "ca.key")])
def test_a_foreign_file_is_never_replaced(tmp_path, command, file):
    folder = tmp_path / "certs"
    folder.mkdir()
    mine = rsa_key() if file.endswith(".key") else b"mine"
    (folder / file).write_bytes(mine)
    settings = ["--set", "listen.provider=127.0.0.1:0"]
    done = pushcote(command[0], *command[1:2], *settings, *command[2:], cwd=tmp_path) if command[0] == "certs" \
        else pushcote(command[0], *settings, *command[1:], cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert file in done.stderr and f"move {file} away" in done.stderr and "certificates.folder" in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {file: mine}


def test_a_foreign_authority_is_not_trusted_for_clients(start_gateway, connect, stranger, tmp_path):
    """With a user's certificate, the folder is used for the demonstration key only."""
    folder = tmp_path / "certs"
    folder.mkdir()
    shutil.copy(stranger.with_suffix(".ca"), folder / "ca.pem")
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "own.pem").write_bytes(pem(issue(name("x"), key, names=["localhost"], authority=False)))
    (tmp_path / "own.key").write_bytes(pem_key(key))
    gateway = start_gateway(
        f"certificates.chain={tmp_path / 'own.pem'}", f"certificates.key={tmp_path / 'own.key'}", certificates=folder)
    context = ssl.create_default_context(cafile=str(tmp_path / "own.pem"))
    context.set_alpn_protocols(["h2"])
    context.load_cert_chain(f"{stranger}.pem", f"{stranger}.key")
    with Provider.to(gateway, host="localhost", bearer=None, context=context) as provider:
        assert provider.push(device_token()).reason == "BadCertificate"
    assert (folder / "ca.pem").read_bytes() == stranger.with_suffix(".ca").read_bytes()


@pytest.mark.parametrize("ending", [".pem", ".key", ".p12"])
def test_a_client_certificate_replaces_files_only_with_force(tmp_path, certificates, ending):
    somebodys = tmp_path / f"provider{ending}"
    somebodys.write_text("mine")
    mint = ("certs", "client", TOPIC, "--set", f"certificates.folder={certificates}")
    refused = pushcote(*mint, cwd=tmp_path)
    assert refused.returncode == 1 and f"provider{ending} would be overwritten" in refused.stderr
    assert "--out" in refused.stderr and "--force" in refused.stderr
    assert [one.name for one in tmp_path.iterdir()] == [somebodys.name] and somebodys.read_text() == "mine"
    assert pushcote(*mint, "--force", cwd=tmp_path).returncode == 0
    assert somebodys.read_bytes() != b"mine"


@pytest.mark.parametrize("name", ["", "not a topic!"])
def test_a_client_certificate_needs_a_bundle_identifier(tmp_path, name):
    refused = pushcote("certs", "client", name, cwd=tmp_path)
    assert refused.returncode == 64 and f"'{name}' is no bundle identifier; accepted: such as" in refused.stderr
    assert not list(tmp_path.iterdir())


def test_renewal_takes_effect_on_sighup(start_gateway, tmp_path, certificates):
    folder = tmp_path / "renewed"
    shutil.copytree(certificates, folder)
    gateway = start_gateway(certificates=folder)

    def serial():
        with connect_tls(gateway) as channel:
            return channel.getpeercert()["serialNumber"]

    before = serial()
    assert pushcote("certs", "renew", "--set", f"certificates.folder={folder}", cwd=tmp_path).returncode == 0
    assert serial() == before
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration reloaded")
    assert serial() != before


def test_a_mismatched_authority_is_reported_with_its_certificate(start_gateway, tmp_path, certificates):
    folder = tmp_path / "renewed"
    shutil.copytree(certificates, folder)
    gateway = start_gateway(certificates=folder)
    before = gateway.api("GET", "/info")["certificate"]
    assert pushcote("certs", "renew", "--all", "--set", f"certificates.folder={folder}", cwd=tmp_path).returncode == 0
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration reloaded")
    authority = gateway.admin.get("/ca.pem").text
    assert authority == (folder / "ca.pem").read_text() != (certificates / "ca.pem").read_text()
    assert gateway.admin.get("/bundle.pem").text.startswith(authority)
    assert gateway.api("GET", "/info")["certificate"] != before
    context = ssl.create_default_context(cadata=authority)
    with socket.create_connection(gateway.provider, timeout=10) as plain:
        with context.wrap_socket(plain, server_hostname="localhost"):
            pass


def start_and_fail(folder, tmp_path, *options):
    settings = [f"listen.{one}=127.0.0.1:0" for one in LISTENERS]
    command = ["serve"]
    for setting in [*settings, f"certificates.folder={folder}", *options]:
        command += ["--set", setting]
    return pushcote(*command, cwd=tmp_path)


def rsa_key():
    return pem_key(rsa.generate_private_key(65537, 2048))


def other_key():
    return pem_key(ec.generate_private_key(ec.SECP256R1()))


# `CertificateStoreTests` has the other damages.
DAMAGES = {
    "ca.pem is damaged": ("ca.pem", "damaged", lambda folder: (folder / "ca.pem").write_text("x")),
    "ca.pem is empty": ("ca.pem", "", lambda folder: (folder / "ca.pem").write_bytes(b"")),
    "server.key is binary": ("private/server.key", "", lambda folder: (folder / "private/server.key").write_bytes(b"\xff\x00" * 99)),
    "the demonstration key is damaged": (
        "AuthKey_PUSHCOTE01.p8", "", lambda folder: (folder / "AuthKey_PUSHCOTE01.p8").write_text("x")),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_stops_start_up(damage, tmp_path, gateway, certificates):
    file, problem, spoil = DAMAGES[damage]
    folder = tmp_path / "bad"
    shutil.copytree(certificates, folder)
    spoil(folder)
    done = start_and_fail(folder, tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Ready." not in done.stdout
    assert str(folder / file) in done.stderr
    assert problem in done.stderr
    remedies = ["`pushcote certs renew", "Restore it", f"move {file} away"]
    assert any(remedy in done.stderr for remedy in remedies), "no remedy: " + done.stderr


def serve_unprivileged(folder):
    """Serves as the user `nobody` if the tests run as root, who can read and write any file."""
    identity = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    try:
        return run(
            BINARY, "serve", "--set", f"certificates.folder={folder}", "--set", "listen.provider=127.0.0.1:0",
            env=environment(), cwd=folder.parent, **identity)
    except PermissionError:
        pytest.skip("the user `nobody` has no permission to run the binary")


def test_an_unreadable_file_stops_start_up(certificates):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "certs"
        shutil.copytree(certificates, folder)
        (folder / "private/server.key").chmod(0)
        os.chmod(name, 0o755)
        if os.geteuid() == 0:
            for path in (Path(name), folder, *folder.rglob("*")):
                os.chown(path, 65534, 65534)
        done = serve_unprivileged(folder)
    assert done.returncode == 2, done.stderr
    assert f"{folder}/private/server.key" in done.stderr and "ermission denied" in done.stderr
    assert any(word in done.stderr for word in ("chmod", "read", "`pushcote certs renew")), "no remedy: " + done.stderr


def test_a_read_only_folder_is_reported():
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        folder = Path(name) / "certs"
        folder.mkdir(mode=0o555)
        done = serve_unprivileged(folder)
    assert done.returncode == 2, done.stderr
    assert f"{folder}/.gitignore: it cannot be read or written (Permission denied). Make its folder writable" in done.stderr, done.stderr
    assert "`certificates.folder`" in done.stderr


def test_the_remedy_works(tmp_path, start_gateway, certificates):
    folder = tmp_path / "bad"
    shutil.copytree(certificates, folder)
    (folder / "ca.pem").write_text("x")
    # The file's owner is unknown, so it is not overwritten; each message names the next step.
    for file in ("ca.pem", "private/intermediate.key"):
        done = start_and_fail(folder, tmp_path)
        assert done.returncode == 2 and f"move {file} away" in done.stderr, done.stderr
        (folder / file).rename(tmp_path / Path(file).name)
    with Provider.to(start_gateway(certificates=folder)) as provider:
        assert provider.push(device_token()).status == 200


def test_configured_files_are_checked_too(tmp_path, certificates):
    key = ec.generate_private_key(ec.SECP256R1())
    good, old = tmp_path / "good.pem", tmp_path / "old.pem"
    good.write_bytes(pem(issue(name("x"), key, names=["localhost"])))
    old.write_bytes(pem(issue(name("x"), key, names=["localhost"], start=NOW - 9 * DAY, end=NOW - DAY)))
    (tmp_path / "key.pem").write_bytes(pem_key(key))
    (tmp_path / "other.pem").write_bytes(other_key())
    (tmp_path / "nonsense.pem").write_text("nonsense")
    rows = [
        ("old.pem", "key.pem", "old.pem", "expired"),
        ("good.pem", "other.pem", "other.pem", "not the key"),
        ("nonsense.pem", "key.pem", "nonsense.pem", "cannot be used"),
        ("good.pem", "nonsense.pem", "nonsense.pem", ""),
        ("absent.pem", "key.pem", "absent.pem", ""),
        ("good.pem", "absent.pem", "absent.pem", ""),
    ]
    for chain, key_file, blamed, problem in rows:
        done = start_and_fail(
            certificates, tmp_path, f"certificates.chain={tmp_path / chain}", f"certificates.key={tmp_path / key_file}")
        assert done.returncode == 2, (chain, key_file, done.stderr)
        assert str(tmp_path / blamed) in done.stderr and problem in done.stderr


def test_a_key_without_a_chain_is_reported(tmp_path, certificates):
    done = start_and_fail(certificates, tmp_path, f"certificates.key={certificates / 'private/server.key'}")
    assert done.returncode == 2
    assert "certificates.chain" in done.stderr
