"""The authority and the server's certificates: names, limits, and what clients trust."""

import ipaddress
import shutil
import socket
import ssl
import stat

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
import pytest

from authorities import NAMES, issue, name, pem, run, signer
from gateway import device_token, environment, pushcote
from provider import PRODUCTION, Provider, SECONDS, trust


@pytest.mark.parametrize("leaf", ["server.pem", "server-names.pem"])
@pytest.mark.parametrize("host", NAMES)
def test_the_certificate_is_valid_for_every_name(certificates, host, leaf):
    done = run(
        "openssl", "verify", "-x509_strict", "-CAfile", certificates / "ca.pem", "-untrusted",
        certificates / "intermediate.pem", "-verify_hostname", host, certificates / leaf)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
@pytest.mark.parametrize("host, has_addresses", [("localhost", False), (PRODUCTION, False), (None, True)])
def test_the_requested_name_selects_the_certificate(gateway, version, host, has_addresses):
    """BoringSSL rejects a certificate with addresses from an authority whose name constraints cover addresses."""
    context = trust(gateway.ca, minimum=version, maximum=version)
    context.check_hostname = host is not None
    session = None
    for _ in range(2):
        plain = socket.create_connection(gateway.provider, SECONDS)
        channel = context.wrap_socket(plain, server_hostname=host, session=session)
        with Provider(channel, "localhost", gateway.bearer) as provider:
            shown = {kind for kind, _ in channel.getpeercert()["subjectAltName"]}
            assert shown == ({"DNS", "IP Address"} if has_addresses else {"DNS"})
            assert channel.session_reused == (session is not None)
            assert provider.push(device_token()).status == 200
            session = channel.session


@pytest.mark.parametrize("first, second", [("localhost", None), (None, "localhost"), ("localhost", PRODUCTION)])
def test_a_ticket_for_one_name_is_safe_under_another(gateway, first, second):
    context = trust(gateway.ca)
    context.check_hostname = False
    session = None
    for host in (first, second):
        plain = socket.create_connection(gateway.provider, SECONDS)
        with Provider(
            context.wrap_socket(plain, server_hostname=host, session=session), "localhost", gateway.bearer
        ) as provider:
            assert provider.push(device_token()).status == 200
            session = provider.channel.session


@pytest.mark.parametrize("ip", ["127.0.0.1", "::1"])
def test_the_certificate_is_valid_for_loopback(certificates, ip):
    done = run(
        "openssl", "verify", "-CAfile", certificates / "ca.pem", "-untrusted", certificates / "intermediate.pem",
        "-verify_ip", ip, certificates / "server.pem")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("host", ["www.apple.com", "example.com", "evil.api.push.apple.com.example", "apple.com"])
def test_the_authority_cannot_sign_for_other_names(certificates, tmp_path, host):
    """Name constraints limit the damage for those who trust the authority if its key leaks."""
    issuer, issuer_key = signer(certificates)
    key = ec.generate_private_key(ec.SECP256R1())

    def verify(hostname):
        leaf = tmp_path / "leaf.pem"
        leaf.write_bytes(pem(issue(name("leaf"), key, issuer.subject, issuer_key, names=[hostname])))
        return run(
            "openssl", "verify", "-CAfile", certificates / "ca.pem", "-untrusted", certificates / "intermediate.pem",
            leaf)

    refused = verify(host)
    assert refused.returncode != 0 and "permitted subtree violation" in refused.stderr
    assert verify("localhost").returncode == 0, "the intermediate's key does sign"


def test_the_authority_can_sign_loopback_addresses_only(certificates, tmp_path):
    constraints = signer(certificates)[0].extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    addresses = [one.value for one in constraints.value.permitted_subtrees if isinstance(one, x509.IPAddress)]
    assert sorted(map(str, addresses)) == sorted(
        map(str, [ipaddress.ip_network("127.0.0.1/32"), ipaddress.ip_network("::1/128")]))


@pytest.mark.parametrize("file", ["private/intermediate.key", "private/server.key", "AuthKey_PUSHCOTE01.p8"])
def test_secret_files_are_readable_by_the_owner_only(certificates, gateway, file):
    assert stat.S_IMODE((certificates / file).stat().st_mode) == 0o600


@pytest.mark.parametrize("file", ["ca.pem", "bundle.pem"])
@pytest.mark.parametrize("base", ["/", "/api/v1/"])
def test_the_authority_is_served(gateway, base, file):
    answer = gateway.admin.get(base + file)
    assert answer.status_code == 200
    assert answer.content == (gateway.certificates / file).read_bytes()


@pytest.mark.parametrize("base", ["/", "/api/v1/"])
def test_the_trust_store_is_served(gateway, tmp_path, base):
    """The served file has other salts than the file on disk, but the same certificate."""
    served = tmp_path / "served.p12"
    served.write_bytes(gateway.admin.get(base + "ca.p12").raise_for_status().content)
    shown = run("openssl", "pkcs12", "-in", served, "-passin", "pass:changeit", "-nokeys")
    assert shown.returncode == 0, shown.stderr
    authority = gateway.ca.read_text().strip()
    assert authority in shown.stdout


@pytest.mark.skipif(not shutil.which("keytool"), reason="keytool is not installed (default-jre-headless)")
def test_java_trusts_the_certificate(certificates):
    shown = run(
        "keytool", "-list", "-storetype", "PKCS12", "-keystore", certificates / "ca.p12", "-storepass", "changeit")
    assert shown.returncode == 0, shown.stdout
    assert "trustedCertEntry" in shown.stdout and "pushcote" in shown.stdout


def test_the_bundle_replaces_the_systems_authorities(gateway):
    """SSL_CERT_FILE replaces the system's list, so the bundle also contains the system's authorities."""
    bundle = gateway.certificates / "bundle.pem"
    assert bundle.read_text().count("BEGIN CERTIFICATE") > 50
    done = run(
        "curl", "--silent", "--show-error", "--http2", "--noproxy", "*", "--max-time", "20", "--output", "-",
        "--write-out", "%{http_code}", f"https://localhost:{gateway.provider[1]}/nowhere",
        env=environment(SSL_CERT_FILE=str(bundle), CURL_CA_BUNDLE=str(bundle)))
    assert done.stdout == '{"reason":"BadPath"}404', done.stderr


def test_pythons_default_context_uses_the_bundle(gateway, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(gateway.certificates / "bundle.pem"))
    context = ssl.create_default_context()
    context.set_alpn_protocols(["h2"])
    with Provider.to(gateway, context=context) as provider:
        assert provider.push(device_token()).status == 200


def test_the_fingerprint_is_the_authoritys(gateway):
    shown = run("openssl", "x509", "-in", gateway.ca, "-noout", "-fingerprint", "-sha256")
    fingerprint = shown.stdout.strip().partition("=")[2]
    assert any(fingerprint in line for line in gateway.announcement)
    assert gateway.api("GET", "/info")["certificate"]["caFingerprint"] == fingerprint


def test_trust_is_documented_for_every_runtime(certificates, tmp_path):
    done = pushcote("certs", "trust", "--set", f"certificates.folder={certificates}", cwd=tmp_path)
    assert done.returncode == 0
    for client in ("curl", "Java", "Node", "Python", "Go", ".NET"):
        assert f"\n{client}\n" in "\n" + done.stdout
