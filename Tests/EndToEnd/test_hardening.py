"""Limits that only a real process can show: descriptors, memory, CPU time."""

import os
import re
import resource
import socket
import ssl
import subprocess

from provider import Provider


def connect(gateway, count):
    return [socket.create_connection(gateway.clear_text) for _ in range(count)]


def cpu_seconds(gateway):
    fields = open(f"/proc/{gateway.pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descriptors(gateway):
    return len(os.listdir(f"/proc/{gateway.pid}/fd"))


def resident_mebibytes(gateway):
    return int(open(f"/proc/{gateway.pid}/statm").read().split()[1]) * resource.getpagesize() / 2**20


def limits_reached(gateway):
    text = gateway.admin.get("/metrics").text
    return {name: int(count) for name, count in re.findall(r'pushcote_limits_reached_total\{limit="(\w+)"\} (\d+)', text)}


def wait(gateway, seconds):
    """Lets the gateway run for `seconds`; it must not exit."""
    try:
        gateway.process.wait(seconds)
    except subprocess.TimeoutExpired:
        return
    raise AssertionError(f"the gateway ended: {gateway.stderr}")


def wait_until(gateway, condition, seconds=10):
    for _ in range(int(seconds / 0.05)):
        if condition():
            return
        wait(gateway, 0.05)
    raise AssertionError("it did not come to that")


def test_a_process_without_descriptors_pauses_and_recovers(start_gateway):
    gateway = start_gateway()
    assert set(limits_reached(gateway).values()) == {0}
    before = descriptors(gateway)
    _, hard = resource.prlimit(gateway.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(gateway.pid, resource.RLIMIT_NOFILE, (before + 10, hard))
    connections = connect(gateway, 100)
    wait_until(gateway, lambda: limits_reached(gateway)["Descriptors"] > 0)
    start = cpu_seconds(gateway)
    wait(gateway, 1)
    assert cpu_seconds(gateway) - start < 0.3, f"it spins: {limits_reached(gateway)}"
    for connection in connections:
        connection.close()
    wait_until(gateway, lambda: descriptors(gateway) <= before)
    with Provider.to(gateway) as provider:
        _, token = gateway.device()
        assert provider.push(token).status == 200


def test_thousands_of_connections_open_and_close(start_gateway):
    gateway = start_gateway("limits.connections=500", "limits.prefaceTimeout=6s")
    with Provider.to(gateway) as provider:
        _, token = gateway.device()
        assert provider.push(token).status == 200
        before, memory = descriptors(gateway), resident_mebibytes(gateway)
        connections = connect(gateway, 700)
        wait_until(gateway, lambda: limits_reached(gateway)["Connections"] > 150)
        assert provider.push(token).status == 200
        # The test does not close these connections: they time out.
        wait_until(gateway, lambda: descriptors(gateway) <= before, 60)
        assert limits_reached(gateway)["SlowPreface"] >= 400
        assert resident_mebibytes(gateway) - memory < 20
        assert provider.push(token).status == 200
        for connection in connections:
            connection.close()


def test_a_connection_closed_at_the_limit_is_recorded_as_such(start_gateway):
    gateway = start_gateway("limits.connections=1")
    with socket.create_connection(gateway.clear_text) as oldest:
        oldest.sendall(b"PRI * HTTP/2.0")
        wait_until(gateway, lambda: gateway.api("GET", "/connections")["connections"])
        with Provider.to(gateway) as provider:
            _, token = gateway.device()
            assert provider.push(token).status == 200
            wait_until(gateway, lambda: "ending" in gateway.api("GET", "/connections")["connections"][0])
            first = gateway.api("GET", "/connections")["connections"][0]
            assert (first["ending"], first["limit"]) == ("gateway", "Connections")


def test_keepalive_is_enabled_for_silent_peers(start_gateway):
    """TCP keep-alive detects a peer that vanished: its timer runs on every idle connection."""
    gateway = start_gateway()
    with Provider.to(gateway) as provider:
        _, token = gateway.device()
        assert provider.push(token).status == 200
        port, peer = gateway.provider[1], provider.channel.getsockname()[1]

        def timer():
            for line in open("/proc/net/tcp").read().splitlines()[1:]:
                fields = line.split()
                if fields[1].endswith(f":{port:04X}") and fields[2].endswith(f":{peer:04X}"):
                    return fields[5].partition(":")[0]
            return None

        # 02 in the column `tr` is the keep-alive timer; the retransmission timer may precede it briefly.
        wait_until(gateway, lambda: timer() == "02")


def test_a_handshake_has_a_timeout(start_gateway):
    gateway = start_gateway("limits.handshakeTimeout=2s")
    with socket.create_connection(gateway.provider) as connection:
        assert connection.recv(1) == b""
    # A completed handshake is no longer subject to the timeout.
    context = ssl.create_default_context(cafile=gateway.ca)
    context.set_alpn_protocols(["h2"])
    with socket.create_connection(gateway.provider) as raw, context.wrap_socket(raw, server_hostname="localhost") as tls:
        tls.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
        wait(gateway, 3)
        tls.sendall(bytes([0, 0, 8, 6, 0, 0, 0, 0, 0]) + b"pushcote")
        received = b""
        while b"pushcote" not in received:
            chunk = tls.recv(4096)
            assert chunk, "closed"
            received += chunk
    assert limits_reached(gateway)["SlowHandshake"] == 1
