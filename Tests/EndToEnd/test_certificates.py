"""Certificates: those that clients bring, those they have to trust, and those that keep a gateway from starting."""

import datetime
import ipaddress
import os
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import tempfile
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID, ObjectIdentifier

from gateway import BINARY, device_token, environment, pushcote
from provider import PRODUCTION, SANDBOX, SECONDS, Provider, connect as connect_tls, trust

TOPIC = "com.example.app"
NOW = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)


def run(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=30, **options)


# MARK: - Certificates made by others


def pem_key(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def name(common, uid=None):
    attributes = [x509.NameAttribute(NameOID.COMMON_NAME, common)]
    if uid:
        attributes.append(x509.NameAttribute(NameOID.USER_ID, uid))
    return x509.Name(attributes)


def issue(subject, key, issuer=None, issuer_key=None, start=NOW - DAY, end=NOW + 30 * DAY, names=(), authority=False,
          oids=()):
    builder = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer or subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(start).not_valid_after(end)
        .add_extension(x509.BasicConstraints(authority, None), critical=True))
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(one) for one in names]), False)
    for oid in oids:
        builder = builder.add_extension(x509.UnrecognizedExtension(ObjectIdentifier(oid), b"\x05\x00"), False)
    return builder.sign(issuer_key or key, hashes.SHA256())


def pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


@pytest.fixture
def stranger(tmp_path):
    """A client certificate of an authority that the gateway does not know."""
    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = name("Somebody's authority")
    leaf = issue(
        name(f"Apple Push Services: {TOPIC}", TOPIC), key, issuer, authority_key,
        oids=["1.2.840.113635.100.6.3.1", "1.2.840.113635.100.6.3.2"])
    prefix = tmp_path / "stranger"
    prefix.with_suffix(".pem").write_bytes(pem(leaf))
    prefix.with_suffix(".key").write_bytes(pem_key(key))
    prefix.with_suffix(".ca").write_bytes(
        pem(issue(issuer, authority_key, authority=True)))
    return prefix


# MARK: - Client certificates


@pytest.mark.parametrize(
    "form, host, topic, extra",
    [
        ("universal", SANDBOX, TOPIC, {}),
        ("universal", PRODUCTION, TOPIC, {}),
        ("universal", SANDBOX, TOPIC + ".voip", {"apns_push_type": "voip"}),
        ("universal", SANDBOX, TOPIC + ".complication", {"apns_push_type": "complication"}),
        ("development", SANDBOX, TOPIC, {}),
        ("production", PRODUCTION, TOPIC, {}),
        ("voip", SANDBOX, TOPIC + ".voip", {"apns_push_type": "voip"}),
        ("voip", PRODUCTION, TOPIC + ".voip", {"apns_push_type": "voip"}),
        ("mdm", PRODUCTION, TOPIC, {"apns_push_type": "mdm"}),
    ])
def test_a_certificate_of_each_form_pushes(gateway, connect, client_certificate, form, host, topic, extra):
    provider = connect(gateway, host=host, bearer=None, certificate=client_certificate(TOPIC, form))
    token = device_token()
    answer = provider.push(token, apns_topic=topic, **extra)
    assert answer.status == 200, answer
    record = gateway.request(answer.apns_id)
    assert record["authentication"] == "certificate"
    [subject] = [gateway.api("GET", f"/connections/{record['connection']}")["tls"]["clientCertificate"]]
    assert TOPIC in subject


def test_an_mdm_push_has_no_aps(gateway, connect, client_certificate):
    topic = "com.apple.mgmt.External.0d7a1e0c-1111-2222-3333-444455556666"
    provider = connect(gateway, host=PRODUCTION, bearer=None, certificate=client_certificate(topic, "mdm"))
    answer = provider.push(device_token(), b'{"mdm":"magic"}', apns_topic=None, apns_push_type="mdm")
    assert answer.status == 200
    [notification] = gateway.wait(topic=topic)
    assert gateway.detail(notification)["request"]["payload"] == {"mdm": "magic"}


@pytest.mark.parametrize("form, host", [("development", PRODUCTION), ("production", SANDBOX)])
def test_a_certificate_of_the_other_environment_ends_the_connection(
    gateway, connect, client_certificate, form, host
):
    provider = connect(gateway, host=host, bearer=None, certificate=client_certificate(TOPIC, form))
    provider.until_closed()
    last_stream, code, debug = provider.goaways[0]
    assert (last_stream, code) == (0, 0)
    assert debug == b'{"reason":"BadCertificateEnvironment"}'


def test_a_certificate_of_the_other_environment_never_gets_an_answer(gateway, connect, client_certificate):
    provider = connect(gateway, host=PRODUCTION, bearer=None, certificate=client_certificate(TOPIC, "development"))
    try:
        provider.send(device_token())
    except (OSError, ssl.SSLError):
        pass
    provider.until_closed()
    assert [answer.status for answer in provider.answers.values()] in ([], [0])
    assert provider.goaways[0][2] == b'{"reason":"BadCertificateEnvironment"}'


def test_a_certificate_that_does_not_verify_is_refused(gateway, connect, stranger):
    answer = connect(gateway, bearer=None, certificate=stranger).push(device_token())
    assert (answer.status, answer.body) == (403, b'{"reason":"BadCertificate"}')
    diagnosis = gateway.request(answer.apns_id)["diagnosis"]
    assert diagnosis["id"] == "certificate.untrusted"


def test_the_remedy_for_a_strange_certificate_names_a_setting_that_exists(gateway, connect, stranger):
    answer = connect(gateway, bearer=None, certificate=stranger).push(device_token())
    message = gateway.request(answer.apns_id)["diagnosis"]["message"]
    assert "certificates.clientAuthorities" in message


def test_a_token_does_not_help_a_bad_certificate(gateway, connect, stranger):
    """With a certificate the authorization header is ignored."""
    assert connect(gateway, certificate=stranger).push(device_token()).reason == "BadCertificate"


def test_an_expired_certificate_is_refused(gateway, connect, client_certificate):
    prefix = client_certificate(TOPIC, "universal", "--expired")
    answer = connect(gateway, bearer=None, certificate=prefix).push(device_token())
    assert (answer.status, answer.body) == (403, b'{"reason":"BadCertificate"}')
    assert "expired" in gateway.request(answer.apns_id)["diagnosis"]["message"]


def test_a_strangers_authority_can_be_named(start_gateway, connect, stranger):
    gateway = start_gateway(f"certificates.clientAuthorities={stranger.with_suffix('.ca')}")
    answer = connect(gateway, bearer=None, certificate=stranger).push(device_token())
    assert answer.status == 200, answer


def test_a_certificate_ignores_the_authorization_header(gateway, connect, client_certificate):
    provider = connect(gateway, bearer="nonsense", certificate=client_certificate())
    assert provider.push(device_token()).status == 200


def test_a_topic_outside_the_certificate_is_disallowed(gateway, connect, client_certificate):
    provider = connect(gateway, bearer=None, certificate=client_certificate())
    answer = provider.push(device_token(), apns_topic="com.example.other")
    assert (answer.status, answer.reason) == (400, "TopicDisallowed")
    assert gateway.request(answer.apns_id)["diagnosis"]["id"] == "certificate.topic"


def test_live_activities_need_a_token(gateway, connect, client_certificate):
    provider = connect(gateway, bearer=None, certificate=client_certificate())
    answer = provider.push(
        device_token(), apns_topic=TOPIC + ".push-type.liveactivity", apns_push_type="liveactivity")
    assert answer.reason == "TopicDisallowed"


def test_one_topic_need_not_be_named(gateway, connect, client_certificate):
    provider = connect(gateway, bearer=None, certificate=client_certificate(TOPIC, "development"))
    answer = provider.push(device_token(), apns_topic=None)
    assert answer.status == 200
    [notification] = gateway.notifications(apnsId=answer.apns_id)
    assert notification["topic"] == TOPIC


def test_several_topics_have_to_be_named(gateway, connect, client_certificate):
    provider = connect(gateway, bearer=None, certificate=client_certificate())
    answer = provider.push(device_token(), apns_topic=None)
    assert (answer.status, answer.reason) == (400, "MissingTopic")
    diagnosis = gateway.request(answer.apns_id)["diagnosis"]
    assert diagnosis["id"] == "apns-topic.several"
    assert TOPIC + ".voip" in diagnosis["message"]


def test_the_pkcs12_file_opens(client_certificate):
    prefix = client_certificate(TOPIC, "universal", "--password", "open sesame")
    shown = run("openssl", "pkcs12", "-in", f"{prefix}.p12", "-passin", "pass:open sesame", "-nodes")
    assert shown.returncode == 0, shown.stderr
    assert "PRIVATE KEY" in shown.stdout and shown.stdout.count("BEGIN CERTIFICATE") == 2


@pytest.mark.parametrize("suffix", ["key", "p12"])
def test_a_clients_secrets_are_its_owners(client_certificate, suffix):
    path = f"{client_certificate()}.{suffix}"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


# MARK: - TLS


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
def test_tls_versions(gateway, connect, version):
    provider = connect(gateway, minimum=version, maximum=version)
    assert provider.channel.version() == version.name.replace("_", ".")
    assert provider.channel.selected_alpn_protocol() == "h2"
    assert provider.push(device_token()).status == 200
    assert provider.channel.compression() is None


def test_tls_1_1_is_refused(gateway):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(gateway.ca)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionError)):
        connect_tls(gateway, context=context).close()


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
@pytest.mark.parametrize("with_certificate", [False, True], ids=["with a token", "with a certificate"])
def test_a_session_is_resumed(gateway, connect, client_certificate, version, with_certificate):
    credentials = {"bearer": None} if with_certificate else {}
    context = trust(
        gateway.ca, minimum=version, maximum=version, certificate=client_certificate() if with_certificate else None)
    first = connect(gateway, context=context, **credentials)
    assert first.push(device_token()).status == 200
    session = first.channel.session
    first.channel.close()

    second = connect(gateway, context=context, session=session, **credentials)
    assert second.channel.session_reused
    answer = second.push(device_token())
    assert answer.status == 200, answer
    record = gateway.request(answer.apns_id)
    tls = gateway.api("GET", f"/connections/{record['connection']}")["tls"]
    assert tls["isResumed"] is True
    if with_certificate:
        assert record["authentication"] == "certificate"
        assert TOPIC in tls["clientCertificate"]


def test_a_resumed_stranger_stays_a_stranger(gateway, connect, stranger):
    context = trust(gateway.ca, certificate=stranger)
    first = connect(gateway, context=context, bearer=None)
    assert first.push(device_token()).reason == "BadCertificate"
    session = first.channel.session
    second = connect(gateway, context=context, bearer=None, session=session)
    assert second.push(device_token()).reason == "BadCertificate"


def test_renegotiation_is_refused(gateway):
    """TLS 1.2 with openssl's client, which asks for it on a line with R."""
    process = subprocess.Popen(
        ["openssl", "s_client", "-connect", "%s:%d" % gateway.provider, "-tls1_2", "-servername", SANDBOX, "-alpn", "h2",
         "-CAfile", str(gateway.ca)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        output, _ = process.communicate(b"R\n", timeout=20)
    finally:
        process.kill()
    assert b"RENEGOTIATING" in output
    assert b"no renegotiation" in output or b"handshake failure" in output or b"error" in output.lower()
    with Provider.to(gateway) as provider:
        assert provider.push(device_token()).status == 200


@pytest.mark.parametrize("host", [None, "unknown.example", "api.push.apple.com.evil.example"])
def test_a_strange_or_absent_server_name_fails_no_handshake(gateway, host):
    """apnotic behind a proxy sends the proxy's name."""
    context = ssl.create_default_context(cafile=str(gateway.ca))
    context.check_hostname = False
    context.set_alpn_protocols(["h2"])
    channel = context.wrap_socket(socket.create_connection(gateway.provider, SECONDS), server_hostname=host)
    with Provider(channel, "localhost", gateway.bearer) as provider:
        assert provider.push(device_token()).status == 200


def test_a_client_that_does_not_trust_the_authority_goes_away(gateway):
    with pytest.raises(ssl.SSLCertVerificationError):
        context = ssl.create_default_context()
        connect_tls(gateway, context=context)
    with Provider.to(gateway) as provider:
        assert provider.push(device_token()).status == 200


# MARK: - What clients have to trust


NAMES = [
    "localhost", "pushcote", "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
    "api-manage-broadcast.push.apple.com", "api-manage-broadcast.sandbox.push.apple.com",
]


@pytest.mark.parametrize("host", NAMES)
def test_the_certificate_is_good_for_every_name(certificates, host):
    done = run(
        "openssl", "verify", "-x509_strict", "-CAfile", certificates / "ca.pem", "-verify_hostname", host,
        certificates / "server.pem")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("host", NAMES)
def test_the_certificate_without_addresses_is_good_for_every_name(certificates, host):
    leaf = certificates / "server-names.pem"
    done = run(
        "openssl", "verify", "-x509_strict", "-CAfile", certificates / "ca.pem", "-verify_hostname", host, leaf)
    assert done.returncode == 0, done.stderr
    names = x509.load_pem_x509_certificate(leaf.read_bytes()).extensions.get_extension_for_class(
        x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == NAMES and not names.get_values_for_type(x509.IPAddress)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
@pytest.mark.parametrize("host, has_addresses", [("localhost", False), (PRODUCTION, False), (None, True)])
def test_the_name_asked_for_decides_which_certificate_is_shown(gateway, version, host, has_addresses):
    """BoringSSL refuses one with addresses from an authority that may sign for some addresses only."""
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
def test_a_ticket_of_one_name_does_no_harm_under_another(gateway, first, second):
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
def test_the_certificate_is_good_for_loopback(certificates, ip):
    done = run(
        "openssl", "verify", "-CAfile", certificates / "ca.pem", "-verify_ip", ip, certificates / "server.pem")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("host", ["www.apple.com", "example.com", "evil.api.push.apple.com.example", "apple.com"])
def test_the_authority_may_not_sign_for_others(certificates, tmp_path, host):
    """Its name constraints make it harmless to whoever trusts it, should its key be lost."""
    authority = x509.load_pem_x509_certificate((certificates / "ca.pem").read_bytes())
    authority_key = serialization.load_pem_private_key((certificates / "ca.key").read_bytes(), None)
    key = ec.generate_private_key(ec.SECP256R1())

    def verify(hostname):
        leaf = tmp_path / "leaf.pem"
        leaf.write_bytes(pem(issue(name("leaf"), key, authority.subject, authority_key, names=[hostname])))
        return run("openssl", "verify", "-CAfile", certificates / "ca.pem", leaf)

    refused = verify(host)
    assert refused.returncode != 0 and "permitted subtree violation" in refused.stderr
    assert verify("localhost").returncode == 0, "the authority's key does sign"


def test_the_authority_may_sign_no_address_but_loopback(certificates, tmp_path):
    authority = x509.load_pem_x509_certificate((certificates / "ca.pem").read_bytes())
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    addresses = [one.value for one in constraints.value.permitted_subtrees if isinstance(one, x509.IPAddress)]
    assert sorted(map(str, addresses)) == sorted(
        map(str, [ipaddress.ip_network("127.0.0.1/32"), ipaddress.ip_network("::1/128")]))


@pytest.mark.parametrize("file", ["ca.key", "server.key", "AuthKey_PUSHCOTE01.p8"])
def test_secrets_are_their_owners(certificates, gateway, file):
    assert stat.S_IMODE((certificates / file).stat().st_mode) == 0o600


@pytest.mark.parametrize("file", ["ca.pem", "bundle.pem"])
@pytest.mark.parametrize("base", ["/", "/api/v1/"])
def test_what_to_trust_is_served(gateway, base, file):
    answer = gateway.admin.get(base + file)
    assert answer.status_code == 200
    assert answer.content == (gateway.certificates / file).read_bytes()


@pytest.mark.parametrize("base", ["/", "/api/v1/"])
def test_the_trust_store_is_served(gateway, tmp_path, base):
    """Its salts differ from the file's, its certificate does not."""
    served = tmp_path / "served.p12"
    served.write_bytes(gateway.admin.get(base + "ca.p12").raise_for_status().content)
    shown = run("openssl", "pkcs12", "-in", served, "-passin", "pass:changeit", "-nokeys")
    assert shown.returncode == 0, shown.stderr
    authority = gateway.ca.read_text().strip()
    assert authority in shown.stdout


def test_openssl_opens_the_trust_store(certificates):
    shown = run("openssl", "pkcs12", "-in", certificates / "ca.p12", "-passin", "pass:changeit", "-nokeys")
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.count("BEGIN CERTIFICATE") == 1


@pytest.mark.skipif(not shutil.which("keytool"), reason="keytool is not installed (default-jre-headless)")
def test_java_sees_a_trusted_certificate(certificates):
    shown = run(
        "keytool", "-list", "-storetype", "PKCS12", "-keystore", certificates / "ca.p12", "-storepass", "changeit")
    assert shown.returncode == 0, shown.stdout
    assert "trustedCertEntry" in shown.stdout and "pushcote" in shown.stdout


def test_the_bundle_replaces_the_systems_list(gateway):
    """SSL_CERT_FILE takes the place of the list, so the bundle holds the system's authorities too."""
    bundle = gateway.certificates / "bundle.pem"
    assert bundle.read_text().count("BEGIN CERTIFICATE") > 50
    done = run(
        "curl", "--silent", "--show-error", "--http2", "--noproxy", "*", "--max-time", "20", "--output", "-",
        "--write-out", "%{http_code}", f"https://localhost:{gateway.provider[1]}/nowhere",
        env=environment(SSL_CERT_FILE=str(bundle), CURL_CA_BUNDLE=str(bundle)))
    assert done.stdout == '{"reason":"BadPath"}404', done.stderr


def test_pythons_default_context_takes_the_bundle(gateway, monkeypatch):
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


def test_trust_is_explained_for_every_runtime(certificates, tmp_path):
    done = pushcote("certs", "trust", "--set", f"certificates.folder={certificates}", cwd=tmp_path)
    assert done.returncode == 0
    for client in ("curl", "Java", "Node", "Python", "Go", ".NET"):
        assert f"\n{client}\n" in "\n" + done.stdout


# MARK: - Own files, renewal


def test_own_files_are_used(start_gateway, tmp_path):
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "own.pem").write_bytes(pem(issue(name("own"), key, names=["localhost", SANDBOX], authority=True)))
    (tmp_path / "own.key").write_bytes(pem_key(key))
    gateway = start_gateway(
        f"certificates.chain={tmp_path / 'own.pem'}", f"certificates.key={tmp_path / 'own.key'}")
    context = ssl.create_default_context(cafile=str(tmp_path / "own.pem"))
    context.set_alpn_protocols(["h2"])
    with Provider.to(gateway, context=context) as provider:
        assert provider.push(device_token()).status == 200


def test_more_names_are_added(start_gateway, tmp_path):
    gateway = start_gateway("certificates.names=push.test.internal", certificates=tmp_path / "own-certs")
    with Provider.to(gateway, host="push.test.internal") as provider:
        assert provider.push(device_token()).status == 200


def test_certificates_are_reused(start_gateway, tmp_path):
    folder = tmp_path / "kept"
    first = start_gateway(certificates=folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    first.stop()
    start_gateway(certificates=folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_a_leaf_is_renewed_before_it_ends(start_gateway, tmp_path, certificates):
    folder = tmp_path / "old"
    shutil.copytree(certificates, folder)
    authority = x509.load_pem_x509_certificate((folder / "ca.pem").read_bytes())
    authority_key = serialization.load_pem_private_key((folder / "ca.key").read_bytes(), None)
    key = ec.generate_private_key(ec.SECP256R1())
    old = issue(name("localhost"), key, authority.subject, authority_key, end=NOW + 10 * DAY, names=NAMES)
    (folder / "server.pem").write_bytes(pem(old))
    (folder / "server.key").write_bytes(pem_key(key))
    gateway = start_gateway(certificates=folder)
    new = x509.load_pem_x509_certificate((folder / "server.pem").read_bytes())
    assert new.not_valid_after_utc > NOW + 100 * DAY
    assert (folder / "ca.pem").read_bytes() == (certificates / "ca.pem").read_bytes(), "clients trust it already"
    with Provider.to(gateway) as provider:
        assert provider.push(device_token()).status == 200


def test_a_folder_of_an_older_version_is_renewed_with_one_line(start_gateway, tmp_path, certificates):
    """Such a folder has one certificate, with the addresses, and no other."""
    folder = tmp_path / "old"
    shutil.copytree(certificates, folder)
    (folder / "server-names.pem").unlink()
    gateway = start_gateway(certificates=folder)
    made = [line for line in gateway.announcement + gateway.stderr.splitlines() if "Made " in line]
    assert len(made) == 1 and "server.pem" in made[0], made
    assert (folder / "ca.pem").read_bytes() == (certificates / "ca.pem").read_bytes()
    with connect_tls(gateway, "localhost") as channel:
        assert {kind for kind, _ in channel.getpeercert()["subjectAltName"]} == {"DNS"}
    gateway.stop()
    again = start_gateway(certificates=folder)
    assert not [line for line in again.announcement if "Made " in line]


# What people have in a folder of this name, from their web server, their VPN, their other tests.
GUESTS = ["server.key", "server.pem", "bundle.pem", "ca.key", "ca.p12"]


@pytest.mark.parametrize("file", GUESTS)
@pytest.mark.parametrize("command", [["serve"], ["exec", "--", "true"], ["certs"], ["certs", "renew", "--all"]])
def test_somebodys_file_is_never_replaced(tmp_path, file, command):
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


def test_somebodys_authority_vouches_for_no_clients(start_gateway, connect, stranger, tmp_path):
    """With a certificate of one's own, the folder is only where the demonstration key is."""
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


def test_a_new_folder_is_kept_out_of_git(tmp_path):
    assert pushcote("certs", cwd=tmp_path).returncode == 0
    assert (tmp_path / "certs/.gitignore").read_text() == "*\n!.gitignore\n"
    run("git", "init", "--quiet", cwd=tmp_path)
    run("git", "add", "--all", cwd=tmp_path)
    assert run("git", "ls-files", cwd=tmp_path).stdout.split() == ["certs/.gitignore"]


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
    gateway.wait_for_log("Configuration read again")
    assert serial() != before


def test_another_authority_is_told_with_the_certificate_it_signed(start_gateway, tmp_path, certificates):
    folder = tmp_path / "renewed"
    shutil.copytree(certificates, folder)
    gateway = start_gateway(certificates=folder)
    before = gateway.api("GET", "/info")["certificate"]
    assert pushcote("certs", "renew", "--all", "--set", f"certificates.folder={folder}", cwd=tmp_path).returncode == 0
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration read again")
    authority = gateway.admin.get("/ca.pem").text
    assert authority == (folder / "ca.pem").read_text() != (certificates / "ca.pem").read_text()
    assert gateway.admin.get("/bundle.pem").text.startswith(authority)
    assert gateway.api("GET", "/info")["certificate"] != before
    context = ssl.create_default_context(cadata=authority)
    with socket.create_connection(gateway.provider, timeout=10) as plain:
        with context.wrap_socket(plain, server_hostname="localhost"):
            pass


# MARK: - Files that keep a gateway from starting


def start_and_fail(folder, tmp_path, *options):
    settings = [f"listen.{one}=127.0.0.1:0" for one in ("provider", "clearText", "proxy", "admin")]
    command = ["serve"]
    for setting in [*settings, f"certificates.folder={folder}", *options]:
        command += ["--set", setting]
    return pushcote(*command, cwd=tmp_path)


def rsa_key():
    return pem_key(rsa.generate_private_key(65537, 2048))


def other_key():
    return pem_key(ec.generate_private_key(ec.SECP256R1()))


def expired_authority(folder):
    key = ec.generate_private_key(ec.SECP256R1())
    ours = x509.Name([
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Pushcote"),
        x509.NameAttribute(NameOID.COMMON_NAME, "Pushcote local authority old")])
    (folder / "ca.pem").write_bytes(pem(issue(ours, key, start=NOW - 9 * DAY, end=NOW - DAY, authority=True)))
    (folder / "ca.key").write_bytes(pem_key(key))


DAMAGES = {
    "ca.pem is damaged": ("ca.pem", "damaged", lambda folder: (folder / "ca.pem").write_text("x")),
    "ca.pem is cut off": (
        "ca.pem", "damaged", lambda folder: (folder / "ca.pem").write_bytes((folder / "ca.pem").read_bytes()[:200])),
    "ca.pem is empty": ("ca.pem", "", lambda folder: (folder / "ca.pem").write_bytes(b"")),
    "ca.pem is lost": ("ca.pem", "missing", lambda folder: (folder / "ca.pem").unlink()),
    "ca.pem has expired": ("ca.pem", "expired", expired_authority),
    "ca.pem is a folder": (
        "ca.pem", "", lambda folder: ((folder / "ca.pem").unlink(), (folder / "ca.pem").mkdir())),
    "ca.key is another's": ("ca.key", "not the key", lambda folder: (folder / "ca.key").write_bytes(other_key())),
    "ca.key is damaged": ("ca.key", "", lambda folder: (folder / "ca.key").write_text("x")),
    "server.pem is damaged": ("server.pem", "damaged", lambda folder: (folder / "server.pem").write_text("x")),
    "server.key is another's": (
        "server.key", "not the key", lambda folder: (folder / "server.key").write_bytes(other_key())),
    "server.key is damaged": ("server.key", "", lambda folder: (folder / "server.key").write_text("x")),
    "server.key is lost": ("server.key", "", lambda folder: (folder / "server.key").unlink()),
    "server.key is binary": ("server.key", "", lambda folder: (folder / "server.key").write_bytes(b"\xff\x00" * 99)),
    "the demonstration key is damaged": (
        "AuthKey_PUSHCOTE01.p8", "", lambda folder: (folder / "AuthKey_PUSHCOTE01.p8").write_text("x")),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_bad_file_stops_the_start(damage, tmp_path, gateway, certificates):
    file, problem, spoil = DAMAGES[damage]
    folder = tmp_path / "bad"
    shutil.copytree(certificates, folder)
    spoil(folder)
    done = start_and_fail(folder, tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Ready." not in done.stdout
    assert str(folder / file) in done.stderr
    assert problem in done.stderr
    remedies = ["`pushcote certs renew", "Put it back", f"move {file} away"]
    assert any(remedy in done.stderr for remedy in remedies), "no remedy: " + done.stderr


def test_an_unreadable_file_stops_the_start(certificates):
    """Root reads everything, so root becomes nobody for this."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "certs"
        shutil.copytree(certificates, folder)
        (folder / "server.key").chmod(0)
        os.chmod(name, 0o755)
        identity = {}
        if os.geteuid() == 0:
            identity = {"user": 65534, "group": 65534, "extra_groups": []}
            for path in (Path(name), folder, *folder.iterdir()):
                os.chown(path, 65534, 65534)
        try:
            done = run(
                BINARY, "serve", "--set", f"certificates.folder={folder}", "--set", "listen.provider=127.0.0.1:0",
                env=environment(), cwd=name, **identity)
        except PermissionError:
            pytest.skip("nobody may run the binary")
    assert done.returncode == 2, done.stderr
    assert f"{folder}/server.key" in done.stderr and "ermission denied" in done.stderr
    assert any(word in done.stderr for word in ("chmod", "read", "`pushcote certs renew")), "no remedy: " + done.stderr


def test_the_remedy_works(tmp_path, start_gateway, certificates):
    folder = tmp_path / "bad"
    shutil.copytree(certificates, folder)
    (folder / "ca.pem").write_text("x")
    # Nobody knows whose file that is, so it is not overwritten; each message leads to the next.
    for file in ("ca.pem", "ca.key"):
        done = start_and_fail(folder, tmp_path)
        assert done.returncode == 2 and f"move {file} away" in done.stderr, done.stderr
        (folder / file).rename(tmp_path / file)
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


def test_a_key_without_a_chain_is_told(tmp_path, certificates):
    done = start_and_fail(certificates, tmp_path, f"certificates.key={certificates / 'server.key'}")
    assert done.returncode == 2
    assert "certificates.chain" in done.stderr
