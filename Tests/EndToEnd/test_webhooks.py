"""A back end that learns its tokens from webhooks, and misbehaving receivers, with the built program."""

import hashlib
import hmac
import http.server
import json
import os
import queue
import random
import socket
import ssl
import subprocess
import sys
import threading

from cryptography.hazmat.primitives.asymmetric import ec
import pytest

from authorities import DAY, NOW, issue, name, pem, pem_key
from gateway import BINARY, ROOT, environment, pushcote

APP = "com.example.app"


def is_free(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


class Backend:
    """Runs Examples/backend with the command a reader would use."""

    def __init__(self, gateway):
        # Below the ephemeral ports, so that no connection or listener of another test takes it meanwhile.
        self.port = next(port for port in random.sample(range(20_000, 32_000), 20) if is_free(port))
        self.process = subprocess.Popen(
            [sys.executable, ROOT / "Examples/backend/backend.py"], stdout=subprocess.PIPE, text=True,
            cwd=gateway.folder, env=environment(
                PORT=str(self.port), PUSHCOTE=str(gateway.folder / "pushcote"),
                APNS="https://localhost:%d" % gateway.provider[1],
                APNS_CA=str(gateway.certificates / "ca.pem")))

    def send(self, text):
        self.request("/send", {"text": text})
        return self.process.stdout.readline().split()

    def request(self, path, body):
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            content = json.dumps(body).encode()
            head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(content)}\r\n\r\n"
            connection.sendall(head.encode() + content)
            assert b" 204 " in connection.recv(1000)


@pytest.fixture
def backend(gateway):
    # `pushcote token` runs in the same folder, which contains the demonstration key.
    command = gateway.folder / "pushcote"
    command.write_text(f"#!/bin/sh\nexec {BINARY} \"$@\" --set certificates.folder={gateway.certificates}\n")
    command.chmod(0o755)
    backend = Backend(gateway)
    yield backend
    backend.process.kill()
    backend.process.wait()


class Receiver:
    """Records the requests it receives."""

    def __init__(self, answer=204, context=None):
        self.requests = queue.Queue()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                outer.requests.put((self.path, dict(self.headers), body))
                self.send_response(answer)
                self.send_header("location", "/elsewhere")
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if context:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.port = self.server.server_address[1]
        self.url = "http://127.0.0.1:%d" % self.port


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()


def test_a_back_end_follows_the_tokens_of_its_devices(gateway, backend):
    admin = gateway.admin
    path = f"/api/v1/apps/{APP}/token-webhook"
    body = {"url": f"http://127.0.0.1:{backend.port}/tokens", "body": {"device": "{device}", "token": "{token}"}}
    assert admin.put(path, json=body).status_code in (200, 201)
    try:
        first = register(admin)
        await_deliveries(admin, 1)
        assert backend.send("Hello") == ["backend-phone", "200"]
        assert titles(admin) == ["Hello"]
        assert admin.delete(f"/api/v1/devices/backend-phone/registrations/{first}").status_code == 200
        # The webhook has not reported the removal yet; APNs answers 410.
        assert backend.send("Too late") == ["backend-phone", "410"]
        second = register(admin)
        assert second != first
        await_deliveries(admin, 2)
        assert backend.send("Again") == ["backend-phone", "200"]
        assert titles(admin)[-1] == "Again"
        listed = pushcote("tokens", "backend-phone", "--admin", "http://%s:%d" % gateway.admin_address)
        assert [line.split()[3] for line in listed.stdout.splitlines()] == ["STATUS", "unregistered", "active"]
        shown = pushcote("webhooks", "--admin", "http://%s:%d" % gateway.admin_address)
        assert f"tokens:{APP}" in shown.stdout
    finally:
        admin.delete(path)


def register(admin):
    return admin.post("/api/v1/devices/backend-phone/registrations", json={"topic": APP}).json()["token"]


def await_deliveries(admin, count):
    """The deliveries' count has no long poll, so this polls."""
    for _ in range(10_000):
        status = admin.get(f"/api/v1/apps/{APP}/token-webhook").json()
        if status["delivered"] >= count:
            return
    raise AssertionError(status)


def titles(admin):
    rows = admin.get("/api/v1/devices/backend-phone/events?kind=contentDelivered").json()["events"]
    return [row["details"]["body"] for row in rows]


def test_events_are_signed_and_have_the_shape_of_the_event_list(gateway, receiver):
    admin = gateway.admin
    hook = {"name": "signed", "url": receiver.url + "/{event}", "device": "signed-phone", "secret": "key",
            "events": ["delivered", "tapped", "dismissed", "removed"], "headers": {"authorization": "Bearer hidden"}}
    assert admin.post("/api/v1/webhooks", json=hook).status_code == 201
    try:
        token = admin.post("/api/v1/devices/signed-phone/registrations", json={"topic": APP}).json()["token"]
        assert token
        number = admin.post(f"/api/v1/devices/signed-phone/push?topic={APP}", json={"aps": {"alert": "Hi"}}).json()["id"]
        path, headers, body = receiver.requests.get(timeout=20)
        assert path == "/contentDelivered" and headers["authorization"] == "Bearer hidden"
        expected = hmac.new(b"key", body, hashlib.sha256).hexdigest()
        assert headers["pushcote-signature"] == "sha256=" + expected and len(headers["pushcote-delivery"]) == 32
        message = json.loads(body)
        assert message.pop("device") == "signed-phone"
        events = admin.get("/api/v1/devices/signed-phone/events?kind=contentDelivered").json()["events"]
        assert message == events[0]
        admin.post("/api/v1/devices/signed-phone/actions", json={"action": "tap", "notification": number})
        assert {receiver.requests.get(timeout=20)[0] for _ in range(2)} == {"/removed", "/response"}
        shown = json.dumps(admin.get("/api/v1/webhooks/signed").json())
        assert "hidden" not in shown and '"key"' not in shown
    finally:
        admin.delete("/api/v1/webhooks/signed")


def test_definitions_survive_a_restart_and_fixtures_define_them(tmp_path, start_gateway, receiver):
    fixture = tmp_path / "config.yaml"
    fixture.write_text(
        f"webhooks:\n  - name: file\n    url: {receiver.url}/file/{{token}}\n    events: [tokenIssued]\n"
        f"devices:\n  fixture-phone:\n    registrations:\n      - topic: {APP}\n")
    options = ("journal=sqlite", f"sqlite.file={tmp_path}/journal.sqlite")
    gateway = start_gateway(*options, arguments=("--config", fixture))
    token = gateway.admin.get("/api/v1/devices/fixture-phone/registrations").json()["registrations"][0]["token"]
    assert receiver.requests.get(timeout=20)[0] == f"/file/{token}"
    assert gateway.admin.post("/api/v1/webhooks", json={"name": "api", "url": receiver.url + "/api"}).status_code == 201
    before = gateway.admin.get("/api/v1/webhooks").json()["webhooks"]
    gateway.stop()
    gateway = start_gateway(*options, arguments=("--config", fixture))
    after = gateway.admin.get("/api/v1/webhooks").json()["webhooks"]
    assert [webhook["name"] for webhook in before] == [webhook["name"] for webhook in after] == ["api", "file"]
    gateway.admin.post("/api/v1/devices/other/registrations", json={"topic": APP})
    paths = {receiver.requests.get(timeout=20)[0].split("/")[1] for _ in range(2)}
    assert paths == {"api", "file"}


@pytest.fixture
def secure_receiver(tmp_path):
    """A function that starts a receiver with TLS; its authority is ca.pem in the folder."""
    authority_key, issuer = ec.generate_private_key(ec.SECP256R1()), name("Receivers' authority")
    (tmp_path / "ca.pem").write_bytes(pem(issue(issuer, authority_key, authority=True)))
    started = []

    def start(host="localhost", end=NOW + DAY):
        key = ec.generate_private_key(ec.SECP256R1())
        leaf = issue(name(host), key, issuer, authority_key, start=NOW - 2 * DAY, end=end, names=[host])
        (tmp_path / "leaf.pem").write_bytes(pem(leaf) + pem_key(key))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tmp_path / "leaf.pem")
        started.append(Receiver(context=context))
        return started[-1]

    yield start
    for receiver in started:
        receiver.server.shutdown()


def secure_hook(admin, port, **members):
    body = {"name": "secure", "url": f"https://localhost:{port}/hook", "device": "secure-phone", **members}
    assert admin.post("/api/v1/webhooks", json=body).status_code == 201
    admin.delete("/api/v1/devices/secure-phone")
    admin.post("/api/v1/devices/secure-phone/registrations", json={"topic": APP})
    for _ in range(10_000):
        status = admin.get("/api/v1/webhooks/secure").json()
        if status["delivered"] or "lastError" in status:
            admin.delete("/api/v1/webhooks/secure")
            return status
    raise AssertionError(status)


def test_a_tls_receiver_gets_events_if_its_certificate_is_trusted(gateway, secure_receiver, tmp_path):
    receiver = secure_receiver()
    status = secure_hook(gateway.admin, receiver.port, ca=str(tmp_path / "ca.pem"))
    assert status["delivered"] == 1 and "lastError" not in status and status["ca"] == str(tmp_path / "ca.pem")
    path, headers, body = receiver.requests.get(timeout=20)
    assert path == "/hook" and headers["host"] == f"localhost:{receiver.port}"
    assert json.loads(body)["event"] == "tokenIssued"


@pytest.mark.parametrize("certificate, ca, reason", [
    ({"host": "other.example"}, "ca.pem", "the certificate is not trusted: hostname mismatch"),
    ({"end": NOW - DAY}, "ca.pem", "the certificate is not trusted: certificate has expired"),
    ({}, None, "the certificate is not trusted: unable to get local issuer certificate"),
])
def test_an_untrusted_receiver_gets_nothing(
        gateway, secure_receiver, tmp_path, certificate, ca, reason):
    receiver = secure_receiver(**certificate)
    status = secure_hook(gateway.admin, receiver.port, **({"ca": str(tmp_path / ca)} if ca else {}))
    assert status["lastError"].startswith("no connection: " + reason.format(folder=tmp_path))
    assert status["delivered"] == 0 and receiver.requests.empty()


@pytest.mark.parametrize("ca, reason", [
    ("missing.pem", "No such file"), ("leaf.key", "the certificate or key cannot be used"), (".", "not a regular file"),
    # Opening it would wait for a writer.
    ("pipe", "not a regular file"), ("/dev/zero", "not a regular file"),
])
def test_a_file_of_authorities_that_cannot_be_used_is_rejected(gateway, tmp_path, ca, reason):
    (tmp_path / "leaf.key").write_text("no certificate")
    os.mkfifo(tmp_path / "pipe")
    body = {"url": "https://localhost:1/hook", "ca": str(tmp_path / ca)}
    for answer in (gateway.admin.post("/api/v1/webhooks", json={"name": "secure", **body}),
                   gateway.admin.put(f"/api/v1/apps/{APP}.ca/token-webhook", json=body)):
        assert answer.status_code == 400 and "'ca' cannot be used" in answer.text and reason in answer.text, answer.text


def test_the_gateways_own_address_stops_the_start(certificates, tmp_path):
    (tmp_path / "10.yaml").write_text("webhooks: [{name: loop, url: 'http://127.0.0.1:31917/push'}]\n")
    settings = ["listen.admin=127.0.0.1:31917", f"fixtures={tmp_path}", f"certificates.folder={certificates}"]
    done = pushcote("serve", *[part for setting in settings for part in ("--set", setting)], cwd=tmp_path)
    assert done.returncode == 2 and "The url of the webhook loop leads to this gateway itself" in done.stderr, done.stderr


def test_a_file_of_authorities_is_read_once(gateway, secure_receiver, tmp_path):
    receiver = secure_receiver()
    ca = tmp_path / "once.pem"
    ca.write_bytes((tmp_path / "ca.pem").read_bytes())
    body = {"name": "once", "url": f"https://localhost:{receiver.port}/hook", "device": "once-phone", "ca": str(ca)}
    assert gateway.admin.post("/api/v1/webhooks", json=body).status_code == 201
    gateway.device("once-phone", topic=APP)
    assert receiver.requests.get(timeout=20)
    ca.unlink()
    gateway.api("POST", "/devices/once-phone/registrations", json={"topic": APP + ".more"})
    assert receiver.requests.get(timeout=20)
    gateway.admin.delete("/api/v1/webhooks/once")


def test_the_system_s_authorities_are_trusted_without_a_file(start_gateway, secure_receiver, tmp_path):
    receiver = secure_receiver()
    gateway = start_gateway(env=environment(SSL_CERT_FILE=str(tmp_path / "ca.pem")))
    assert secure_hook(gateway.admin, receiver.port)["delivered"] == 1


def test_a_receiver_without_tls_is_a_clear_error(gateway, receiver):
    status = secure_hook(gateway.admin, receiver.server.server_address[1])
    assert status["lastError"].startswith("no connection: the handshake failed")
