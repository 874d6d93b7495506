"""The memory of long answers and bodies, and that it returns. Each bar is a ratio, so it holds on a busy machine."""

import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

TOPIC = "com.example.app"
# The most that a state may add, relative to its size, while eight clients read it or one loads it, and a recording while it is
# read. When they built the whole at once, one reader took six times the size, and loading more than four times. Then what may
# stay, relative to the base: of a small state, some is in holes of the heap.
READ_PEAK, LOAD_PEAK, RECORDING_PEAK, REST, LOAD_REST = 1.3, 2, 1.3, 0.1, 0.25
# Of notifications in the state: the debug program encodes a megabyte a second.
COUNT = 3_000


def large_state(gateway, notifications):
    """A state with a device for every three notifications of a kilobyte each, as text."""
    _, token = gateway.device("phone", TOPIC)
    gateway.api("POST", f"/devices/phone/push?topic={TOPIC}", json={"aps": {"alert": "x" * 1000}})
    state = gateway.api("GET", "/state")
    device, push = (json.dumps(state[name][0]) for name in ("devices", "notifications"))
    names = {number: f"{number:064x}" for number in range(1, notifications // 3 + 2)}
    state["devices"] = [
        json.loads(device.replace(token, other).replace('"phone"', f'"phone-{number}"')) for number, other in names.items()]
    state["devices"].sort(key=lambda device: device["name"])
    state["notifications"] = [
        json.loads(push.replace(token, names[number % len(names) + 1])) | {"sequence": number}
        for number in range(1, notifications + 1)]
    state["lastSequence"] = notifications
    return json.dumps(state, separators=(",", ":"), sort_keys=True).encode()


class Memory:
    """Resident bytes of a gateway above what it had before."""

    def __init__(self, gateway):
        self.folder = Path(f"/proc/{gateway.pid}")
        self.base = self.now()
        (self.folder / "clear_refs").write_text("5")

    def read(self, name):
        line = next(line for line in (self.folder / "status").read_text().splitlines() if line.startswith(name))
        return int(line.split()[1]) * 1024

    def now(self):
        return self.read("VmRSS")

    def peak(self):
        return self.read("VmHWM") - self.base

    def rest(self, limit):
        """What is left after at most five seconds."""
        end = time.monotonic() + 5
        while self.now() - self.base > limit and time.monotonic() < end:
            time.sleep(0.1)
        return self.now() - self.base


def call(gateway, method, path, body=None):
    """The status and the body; `gateway.api` would check a long answer against the description for minutes."""
    connection = http.client.HTTPConnection(*gateway.admin_address, timeout=300)
    connection.request(method, "/api/v1" + path, body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, answer.read()


@pytest.fixture
def full(start_gateway):
    """A gateway with a state of some megabytes, and the state."""
    gateway = start_gateway("requests.kept=100", "auth.mode=off")
    state = large_state(gateway, COUNT)
    status, answer = call(gateway, "PUT", "/state", state)
    assert (status, json.loads(answer)["notifications"]) == (200, COUNT)
    return gateway, state


def test_a_state_is_not_in_memory_as_text_while_it_is_read(full):
    gateway, state = full
    first = call(gateway, "GET", "/state")[1]
    assert first == state + b"\n"
    memory = Memory(gateway)
    with ThreadPoolExecutor(8) as readers:
        texts = list(readers.map(lambda _: call(gateway, "GET", "/state")[1], range(8)))
    assert set(texts) == {first}
    assert memory.peak() < READ_PEAK * len(state), f"{memory.peak()} of {len(state)}"
    assert memory.rest(REST * memory.base) < REST * memory.base


def test_a_state_is_decoded_in_parts(full):
    """The former state and the new one are there together, then the former goes: loading it again and again adds nothing."""
    gateway, state = full
    bases, peaks = [], []
    for _ in range(5):
        memory = Memory(gateway)
        bases.append(memory.base)
        assert call(gateway, "PUT", "/state", state)[0] == 200
        peaks.append(memory.peak())
        memory.rest(REST * memory.base)
    # The first ones fill the allocator's arenas.
    assert min(peaks[2:]) < LOAD_PEAK * len(state), f"{peaks} of {len(state)}"
    assert memory.now() < (1 + LOAD_REST) * bases[2], bases
    assert call(gateway, "GET", "/state")[1] == state + b"\n"


def test_a_recording_is_not_in_memory_as_text_while_it_is_read(full):
    gateway, state = full
    gateway.api("POST", "/recordings", json={"name": "run"})
    gateway.api("POST", f"/devices/phone/push?topic={TOPIC}", json={"aps": {"alert": "x"}})
    text = call(gateway, "GET", "/recordings/run")[1]
    # The state before, and the events.
    assert len(text) > len(state)
    memory = Memory(gateway)
    assert len(call(gateway, "GET", "/recordings/run")[1]) == len(text)
    assert memory.peak() < RECORDING_PEAK * len(text), f"{memory.peak()} of {len(text)}"


def test_a_reset_returns_the_memory(full):
    gateway, state = full
    before = Memory(gateway)
    assert call(gateway, "POST", "/reset", "{}")[0] == 200
    # What the state took, at least half of its text.
    assert before.rest(-len(state) / 2) < -len(state) / 2
