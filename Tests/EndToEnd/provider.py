"""A provider that can send valid and invalid HTTP/2, frame by frame, on `h2` and `ssl`."""

import json
import socket
import ssl
import time
import uuid
from dataclasses import dataclass, field

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings
from hyperframe.frame import DataFrame, Frame, GoAwayFrame, HeadersFrame, PingFrame

PAYLOAD = b'{"aps":{"alert":{"title":"Tea","body":"It is ready."},"sound":"default"}}'
SANDBOX = "api.sandbox.push.apple.com"
PRODUCTION = "api.push.apple.com"
SECONDS = 15


def trust(ca, alpn=("h2",), certificate=None, maximum=None, minimum=None):
    """A TLS context that trusts the gateway's authority and checks the host name."""
    context = ssl.create_default_context(cafile=str(ca))
    if alpn:
        context.set_alpn_protocols(list(alpn))
    if certificate:
        context.load_cert_chain(f"{certificate}.pem", f"{certificate}.key")
    if maximum:
        context.maximum_version = maximum
    if minimum:
        context.minimum_version = minimum
    return context


def connect(gateway, host=SANDBOX, session=None, context=None, **options):
    """Opens a TLS connection to the provider port, with Apple's host name by default."""
    plain = socket.create_connection(gateway.provider, SECONDS)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    context = context or trust(gateway.ca, **options)
    return context.wrap_socket(plain, server_hostname=host, session=session)


@dataclass
class Answer:
    status: int = 0
    headers: dict = field(default_factory=dict)
    body: bytes = b""
    data_frames: int = 0
    ended: bool = False
    reset: int | None = None

    @property
    def apns_id(self):
        return self.headers["apns-id"]

    @property
    def reason(self):
        return json.loads(self.body)["reason"] if self.body else None


class Provider:
    """One HTTP/2 connection."""

    def __init__(self, channel, host=SANDBOX, bearer=None, topic="com.example.app"):
        self.channel, self.host, self.bearer, self.topic = channel, host, bearer, topic
        channel.settimeout(SECONDS)
        self.http = h2.connection.H2Connection(
            h2.config.H2Configuration(
                client_side=True, header_encoding="utf-8", validate_outbound_headers=False,
                normalize_outbound_headers=False))
        self.answers = {}
        self.settings = []
        self.goaways = []
        self.pongs = []
        self.events = []
        self.is_closed = False
        self.unread = b""
        self.http.initiate_connection()
        self.flush()

    @classmethod
    def to(cls, gateway, host=SANDBOX, bearer=True, topic="com.example.app", session=None, context=None, **options):
        """Connects with TLS; `bearer=True` means the demonstration key's token."""
        channel = connect(gateway, host, session, context, **options)
        return cls(channel, host, gateway.bearer if bearer is True else bearer, topic)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.channel.close()

    def flush(self):
        data = self.http.data_to_send()
        if data:
            self.channel.sendall(data)

    # MARK: - Sending

    def headers(self, token, **edits):
        """The headers of a valid push; `edits` replace (`apns_topic="x"`), remove (`None`) or repeat (a list)."""
        values = {
            ":method": "POST", ":scheme": "https", ":authority": self.host, ":path": f"/3/device/{token}",
            "apns-topic": self.topic, "apns-push-type": "alert", "apns-id": str(uuid.uuid4()),
        }
        if self.bearer:
            values["authorization"] = f"bearer {self.bearer}"
        for name, value in edits.items():
            name = {"method": ":method", "path": ":path", "authority": ":authority", "scheme": ":scheme"}.get(
                name, name.replace("_", "-"))
            values[name] = value
        pseudo = [name for name in values if name.startswith(":")]
        names = pseudo + [name for name in values if not name.startswith(":")]
        pairs = []
        for name in names:
            value = values[name]
            if isinstance(value, list):
                pairs += [(name, one) for one in value]
            elif value is not None:
                pairs.append((name, value))
        return pairs

    def send(self, token, payload=PAYLOAD, **edits):
        """Sends a push without waiting; returns its stream number."""
        return self.send_raw(self.headers(token, **edits), payload)

    def send_raw(self, headers, payload=PAYLOAD):
        stream = self.http.get_next_available_stream_id()
        self.answers[stream] = Answer()
        self.http.send_headers(stream, headers, end_stream=not payload)
        self.flush()
        rest = payload
        while rest:
            window = self.http.local_flow_control_window(stream)
            if window == 0:
                self.receive()
                if self.answers[stream].ended or self.is_closed:
                    break
                continue
            size = min(window, self.http.max_outbound_frame_size, len(rest))
            part, rest = rest[:size], rest[size:]
            self.http.send_data(stream, part, end_stream=not rest)
            self.flush()
        return stream

    def push(self, token, payload=PAYLOAD, **edits):
        """Sends a push and waits for its answer."""
        return self.answer(self.send(token, payload, **edits))

    def push_hundreds(self, token, count):
        """Sends one push, which raises the stream limit, then `count` times a hundred at once; each is accepted."""
        assert self.push(token).status == 200
        for _ in range(count):
            for stream in [self.send(token) for _ in range(100)]:
                assert self.answer(stream).status == 200

    # MARK: - Receiving

    def answer(self, stream):
        self.until(lambda: self.answers[stream].ended, f"an answer on stream {stream}")
        return self.answers[stream]

    def until(self, condition, what):
        """Reads until `condition` holds; fails if the peer closes first."""
        deadline = time.monotonic() + SECONDS
        while not condition():
            assert not self.is_closed, f"closed while waiting for {what}; goaways: {self.goaways}"
            assert time.monotonic() < deadline, f"no {what}"
            self.receive()

    def until_closed(self):
        deadline = time.monotonic() + SECONDS
        while not self.is_closed:
            assert time.monotonic() < deadline, "the connection stays open"
            self.receive()

    def receive(self):
        try:
            data = self.channel.recv(65536)
        except (ConnectionResetError, ssl.SSLEOFError):
            data = b""
        if not data:
            self.is_closed = True
            return
        self.unread += data
        while len(self.unread) >= 9:
            frame, length = Frame.parse_frame_header(memoryview(self.unread[:9]))
            if len(self.unread) < 9 + length:
                break
            body, rest = self.unread[9:9 + length], self.unread[9 + length:]
            if self.goaways:
                frame.parse_body(memoryview(body))
                self.take_after_goodbye(frame)
            else:
                for event in self.http.receive_data(self.unread[:9 + length]):
                    self.take(event)
            self.unread = rest
        try:
            self.flush()
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            pass

    def take_after_goodbye(self, frame):
        """`h2` treats a connection as closed after one GOAWAY, but a graceful shutdown sends more frames."""
        match frame:
            case GoAwayFrame():
                self.goaways.append((frame.last_stream_id, frame.error_code, frame.additional_data))
            case PingFrame() if "ACK" not in frame.flags:
                self.send_frame(PingFrame(0, frame.opaque_data, flags=["ACK"]))
            case HeadersFrame() if frame.stream_id in self.answers:
                self.take(
                    h2.events.ResponseReceived(
                        stream_id=frame.stream_id, headers=self.http.decoder.decode(frame.data, raw=True)))
            case DataFrame() if frame.stream_id in self.answers:
                self.answers[frame.stream_id].body += frame.data
        if "END_STREAM" in frame.flags and frame.stream_id in self.answers:
            self.answers[frame.stream_id].ended = True

    def send_frame(self, frame):
        """Sends a frame directly, bypassing `h2`."""
        try:
            self.channel.sendall(frame.serialize())
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            pass

    def take(self, event):
        self.events.append(event)
        match event:
            case h2.events.ResponseReceived():
                answer = self.answers.setdefault(event.stream_id, Answer())
                answer.headers = {_text(name): _text(value) for name, value in event.headers}
                answer.status = int(answer.headers.pop(":status"))
            case h2.events.DataReceived():
                answer = self.answers[event.stream_id]
                answer.body += event.data
                answer.data_frames += 1
                self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            case h2.events.StreamEnded():
                self.answers[event.stream_id].ended = True
            case h2.events.StreamReset():
                self.answers[event.stream_id].reset = event.error_code
                self.answers[event.stream_id].ended = True
            case h2.events.RemoteSettingsChanged():
                self.settings.append({change.setting: change.new_value for change in event.changed_settings.values()})
            case h2.events.ConnectionTerminated():
                self.goaways.append((event.last_stream_id, int(event.error_code), event.additional_data or b""))
            case h2.events.PingAckReceived():
                self.pongs.append(event.ping_data)

    def until_settled(self):
        """Waits for the server's first SETTINGS frame."""
        self.until(lambda: self.settings, "SETTINGS")
        return self.settings[0]


def _text(value):
    return value.decode() if isinstance(value, bytes) else value
