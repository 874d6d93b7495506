"""Keys, certificates and commands for the certificate tests."""

import datetime
import subprocess

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID, ObjectIdentifier
import pytest


TOPIC = "com.example.app"
NOW = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)


def run(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=30, **options)


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


def signer(folder):
    """The intermediate of a gateway's folder, with its key."""
    return (
        x509.load_pem_x509_certificate((folder / "intermediate.pem").read_bytes()),
        serialization.load_pem_private_key((folder / "private/intermediate.key").read_bytes(), None))


def pem(certificate):
    return certificate.public_bytes(serialization.Encoding.PEM)


@pytest.fixture
def stranger(tmp_path):
    """A client certificate from an authority the gateway does not know."""
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


NAMES = [
    "localhost", "pushcote", "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com",
    "api-broadcast.push.apple.com", "api-broadcast.sandbox.push.apple.com", "api-manage-broadcast.push.apple.com",
    "api-manage-broadcast.sandbox.push.apple.com",
]
