"""Broadcasts and channel management requests, as providers send them."""

import json
import socket
import urllib.parse

from provider import PRODUCTION, Provider, SANDBOX, SECONDS, trust

APP = "com.example.app"
MANAGE = {
    "sandbox": "api-manage-broadcast.sandbox.push.apple.com",
    "production": "api-manage-broadcast.push.apple.com",
}
PUSH = {"sandbox": SANDBOX, "production": PRODUCTION}
POLICY = {"message-storage-policy": 0, "push-type": "LiveActivity"}
UPDATE = b'{"aps":{"event":"update","timestamp":1767571200,"content-state":{"step":1}}}'


def _socket(place):
    plain = socket.create_connection(place, SECONDS)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return plain


def through_proxy(gateway, host, port):
    plain = _socket(gateway.proxy)
    plain.sendall(f"CONNECT {host}:{port} HTTP/1.1\r\nhost: {host}:{port}\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += plain.recv(4096)
    assert answer.startswith(b"HTTP/1.1 200"), answer
    return plain


def manager(gateway, environment="sandbox", way="port"):
    """Connects for channel management: to its own port, in clear text, or through the proxy."""
    host = MANAGE[environment]
    if way == "clear text":
        return Provider(_socket(gateway.clear_text), host, gateway.bearer)
    if way == "proxy":
        plain = through_proxy(gateway, host, 2195 if environment == "sandbox" else 2196)
    else:
        plain = _socket(gateway.channels[environment])
    channel = trust(gateway.ca).wrap_socket(plain, server_hostname=host)
    return Provider(channel, host, gateway.bearer)


def sender(gateway, environment="sandbox", way="port"):
    """Connects for broadcasts."""
    host = PUSH[environment]
    if way == "clear text":
        return Provider(_socket(gateway.clear_text), host, gateway.bearer)
    if way == "proxy":
        channel = trust(gateway.ca).wrap_socket(through_proxy(gateway, host, 443), server_hostname=host)
        return Provider(channel, host, gateway.bearer)
    return Provider.to(gateway, host)


def request(connection, method, path, body=b"", **headers):
    """Sends a request with only the given headers and returns its answer."""
    pairs = [
        (":method", method), (":scheme", "https"), (":authority", connection.host), (":path", path)]
    if connection.bearer:
        pairs.append(("authorization", f"bearer {connection.bearer}"))
    pairs += [(name.replace("_", "-"), str(value)) for name, value in headers.items() if value is not None]
    return connection.answer(connection.send_raw(pairs, body))


def create(connection, policy=0, app=APP, **headers):
    """Creates a channel and returns its ID."""
    body = json.dumps(POLICY | {"message-storage-policy": policy}).encode()
    answer = request(connection, "POST", f"/1/apps/{app}/channels", body, **headers)
    assert (answer.status, answer.body) == (201, b""), answer
    return answer.headers["apns-channel-id"]


def broadcast(connection, channel, payload=UPDATE, app=APP, **headers):
    values = {
        "apns_channel_id": channel, "apns_push_type": "liveactivity", "apns_priority": 10, "apns_expiration": 0}
    return request(connection, "POST", f"/4/broadcasts/apps/{app}", payload, **(values | headers))


def quoted(channel):
    return urllib.parse.quote(channel, safe="")
