"""What the description cannot express, for schemathesis: text formats, and parameters that depend on each other."""

import re

import schemathesis
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import strategies

KEY = ec.derive_private_key(7, ec.SECP256R1())
PEM = KEY.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
PRIVATE_PEM = KEY.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
FORMATS = {
    # The limit is 128 bytes; 32 characters stay below it even when they take several bytes each.
    "device-name": strategies.from_regex("[A-Za-z0-9 _é☃-]{1,32}", fullmatch=True),
    "time-zone": strategies.sampled_from(["UTC", "Asia/Tokyo", "Europe/Berlin", "America/New_York"]),
    "reason": strategies.sampled_from(["BadDeviceToken", "Unregistered", "TooManyRequests"]),
    "pem": strategies.just(PEM),
    "private-pem": strategies.just(PRIVATE_PEM),
    # A path that exists in notifications, requests and events.
    "condition": strategies.sampled_from(["device"]),
}
for name, strategy in FORMATS.items():
    schemathesis.openapi.format(name, strategy)


@schemathesis.hook
def before_call(context, case, kwargs):
    query = case.query
    if not query:
        return
    # The two are aliases, and the API accepts only one of them.
    for first, second in (("since", "cursor"), ("topic", "app"), ("identifier", "group")):
        if first in query and second in query:
            del query[second]
    # A list in `newest` order pages backwards and cannot wait.
    if query.get("order") == "newest":
        for name in ("since", "cursor", "wait", "count"):
            query.pop(name, None)
    elif query.get("order", "oldest") == "oldest":
        query.pop("before", None)
    # Nothing happens during the run that would end a longer wait.
    if "count" in query and "wait" not in query:
        query["wait"] = "1ms"
    if re.fullmatch(r"[0-9.]+(ms|[smhd])|[Pp].*", str(query.get("wait", ""))):
        query["wait"] = "1ms"
