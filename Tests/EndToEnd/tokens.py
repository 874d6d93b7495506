"""Provider tokens, built by hand so that invalid ones can be built too."""

import base64
import hashlib
import json
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def load(pem):
    """A private key from PEM text or bytes."""
    return serialization.load_pem_private_key(pem.encode() if isinstance(pem, str) else pem, None)


def new_key():
    return ec.generate_private_key(ec.SECP256R1())


def public_pem(key):
    """The public key in PEM format."""
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def sign(key, header, claims, digest=hashes.SHA256, width=32):
    """A compact JWS with any header and claims."""
    signed = b".".join(base64url(json.dumps(part).encode()) for part in (header, claims))
    signature = decode_dss_signature(key.sign(signed, ec.ECDSA(digest())))
    return (signed + b"." + base64url(b"".join(number.to_bytes(width, "big") for number in signature))).decode()


def provider_token(key, key_id, team_id, age=0, **claims):
    """A provider token as Apple specifies it; `age` in seconds."""
    return sign(key, {"alg": "ES256", "kid": key_id}, {"iss": team_id, "iat": int(time.time()) - age, **claims})


def opened(token, key):
    """The header and the claims of a token that the key has signed; raises InvalidSignature for another."""
    signed, _, signature = token.rpartition(".")
    *parts, numbers = (base64.urlsafe_b64decode(part + "==") for part in (*signed.split("."), signature))
    der = encode_dss_signature(int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big"))
    key.public_key().verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
    return [json.loads(part) for part in parts]


def fingerprint(der):
    return hashlib.sha256(der).hexdigest()
