"""What whoever has the intermediate's key could make clients believe: the gateway's names, and no others.

Every TLS library is asked, because they read name constraints differently: Java ignores those of a certificate that it trusts.
"""

import asyncio
import contextlib
import socket
import ssl
import threading

from cryptography.hazmat.primitives.asymmetric import ec
from curl_cffi import AsyncSession, CurlError, CurlOpt
import pytest

from authorities import issue, name, pem, pem_key, run, signer
from test_trust import go_client, needs

OUTSIDE, INSIDE = "www.example.com", "localhost"


def forge(certificates, folder, host, has_own_authority):
    """Files of a chain and its key for `host`, as a thief of the intermediate's key makes them."""
    issuer, issuer_key = signer(certificates)
    chain, subject = [issuer], issuer.subject
    if has_own_authority:
        own_key = ec.generate_private_key(ec.SECP256R1())
        own = issue(name("An authority"), own_key, subject, issuer_key, authority=True)
        chain, subject, issuer_key = [own, *chain], own.subject, own_key
    key = ec.generate_private_key(ec.SECP256R1())
    leaf = issue(name(host), key, subject, issuer_key, names=[host])
    (folder / "chain.pem").write_bytes(b"".join(map(pem, [leaf, *chain])))
    (folder / "key.pem").write_bytes(pem_key(key))
    return folder / "chain.pem", folder / "key.pem"


@contextlib.contextmanager
def serving(chain, key):
    """A server with this certificate, which answers every request with 200; its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)

    def serve():
        while True:
            try:
                plain, _ = listener.accept()
            except OSError:
                return
            with contextlib.suppress(OSError), plain:
                plain.settimeout(30)
                with context.wrap_socket(plain, server_side=True) as channel:
                    channel.recv(65536)
                    channel.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        # Ends `accept`.
        listener.shutdown(socket.SHUT_RDWR)


# MARK: - Clients: each returns what it prints, and `accepted` in it if it believes the server.


def with_openssl(certificates, host, port, request):
    done = run(
        "openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-CAfile", certificates / "ca.pem", "-servername", host,
        "-verify_hostname", host, "-verify_return_error", input="")
    return done.stdout.replace("Verification: OK", "accepted") + done.stderr


def with_python(certificates, host, port, request):
    context = ssl.create_default_context(cafile=certificates / "ca.pem")
    try:
        with socket.create_connection(("127.0.0.1", port), 30) as plain, context.wrap_socket(plain, server_hostname=host):
            return "accepted"
    except ssl.SSLError as problem:
        return str(problem)


def with_curl(certificates, host, port, request):
    done = run(
        "curl", "--silent", "--show-error", "--noproxy", "*", "--max-time", 30, "--cacert", certificates / "ca.pem",
        "--resolve", f"{host}:{port}:127.0.0.1", "--write-out", "accepted", f"https://{host}:{port}/")
    return done.stdout if done.returncode == 0 else done.stderr


def with_boringssl(certificates, host, port, request):
    async def get():
        options = {CurlOpt.RESOLVE: [f"{host}:{port}:127.0.0.1"]}
        async with AsyncSession(curl_options=options, trust_env=False, verify=str(certificates / "ca.pem")) as session:
            await session.get(f"https://{host}:{port}/")

    try:
        asyncio.run(get())
        return "accepted"
    except CurlError as problem:
        return str(problem)


def with_gnutls(certificates, host, port, request):
    done = run(
        "gnutls-cli", "--x509cafile", certificates / "ca.pem", "--verify-hostname", host, "--sni-hostname", host,
        "--port", port, "127.0.0.1", input="")
    return (done.stdout + done.stderr).replace("The certificate is trusted", "accepted")


def with_go(certificates, host, port, request):
    client = request.getfixturevalue("go_client")
    done = run(client, certificates / "ca.pem", f"https://{host}:{port}/", f"127.0.0.1:{port}", "x", "x", "x")
    return done.stdout.replace("HTTP/1.1 200", "accepted") + done.stderr


JAVA = """
import java.net.Socket;
import javax.net.ssl.*;

class Connect {
    public static void main(String[] arguments) throws Exception {
        var port = Integer.parseInt(arguments[1]);
        var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
        var socket = (SSLSocket) factory.createSocket(new Socket("127.0.0.1", port), arguments[0], port, true);
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        System.out.println("accepted");
    }
}
"""


def with_java(certificates, host, port, request):
    program = request.getfixturevalue("tmp_path") / "Connect.java"
    program.write_text(JAVA)
    done = run(
        "java", f"-Djavax.net.ssl.trustStore={certificates / 'ca.p12'}", "-Djavax.net.ssl.trustStoreType=PKCS12",
        "-Djavax.net.ssl.trustStorePassword=changeit", program, host, port)
    return done.stdout + done.stderr


NODE = """
const [ca, host, port] = process.argv.slice(1);
const options = { host: "127.0.0.1", port, servername: host, ca: require("node:fs").readFileSync(ca) };
const socket = require("node:tls").connect(options, () => { console.log("accepted"); socket.destroy(); });
socket.on("error", (problem) => console.log(problem.code));
"""


def with_node(certificates, host, port, request):
    done = run("node", "--eval", NODE, "--", certificates / "ca.pem", host, port)
    return done.stdout + done.stderr


CLIENTS = [
    with_openssl, with_python, with_curl, with_boringssl,
    pytest.param(with_gnutls, marks=needs("gnutls-cli", "gnutls-bin")),
    pytest.param(with_go, marks=[needs("go", "golang-go"), pytest.mark.timeout(600)]),
    pytest.param(with_java, marks=needs("javac", "default-jdk-headless")),
    pytest.param(with_node, marks=needs("node", "nodejs")),
]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_forged_name_is_believed_by_no_client(certificates, tmp_path, request, client):
    for host, has_own_authority, is_accepted in [(OUTSIDE, False, False), (OUTSIDE, True, False), (INSIDE, False, True)]:
        with serving(*forge(certificates, tmp_path, host, has_own_authority)) as port:
            shown = client(certificates, host, port, request)
        assert ("accepted" in shown) == is_accepted, (host, has_own_authority, shown)


@needs("keytool", "default-jdk-headless")
def test_java_ignores_the_constraints_of_a_certificate_that_it_trusts(certificates, tmp_path, request):
    """Why clients trust a root without a key. It also proves that this file's Java believes what it is told to."""
    trusting = tmp_path / "trusting"
    trusting.mkdir()
    made = run(
        "keytool", "-importcert", "-noprompt", "-alias", "intermediate", "-file", certificates / "intermediate.pem",
        "-keystore", trusting / "ca.p12", "-storetype", "PKCS12", "-storepass", "changeit")
    assert made.returncode == 0, made.stdout + made.stderr
    with serving(*forge(certificates, tmp_path, OUTSIDE, has_own_authority=False)) as port:
        assert "accepted" in with_java(trusting, OUTSIDE, port, request)
