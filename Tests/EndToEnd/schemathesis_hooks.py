"""What the description cannot say, for schemathesis: texts with a form of their own, and parameters that go together."""

import re

import schemathesis
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import strategies

PEM = ec.derive_private_key(7, ec.SECP256R1()).public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
FORMATS = {
    # 128 bytes at most, which is less than 128 characters for some.
    "device-name": strategies.from_regex("[A-Za-z0-9 _é☃-]{1,32}", fullmatch=True),
    "time-zone": strategies.sampled_from(["UTC", "Asia/Tokyo", "Europe/Berlin", "America/New_York"]),
    "reason": strategies.sampled_from(["BadDeviceToken", "Unregistered", "TooManyRequests"]),
    "pem": strategies.just(PEM),
    # A path that notifications, requests and events have.
    "condition": strategies.sampled_from(["device"]),
}
for name, strategy in FORMATS.items():
    schemathesis.openapi.format(name, strategy)


@schemathesis.hook
def before_call(context, case, kwargs):
    query = case.query
    if not query:
        return
    # Both mean the same, and only one is taken.
    for first, second in (("since", "cursor"), ("topic", "app"), ("identifier", "group")):
        if first in query and second in query:
            del query[second]
    # A list of the newest goes back from a number, and waits for nothing.
    if query.get("order") == "newest":
        for name in ("since", "cursor", "wait", "count"):
            query.pop(name, None)
    elif query.get("order", "oldest") == "oldest":
        query.pop("before", None)
    # Nobody is going to do what a wait would wait for.
    if "count" in query and "wait" not in query:
        query["wait"] = "1ms"
    if re.fullmatch(r"[0-9.]+(ms|[smhd])|[Pp].*", str(query.get("wait", ""))):
        query["wait"] = "1ms"
