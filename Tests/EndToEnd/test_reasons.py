"""Every reason APNs gives for rejecting a device push, over the wire, with the sentence that explains it.

A row is one good push and what is wrong with it; one for each reason, and for what only real tokens and connections
show. `AdmissionTests` has all cases. The rule that refused is asserted with the reason.
"""

from dataclasses import dataclass, field
import json
import time
import uuid

import pytest

from gateway import device_token
from provider import PAYLOAD, PRODUCTION, SANDBOX
from signing import UPPER_UUID, bearer, signed
import tokens


TOPIC = "com.example.app"


# Apple, "Handling notification responses from APNs": all reasons of device pushes, with the spelling seen on the wire.
APNS_REASONS = {
    "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
    "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
    "MissingTopic", "PayloadEmpty", "TopicDisallowed", "BadCertificate", "BadCertificateEnvironment",
    "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken",
    "BadEnvironmentKeyInToken", "BadPath", "MethodNotAllowed", "ExpiredToken", "Unregistered", "PayloadTooLarge",
    "TooManyProviderTokenUpdates", "TooManyRequests", "InternalServerError", "ServiceUnavailable", "Shutdown",
}


# Only an injected fault produces these; this suite injects none.
NEED_FAULTS = {"IdleTimeout", "InternalServerError", "ServiceUnavailable", "TooManyRequests", "Forbidden"}


# Sent for the connection, not for a request; with the tests that cover them.
ON_THE_CONNECTION = {
    "Shutdown": "test_lifecycle.py: test_a_stop_sends_two_goaways",
    "BadCertificateEnvironment": "test_client_certificates.py: test_a_certificate_of_the_other_environment_ends_the_connection",
}


# Needs a client certificate; test_client_certificates.py covers all its forms.
WITH_A_CERTIFICATE = {"BadCertificate": "test_client_certificates.py: test_a_certificate_that_does_not_verify_is_rejected"}


@dataclass
class Row:
    name: str
    status: int
    reason: str
    rule: str
    edits: dict = field(default_factory=dict)
    payload: bytes = PAYLOAD
    # Makes edits that depend on the gateway: `prepare(gateway, provider) -> dict`. `token` in it is the device token.
    prepare: object = None
    host: str = SANDBOX
    # Part of the explanation shown to the user.
    says: str = ""

    def __str__(self):
        return self.name


def registered(topic=TOPIC, then=None, **registration):
    """A push to a registered device; `then` is what happens to the registration first."""

    def prepare(gateway, provider):
        name, token = gateway.device(topic=topic, **registration)
        if then == "unregistered":
            gateway.api("DELETE", f"/devices/{name}/registrations/{token}")
        elif then:
            gateway.api("PATCH", f"/devices/{name}/registrations/{token}", json={"status": then})
        return {"token": token}

    return prepare


def after_a_push_with(**key):
    """The connection's first push uses the demonstration key and is accepted; the row's push uses another key."""

    def prepare(gateway, provider):
        first = provider.push(device_token())
        assert first.status == 200, first
        made = gateway.key(**key)
        return {"authorization": "bearer " + token_of(made)}

    return prepare


def token_of(key, age=0):
    return tokens.provider_token(tokens.load(key["privateKey"]), key["keyId"], key["teamId"], age)


def with_key(**members):
    return lambda gateway, provider: {"authorization": "bearer " + token_of(gateway.key(**members))}


def one_more_token(gateway, provider):
    assert provider.push(device_token()).status == 200
    token = tokens.provider_token(gateway.private_key, gateway.key_id, gateway.team_id, age=60)
    return {"authorization": f"bearer {token}"}


ROWS = [
    # 400
    Row("a collapse id of 33 characters and 66 bytes", 400, "BadCollapseId", "apns-collapse-id.length",
        {"apns_collapse_id": "é" * 33}, says="33 characters"),
    Row("a token of the sandbox in production", 400, "BadDeviceToken", "device-token.environment", host=PRODUCTION,
        prepare=registered(environment="sandbox"), says="sandbox"),
    Row("an expiration with a fraction", 400, "BadExpirationDate", "apns-expiration.form",
        {"apns_expiration": "1518182259.475"}, says="fraction"),
    Row("an apns-id that is no UUID", 400, "BadMessageId", "apns-id.form", {"apns_id": "1234"}),
    Row("priority 7", 400, "BadPriority", "apns-priority.value", {"apns_priority": "7"}),
    Row("a topic with a space", 400, "BadTopic", "apns-topic.form", {"apns_topic": "com.example app"}),
    Row("a token of another topic", 400, "DeviceTokenNotForTopic", "device-token.topic",
        prepare=registered(topic="com.example.other"), says="com.example.other"),
    Row("two topics", 400, "DuplicateHeaders", "headers.duplicate", {"apns_topic": [TOPIC, TOPIC]}, says="apns-topic"),
    Row("an unknown push type", 400, "InvalidPushType", "apns-push-type.unknown", {"apns_push_type": "message"},
        says="alert"),
    Row("voip with the plain topic", 400, "InvalidPushType", "apns-topic.missing-suffix", {"apns_push_type": "voip"},
        says=f"{TOPIC}.voip"),
    Row("no device token", 400, "MissingDeviceToken", "device-token.missing", {"path": "/3/device/"}),
    Row("no topic", 400, "MissingTopic", "apns-topic.missing", {"apns_topic": None}),
    Row("no payload", 400, "PayloadEmpty", "payload.empty", payload=b""),
    Row("a topic outside the key's", 400, "TopicDisallowed", "key.topic",
        prepare=with_key(topics=["com.example.elsewhere"]), says="com.example.elsewhere"),
    Row("MDM with a token", 400, "TopicDisallowed", "apns-push-type.mdm",
        {"apns_push_type": "mdm", "apns_topic": "com.apple.mgmt.External.1"}),
    # 403
    Row("no credentials", 403, "MissingProviderToken", "token.missing", {"authorization": None}),
    Row("a token of two parts", 403, "InvalidProviderToken", "token.parts", {"authorization": "bearer a.b"}),
    Row("a key instead of a token", 403, "InvalidProviderToken", "token.pem",
        {"authorization": "bearer -----BEGIN PRIVATE KEY-----"}, says="sign"),
    Row("HS256", 403, "InvalidProviderToken", "token.algorithm", prepare=signed({"alg": "HS256"}), says="HS256"),
    Row("another team's key", 403, "InvalidProviderToken", "token.team", prepare=signed(claims={"iss": "OTHERTEAM1"}),
        says="OTHERTEAM1"),
    Row("key id and team id swapped", 403, "InvalidProviderToken", "token.swapped-ids",
        prepare=bearer(lambda gateway: tokens.provider_token(gateway.private_key, gateway.team_id, gateway.key_id)),
        says="swapped"),
    Row("signed with another key", 403, "InvalidProviderToken", "token.signature",
        prepare=signed(key=tokens.new_key())),
    Row("a second team on the connection", 403, "InvalidProviderToken", "connection.team",
        prepare=after_a_push_with(teamId="SECONDTEAM")),
    Row("a token of 61 minutes", 403, "ExpiredProviderToken", "token.expired",
        prepare=bearer(lambda gateway: tokens.provider_token(
            gateway.private_key, gateway.key_id, gateway.team_id, age=3660)), says="61 minutes"),
    Row("iat in milliseconds", 403, "ExpiredProviderToken", "token.iat-milliseconds",
        prepare=signed(claims={"iat": int(time.time() * 1000)}), says="milliseconds"),
    Row("a clock two hours ahead", 403, "ExpiredProviderToken", "token.clock",
        prepare=signed(claims={"iat": int(time.time()) + 7200}), says="clock"),
    Row("a sandbox key in production", 403, "BadEnvironmentKeyInToken", "key.environment", host=PRODUCTION,
        prepare=with_key(environments=["sandbox"])),
    Row("a topic key after a team key", 403, "UnrelatedKeyIdInToken", "connection.key",
        prepare=after_a_push_with(topics=[TOPIC])),
    # 404, 405
    Row("another path", 404, "BadPath", "path.unknown", {"path": "/3/devices/abcd"}),
    Row("GET", 405, "MethodNotAllowed", "method.not-post", {"method": "GET"}, payload=b""),
    # 410
    Row("an expired device token", 410, "ExpiredToken", "device-token.expired", prepare=registered(then="expired")),
    Row("the app was removed", 410, "Unregistered", "device-token.unregistered",
        prepare=registered(then="unregistered")),
    # 413
    Row("4097 bytes", 413, "PayloadTooLarge", "payload.size", payload=b"x" * 4097, says="1 more"),
    # 429
    Row("a second token within 20 minutes", 429, "TooManyProviderTokenUpdates", "token.updates",
        prepare=one_more_token, says="seconds after the last; use the old one for another"),
]


def test_every_reason_has_a_row_or_a_name():
    covered = {row.reason for row in ROWS} | NEED_FAULTS | set(ON_THE_CONNECTION) | set(WITH_A_CERTIFICATE)
    assert covered == APNS_REASONS
    assert not {row.reason for row in ROWS} & NEED_FAULTS


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_push_is_rejected(row, gateway, connect):
    provider = connect(gateway, host=row.host)
    edits = {"apns_id": str(uuid.uuid4()), **row.edits, **(row.prepare(gateway, provider) if row.prepare else {})}
    token = edits.pop("token", None) or device_token()
    answer = provider.push(token, row.payload, **edits)

    assert (answer.status, answer.reason) == (row.status, row.reason)
    if row.status == 410:
        timestamp = json.loads(answer.body)["timestamp"]
        assert answer.body == b'{"reason":"%s","timestamp":%d}' % (row.reason.encode(), timestamp)
        assert abs(timestamp - time.time() * 1000) < 60_000, "milliseconds since 1970"
    else:
        assert answer.body == b'{"reason":"%s"}' % row.reason.encode()
    assert answer.data_frames == 1, "pushy and aioapns want the whole error in one DATA frame"
    if row.reason == "BadMessageId":
        assert UPPER_UUID.fullmatch(answer.apns_id)
    else:
        assert answer.apns_id == edits["apns_id"]

    record = gateway.request(answer.apns_id, reason=row.reason)
    assert (record["status"], record["reason"]) == (row.status, row.reason)
    assert record["diagnosis"]["id"] == row.rule
    assert row.says in record["diagnosis"]["message"]
    assert "notification" not in record
