"""Pushes with a client certificate, and TLS options that clients use."""

import os
import ssl
import stat

import pytest

from authorities import TOPIC, run, stranger
from gateway import device_token
from provider import connect as connect_tls, PRODUCTION, SANDBOX, trust


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


@pytest.mark.parametrize("form, host", [("development", PRODUCTION), ("production", SANDBOX)])
def test_a_certificate_of_the_other_environment_ends_the_connection(
    gateway, connect, client_certificate, form, host
):
    provider = connect(gateway, host=host, bearer=None, certificate=client_certificate(TOPIC, form))
    provider.until_closed()
    last_stream, code, debug = provider.goaways[0]
    assert (last_stream, code) == (0, 0)
    assert debug == b'{"reason":"BadCertificateEnvironment"}'


def test_the_log_says_of_a_rejected_certificate_what_connections_say(start_gateway, connect, client_certificate):
    gateway = start_gateway()
    connect(gateway, host=PRODUCTION, bearer=None, certificate=client_certificate(TOPIC, "development")).until_closed()
    [connection] = gateway.api("GET", "/connections")["connections"]
    message = connection["refusal"]["diagnosis"]["message"]
    [line] = [line for line in gateway.stderr.splitlines() if "because of its client certificate" in line]
    assert message in line and "BadCertificateEnvironment" in line


def test_a_certificate_that_does_not_verify_is_rejected(gateway, connect, stranger):
    answer = connect(gateway, bearer=None, certificate=stranger).push(device_token())
    assert (answer.status, answer.body) == (403, b'{"reason":"BadCertificate"}')
    diagnosis = gateway.request(answer.apns_id)["diagnosis"]
    assert diagnosis["id"] == "certificate.untrusted" and "certificates.clientAuthorities" in diagnosis["message"]


def test_an_expired_certificate_is_rejected(gateway, connect, client_certificate):
    prefix = client_certificate(TOPIC, "universal", "--expired")
    answer = connect(gateway, bearer=None, certificate=prefix).push(device_token())
    assert (answer.status, answer.body) == (403, b'{"reason":"BadCertificate"}')
    assert "expired" in gateway.request(answer.apns_id)["diagnosis"]["message"]


def test_another_authority_can_be_configured(start_gateway, connect, stranger):
    gateway = start_gateway(f"certificates.clientAuthorities={stranger.with_suffix('.ca')}")
    answer = connect(gateway, bearer=None, certificate=stranger).push(device_token())
    assert answer.status == 200, answer


def test_live_activities_need_a_token(gateway, connect, client_certificate):
    provider = connect(gateway, bearer=None, certificate=client_certificate())
    answer = provider.push(
        device_token(), apns_topic=TOPIC + ".push-type.liveactivity", apns_push_type="liveactivity")
    assert answer.reason == "TopicDisallowed"
    assert [one["id"] for one in gateway.request(answer.apns_id)["findings"]] == ["la.certificate"]


def test_the_pkcs12_file_opens(client_certificate):
    prefix = client_certificate(TOPIC, "universal", "--password", "open sesame")
    shown = run("openssl", "pkcs12", "-in", f"{prefix}.p12", "-passin", "pass:open sesame", "-nodes")
    assert shown.returncode == 0, shown.stderr
    assert "PRIVATE KEY" in shown.stdout and shown.stdout.count("BEGIN CERTIFICATE") == 3


@pytest.mark.parametrize("suffix", ["key", "p12"])
def test_a_clients_key_files_are_readable_by_the_owner_only(client_certificate, suffix):
    path = f"{client_certificate()}.{suffix}"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["1.2", "1.3"])
def test_tls_versions(gateway, connect, version):
    provider = connect(gateway, minimum=version, maximum=version)
    assert provider.channel.version() == version.name.replace("_", ".")
    assert provider.channel.selected_alpn_protocol() == "h2"
    assert provider.push(device_token()).status == 200
    assert provider.channel.compression() is None


def test_tls_1_1_is_rejected(gateway):
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


def test_a_resumed_session_stays_untrusted(gateway, connect, stranger):
    context = trust(gateway.ca, certificate=stranger)
    first = connect(gateway, context=context, bearer=None)
    assert first.push(device_token()).reason == "BadCertificate"
    session = first.channel.session
    second = connect(gateway, context=context, bearer=None, session=session)
    assert second.push(device_token()).reason == "BadCertificate"
