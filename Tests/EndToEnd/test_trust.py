"""Which clients can trust the authority: every TLS library that back ends push with, by name and by address.

The authority may sign for its names and addresses only, with a critical extension, which libraries read differently. Those
that are not installed are left out; the TLS and HTTP/2 of each is its own.
"""

import asyncio
import datetime
import shutil
import subprocess
from collections import Counter

from cryptography import x509
from curl_cffi import AsyncSession, Curl, CurlError, CurlHttpVersion, CurlOpt
import pytest

from gateway import environment
from provider import PAYLOAD, PRODUCTION, SANDBOX
from test_clients import TOPIC, received, run

# `localhost` and Apple's name are sent as SNI; the address is not.
HOSTS = ["localhost", PRODUCTION, "127.0.0.1"]


def needs(program, package):
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed ({package})")


def url(gateway, host, token):
    return f"https://{host}:{gateway.provider[1]}/3/device/{token}"


# MARK: - BoringSSL, which Swift NIOSSL and with it APNSwift and Vapor push with


def with_boringssl(gateway, host, token, count=1, ca=None):
    """The number of times each answer was received: protocol and status, or curl's error."""
    port = gateway.provider[1]

    async def push(session):
        try:
            answer = await session.post(
                url(gateway, host, token), data=PAYLOAD, verify=str(ca or gateway.ca),
                headers={"authorization": f"bearer {gateway.bearer}", "apns-topic": TOPIC})
            return f"{CurlHttpVersion(answer.http_version).name} {answer.status_code}"
        except CurlError as problem:
            return str(problem)

    async def push_all():
        options = {CurlOpt.RESOLVE: [f"{host}:{port}:127.0.0.1"], CurlOpt.PIPEWAIT: 1}
        async with AsyncSession(curl_options=options, http_version="v2", trust_env=False, max_clients=90) as session:
            # The first opens the connection that all others share.
            return [await push(session), *await asyncio.gather(*(push(session) for _ in range(1, count)))]

    return Counter(asyncio.run(push_all()))


def test_its_library_is_boringssl():
    assert b"BoringSSL" in Curl().version()


@pytest.mark.parametrize("host", ["localhost", SANDBOX])
def test_boringssl_pushes_by_name(gateway, host):
    device, token = gateway.device()
    assert with_boringssl(gateway, host, token, 1000) == {"V2_0 200": 1000}
    notifications = gateway.wait(device=device, count=1000, limit=1000)
    assert len(notifications) == 1000
    connection = gateway.api("GET", f"/connections/{gateway.detail(notifications[0])['request']['connection']}")
    assert connection["tls"]["serverName"] == host and connection["accepted"] == 1000


def test_boringssl_cannot_verify_an_address(gateway):
    """BoringSSL does not support name constraints for addresses, and the authority needs them to be safe."""
    _, token = gateway.device()
    [(line, count)] = with_boringssl(gateway, "127.0.0.1", token).items()
    assert count == 1 and "unsupported name constraint type" in line


def test_boringssl_trusts_no_other_authority(gateway, tmp_path):
    """Proves that the client of this test verifies certificates."""
    other = tmp_path / "other.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
         "/CN=other", "-keyout", "/dev/null", "-out", str(other)], check=True, capture_output=True)
    _, token = gateway.device()
    [(line, _)] = with_boringssl(gateway, "localhost", token, ca=other).items()
    assert "unable to get local issuer certificate" in line


# MARK: - GnuTLS


@needs("gnutls-cli", "gnutls-bin")
@pytest.mark.parametrize("host", HOSTS)
def test_gnutls_trusts_it(gateway, host):
    done = run(
        "gnutls-cli", "--x509cafile", gateway.ca, "--alpn", "h2", "--verify-hostname", host,
        *([] if host == "127.0.0.1" else ["--sni-hostname", host]), "--port", gateway.provider[1], "127.0.0.1",
        stdin=subprocess.DEVNULL)
    text = (done.stdout + done.stderr).decode(errors="replace")
    assert "The certificate is trusted" in text and done.returncode == 0, text
    assert "Application protocol: h2" in text


# MARK: - OpenSSL


@pytest.mark.parametrize("host", HOSTS)
def test_openssl_trusts_it_under_its_strict_rules(gateway, host):
    by = ["-noservername", "-verify_ip", host] if host == "127.0.0.1" else [
        "-servername", host, "-verify_hostname", host]
    done = run(
        "openssl", "s_client", "-connect", "%s:%d" % gateway.provider, "-CAfile", gateway.ca, "-x509_strict", "-alpn",
        "h2", *by, stdin=subprocess.DEVNULL)
    assert b"Verify return code: 0 (ok)" in done.stdout, done.stdout.decode()


# MARK: - Go


GO = """
package main

import ("context"; "crypto/tls"; "crypto/x509"; "fmt"; "net"; "net/http"; "os"; "strings")

func main() {
    pem, _ := os.ReadFile(os.Args[1])
    pool := x509.NewCertPool()
    pool.AppendCertsFromPEM(pem)
    dial := func(ctx context.Context, network, _ string) (net.Conn, error) { return net.Dial(network, os.Args[3]) }
    transport := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: pool}, DialContext: dial}
    request, _ := http.NewRequest("POST", os.Args[2], strings.NewReader(os.Args[6]))
    request.Header = http.Header{"Authorization": {"bearer " + os.Args[4]}, "Apns-Topic": {os.Args[5]}}
    answer, err := (&http.Client{Transport: transport}).Do(request)
    if err != nil { fmt.Println(err); os.Exit(1) }
    fmt.Println(answer.Proto, answer.StatusCode)
}
"""


@pytest.fixture(scope="module")
def go_client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("go")
    (folder / "main.go").write_text(GO)
    subprocess.run(
        ["go", "build", "-o", "client", "main.go"], cwd=folder, check=True, capture_output=True, timeout=540,
        env=environment(GOPATH=str(folder / "path"), GO111MODULE="off", CGO_ENABLED="0"))
    return folder / "client"


@needs("go", "golang-go")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("host", HOSTS)
def test_go_pushes(gateway, request, host):
    device, token = gateway.device(environment="production" if host == PRODUCTION else "sandbox")
    done = run(
        request.getfixturevalue("go_client"), gateway.ca, url(gateway, host, token), "%s:%d" % gateway.provider,
        gateway.bearer, TOPIC, PAYLOAD.decode())
    assert done.stdout.decode().strip() == "HTTP/2.0 200", done.stdout.decode() + done.stderr.decode()
    received(gateway, device)


# MARK: - Java


JAVA = """
import java.net.URI;
import java.net.http.*;

class Push {
    public static void main(String[] arguments) throws Exception {
        var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        for (var url : arguments[0].split(",")) {
            var request = HttpRequest.newBuilder(URI.create(url))
                .header("authorization", "bearer " + arguments[1]).header("apns-topic", arguments[2])
                .POST(HttpRequest.BodyPublishers.ofString(arguments[3])).build();
            var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            System.out.println(answer.version() + " " + answer.statusCode());
        }
    }
}
"""


@needs("javac", "default-jdk-headless")
def test_java_pushes(gateway, tmp_path):
    """Java cannot connect to another address than the name's, so the proxy tests cover Apple's names."""
    (tmp_path / "Push.java").write_text(JAVA)
    device, token = gateway.device()
    urls = ",".join(url(gateway, host, token) for host in ("localhost", "127.0.0.1"))
    done = run(
        "java", f"-Djavax.net.ssl.trustStore={gateway.certificates / 'ca.p12'}", "-Djavax.net.ssl.trustStoreType=PKCS12",
        "-Djavax.net.ssl.trustStorePassword=changeit", tmp_path / "Push.java", urls, gateway.bearer, TOPIC,
        PAYLOAD.decode())
    assert done.stdout.decode().split("\n")[:2] == ["HTTP_2 200"] * 2, done.stdout.decode() + done.stderr.decode()
    received(gateway, device, 2)


# MARK: - Node


NODE = """
const [ca, host, port, token, bearer, topic, payload] = process.argv.slice(2);
const client = require("node:http2").connect(`https://${host}:${port}`, {
  ca: require("node:fs").readFileSync(ca),
  lookup: (name, options, done) => options.all
    ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4),
});
client.on("error", (problem) => { console.log(problem.code); process.exit(1); });
const request = client.request({
  ":method": "POST", ":path": `/3/device/${token}`, authorization: `bearer ${bearer}`, "apns-topic": topic,
});
request.on("response", (headers) => { console.log(headers[":status"]); client.close(); });
request.end(payload);
"""


@needs("node", "nodejs")
@pytest.mark.parametrize("host", HOSTS)
def test_node_pushes(gateway, tmp_path, host):
    (tmp_path / "push.js").write_text(NODE)
    device, token = gateway.device(environment="production" if host == PRODUCTION else "sandbox")
    done = run(
        "node", tmp_path / "push.js", gateway.ca, host, gateway.provider[1], token, gateway.bearer, TOPIC,
        PAYLOAD.decode())
    assert done.stdout.decode().strip() == "200", done.stdout.decode() + done.stderr.decode()
    received(gateway, device)


# MARK: - Secure Transport


@pytest.mark.parametrize("leaf", ["server.pem", "server-names.pem"])
def test_certificates_follow_apples_rules_for_servers(gateway, leaf):
    """Apple, "Requirements for trusted certificates in iOS 13 and macOS 10.15" (HT103769) and "About upcoming limits on trusted
    certificates" (HT102028): a subject alternative name, serverAuth, SHA-2, P-256 or RSA 2048, and 398 days at most."""
    certificate = x509.load_pem_x509_certificate((gateway.certificates / leaf).read_bytes())
    usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert [one.dotted_string for one in usage] == ["1.3.6.1.5.5.7.3.1"]
    assert certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert certificate.signature_hash_algorithm.name == "sha256" and certificate.public_key().key_size == 256
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc <= datetime.timedelta(days=398)
