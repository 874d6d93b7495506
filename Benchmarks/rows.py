"""The measurements: each function prints its rows and checks them against their bars."""

import json
import pathlib
import socket
import ssl
import statistics
import subprocess
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from servers import BUILD, Load, Nghttpd, Pushcote, cpu_ns, follow, instructions, measured, resident

SHAPES = [(10, 10, 40_000), (10, 100, 60_000), (1, 1, 4_000), (100, 10, 40_000)]
ENCODINGS = ["apple", "go", "literal"]
CPU_BARS = {("real", "10x10"): 1.40, ("real", "10x100"): 1.40, ("campaign", "10x10"): 1.15, ("campaign", "10x100"): 1.15,
            ("same", "10x10"): 1.0, ("same", "10x100"): 1.0}
INSTRUCTION_BAR, CROWD_BAR, STREAM_BAR = 1.10, 1.2, 1.05
IDLE_BAR, READY_BAR, NOTIFICATION_BAR, JOURNAL_BAR = 34 * 1024, 50, 400, 0.30
# Milliseconds that a warm extension adds to a round trip through bare pipes; slowdown of pushes while 1000 hang.
EXTENSION_BAR, HANGING_BAR = 1.0, 1.25
# Milliseconds of CPU per page of the newest 100, with all that the crowd stored behind it: all, and with a filter, for
# which the total counts 10,000.
PAGE_BARS = {"": 5, "&state=delivered": 15}
# Of a snapshot: megabytes per second; memory while it is read or loaded, relative to its size; what is left of it, relative
# to what was there before. PUT misses its memory at times.
STATE_SPEED_BAR, STATE_PEAK_BAR, STATE_REST_BAR = 40, 1.3, 0.1
DELIVERY_BARS = {
    "ns": 6000, "ns of CPU": 1500, "MB": 400, "ms": 5, "ms of CPU": 300, "s of CPU": 20, "µs of CPU": 1000}

EXTENSION = """while read -r line; do
    id=${line#*'"id":'}; id=${id%%,*}
    echo "{\\"type\\":\\"content\\",\\"id\\":$id,\\"content\\":{\\"title\\":\\"x\\"}}"
done
"""


def start(folder, args, report):
    starts = []
    for _ in range(12):
        server = Pushcote(folder, args.server_core)
        starts.append(server.start_milliseconds)
        server.stop()
    ready = statistics.median(starts[1:])
    report.row(f"ready after {ready:.0f} ms, certificates exist")
    report.bar(ready, READY_BAR, f"ready after more than {READY_BAR} ms")


def interleaved(args, load, servers, shape, traffic, encoding="nghttp2"):
    """Median CPU µs per push of each server in alternating rounds, and the lowest and highest ratio of a round."""
    connections, streams, pushes = shape
    costs = {server.name: [] for server in servers}
    for number in range(args.rounds + 1):
        for server in servers:
            cost, _ = load.run(server, connections, streams, pushes if number else pushes // 4, traffic, encoding)
            if number:    # the first round warms both up
                costs[server.name].append(cost)
    ours, theirs = (costs[server.name] for server in servers)
    ratios = [mine / peer for mine, peer in zip(ours, theirs)]
    return statistics.median(ours), statistics.median(theirs), min(ratios), max(ratios)


def pushes(folder, args, report):
    load = Load(folder, args.client_core)
    ours, peer = Pushcote(folder, args.server_core), Nghttpd(folder, args.server_core)
    report.row(f"CPU per push in µs, TLS 1.3, medians of {args.rounds} rounds, range of the rounds' ratios")
    report.row(f"{'traffic':>8} {'headers':>8} {'shape':>7} {'pushcote':>9} {'nghttpd':>8} {'ratio':>6}  range")
    cases = [(traffic, "nghttp2", shape) for traffic in ("real", "campaign", "same")
             for shape in (SHAPES if traffic == "real" else SHAPES[:2])]
    cases += [("real", encoding, SHAPES[0]) for encoding in ENCODINGS]
    try:
        for traffic, encoding, shape in cases:
            name = f"{shape[0]}x{shape[1]}"
            mine, theirs, least, most = interleaved(args, load, (ours, peer), shape, traffic, encoding)
            ratio = mine / theirs
            report.row(f"{traffic:>8} {encoding:>8} {name:>7} {mine:9.2f} {theirs:8.2f} {ratio:6.2f}  {least:.2f} to {most:.2f}")
            if encoding == "nghttp2":
                bar = CPU_BARS.get((traffic, name), float("inf"))
                report.bar(ratio, bar, f"{traffic} {name}: ratio {ratio:.2f} above {bar}")
    finally:
        ours.stop()
        peer.stop()


def counts(folder, args, report):
    load = Load(folder, args.client_core)
    for traffic in ("real", "campaign", "same"):
        mine, theirs = (instructions(kind, load, args.server_core, traffic=traffic) for kind in (Pushcote, Nghttpd))
        report.row(f"instructions per push, {traffic}, 10x10: {mine:.0f}, nghttpd {theirs:.0f}, ratio {mine / theirs:.2f}")
        if traffic == "real":
            report.bar(mine / theirs, INSTRUCTION_BAR, f"instructions: ratio {mine / theirs:.2f} above {INSTRUCTION_BAR}")


def stream(folder, args, report):
    """Pushes while a client reads the event stream, compared with none."""
    # By CPU time alone: callgrind slows the program fifty times, but not the stream, which reads ten times a second.
    load = Load(folder, args.client_core)
    servers = [Pushcote(folder, args.server_core) for _ in range(2)]
    servers[0].name = "followed"
    follower = follow(servers[0])
    try:
        followed, plain, least, most = interleaved(args, load, servers, SHAPES[0], "real")
    finally:
        follower.kill()
        for server in servers:
            server.stop()
    ratio = followed / plain
    report.row(f"CPU per push, real, 10x10, followed with rows: {followed:.2f} µs, not followed {plain:.2f} µs, "
               f"ratio {ratio:.2f} ({least:.2f} to {most:.2f})")
    report.bar(ratio, STREAM_BAR, f"followed pushes: ratio {ratio:.2f} above {STREAM_BAR}")


def memory(folder, args, report):
    server = Pushcote(folder, args.server_core)
    try:
        idle = idle_bytes(server)
    finally:
        server.stop()
    report.row(f"idle TLS connection: {idle / 1024:.1f} KiB")
    report.bar(idle, IDLE_BAR, f"idle connection above {IDLE_BAR // 1024} KiB")


def idle_bytes(server, count=1000):
    """Resident bytes per connection that is idle after its preface."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    hello = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])

    def connect():
        client = context.wrap_socket(socket.create_connection(("127.0.0.1", server.port)))
        client.sendall(hello)
        client.recv(9)
        return client

    warm = [connect() for _ in range(100)]
    before = resident(server.pid)
    clients = [connect() for _ in range(count)]
    grown = resident(server.pid) - before
    for client in warm + clients:
        client.close()
    return grown / count


def crowd(folder, args, report):
    """Memory per stored notification, and the cost of pushes with many notifications on many devices."""
    load, stored = Load(folder, args.client_core), args.pushes
    devices, limits = stored // 10, (f"inbox.total={stored}", f"inbox.devices={stored // 10 + 1}", "requests.kept=1000")
    large, small = (Pushcote(folder, args.server_core, *limits) for _ in range(2))
    try:
        load.run(large, 10, 100, 1000, devices=100)
        before = resident(large.pid)
        _, sent = load.run(large, 10, 100, stored, devices=devices)
        size = (resident(large.pid) - before) / stored - sent["payloadBytes"] / stored
        report.row(f"stored notification: {size:.0f} bytes beyond its payload ({stored} over {devices} devices)")
        report.bar(size, NOTIFICATION_BAR, f"stored notification above {NOTIFICATION_BAR} bytes")
        ratios = []
        for _ in range(args.rounds):
            many, _ = load.run(large, 10, 10, 40_000, devices=devices)
            few, _ = load.run(small, 10, 10, 40_000, devices=100)
            ratios.append(many / few)
        ratio = statistics.median(ratios)
        report.row(f"CPU per push with {stored} stored over {devices} devices, against 100 devices: {ratio:.2f} "
                   f"({min(ratios):.2f} to {max(ratios):.2f})")
        report.bar(ratio, CROWD_BAR, f"many devices: ratio {ratio:.2f} above {CROWD_BAR}")
        for query, bar in PAGE_BARS.items():
            cost = page_milliseconds(large, query)
            report.row(f"newest 100 of {stored}{query.replace('&', ', ')}: {cost:.1f} ms of CPU for the call")
            report.bar(cost, bar, f"newest 100{query}: {cost:.1f} ms of CPU above {bar}")
    finally:
        large.stop()
        small.stop()


def state(folder, args, report):
    """Reading and writing a snapshot, and other long answers: speed and memory."""
    load, server = Load(folder, args.client_core), Pushcote(folder, args.server_core, "inbox.total=100000")
    try:
        load.run(server, 10, 100, 60_000)
        server.call("POST", "/recordings", {"name": "bench"})
        load.run(server, 10, 100, 10_000)
        text = server.text("GET", "/state")
        calls = {"GET /recordings/bench": lambda: server.text("GET", "/recordings/bench")}
        for path in ("/notifications?limit=1000", "/requests?limit=1000"):
            calls[f"8 × GET {path}"] = lambda path=path: at_once(8, lambda: server.text("GET", path))
        for name, work in calls.items():
            _, peak, rest, _ = measured(server.pid, work)
            report.row(f"{name}: {peak / 1e6:.0f} MB at most, {rest / 1e6:.0f} MB five seconds later")
        server.call("DELETE", "/recordings/bench")
        size = len(text)
        for name, count, work in (
                ("GET", 1, lambda: server.text("GET", "/state")), ("PUT", 1, lambda: server.text("PUT", "/state", text)),
                ("8 GET", 8, lambda: at_once(8, lambda: server.text("GET", "/state")))):
            seconds, peak, rest, before = measured(server.pid, work)
            speed = count * size / seconds / 1e6
            report.row(f"{name} of a state of {size / 1e6:.0f} MB: {speed:.0f} MB/s, at most {peak / size:.2f} of its size in "
                       f"memory, five seconds later {rest / 1e6:+.0f} MB of {before / 1e6:.0f}")
            report.bar(speed, STATE_SPEED_BAR, f"{name} of a state: below {STATE_SPEED_BAR} MB/s", least=True)
            report.bar(peak / size, STATE_PEAK_BAR, f"{name} of a state: memory above {STATE_PEAK_BAR} of its size")
            report.bar(rest / before, STATE_REST_BAR, f"{name} of a state: more than {STATE_REST_BAR} of the memory stays")
    finally:
        server.stop()


def bursts(folder, args, report):
    """What stays in memory of connections, and of pushes that are forgotten."""
    load, server = Load(folder, args.client_core), Pushcote(folder, args.server_core, "inbox.total=100000")

    def push_and_reset():
        load.run(server, 10, 100, 60_000)
        server.call("POST", "/reset", {})

    try:
        # The first ones fill caches and the allocator's arenas.
        load.run(server, 100, 10, 10_000)
        server.call("POST", "/reset", {})
        for name, work in (
                ("10,000 connections", lambda: [idle_bytes(server, 900) for _ in range(10)]),
                ("60,000 pushes and a reset", push_and_reset)):
            _, peak, rest, before = measured(server.pid, work)
            report.row(f"{name}: {peak / 1e6:.0f} MB at most, five seconds later {rest / 1e6:+.0f} MB of {before / 1e6:.0f}")
            report.bar(rest / before, STATE_REST_BAR, f"{name}: more than {STATE_REST_BAR} of the memory stays")
    finally:
        server.stop()


def at_once(count, work):
    with ThreadPoolExecutor(count) as clients:
        for answer in [clients.submit(work) for _ in range(count)]:
            answer.result()


def page_milliseconds(server, query, count=50):
    """The server's CPU time for a page of the newest 100 notifications with their total, JSON included."""
    path = f"/notifications?order=newest&limit=100{query}"
    server.call("GET", path)
    before = cpu_ns(server.pid)
    for _ in range(count):
        assert len(server.call("GET", path)["notifications"]) == 100
    return (cpu_ns(server.pid) - before) / count / 1e6


def journal(folder, args, report):
    load = Load(folder, args.client_core)
    with tempfile.TemporaryDirectory(dir=args.journal_folder) as disk:
        servers = {mode: Pushcote(folder, args.server_core, f"journal={mode}", f"sqlite.file={disk}/{mode}.sqlite")
                   for mode in ("memory", "sqlite")}
        try:
            rates, costs = {mode: [] for mode in servers}, {mode: [] for mode in servers}
            for number in range(args.rounds + 1):
                for mode, server in servers.items():
                    cost, printed = load.run(server, 10, 100, 60_000)
                    if number:
                        rates[mode].append(printed["pushesPerSecond"])
                        costs[mode].append(cost)
            with urllib.request.urlopen(f"http://{servers['sqlite'].admin}/metrics") as answer:
                lines = answer.read().decode().splitlines()
            figures = dict(line.split() for line in lines if line.startswith("pushcote_journal"))
        finally:
            for server in servers.values():
                server.stop()
    (without, durable), (cost, durable_cost) = (
        [statistics.median(kind[mode]) for mode in ("memory", "sqlite")] for kind in (rates, costs))
    group = float(figures["pushcote_journal_inputs_total"]) / float(figures["pushcote_journal_commits_total"])
    report.row(f"journal, real, 10x100, pushes per second: {without:.0f} in memory, {durable:.0f} with the journal, "
               f"ratio {durable / without:.2f}; {cost:.1f} and {durable_cost:.1f} µs of CPU each; {group:.0f} inputs a commit")
    report.bar(durable / without, JOURNAL_BAR, f"journal: ratio {durable / without:.2f} below {JOURNAL_BAR}", least=True)


def extensions(folder, args, report):
    hosted, bare = extension_round_trips(folder, args)
    report.row(f"warm service extension: {hosted:.2f} ms, {bare:.2f} ms of bare pipes, {hosted / bare:.1f} times; "
               f"{hosted - bare:.2f} ms added")
    report.bar(hosted - bare, EXTENSION_BAR, f"a warm extension adds more than {EXTENSION_BAR} ms")
    before, during = beside_hanging_extensions(folder, args)
    report.row(f"a push while 1000 extensions hang: {during:.3f} ms, {before:.3f} before, ratio {during / before:.2f}")
    report.bar(during / before, HANGING_BAR, f"hanging extensions: ratio {during / before:.2f} above {HANGING_BAR}")


def extension_round_trips(folder, args, count=500):
    """Milliseconds for a warm process to answer a push, and for the same bytes through bare pipes."""
    script = folder / "extension.sh"
    script.write_text(EXTENSION)
    server = Pushcote(folder, args.server_core, f"extensions.folder={folder}/extensions")
    try:
        server.call("PUT", "/apps/com.example.app", {"extension": {"kind": "process", "command": ["sh", str(script)]}})
        push = {"aps": {"alert": {"title": "Order 4711", "body": "Your parcel has left our warehouse."}, "mutable-content": 1}}
        hosted = []
        for _ in range(count):
            number = server.call("POST", "/devices/phone/push?topic=com.example.app", push)["id"]
            server.call("GET", f"/devices/phone/events?kind=contentDelivered&notification={number}&wait=10s")
            hosted.append(server.call("GET", f"/notifications/{number}")["extension"]["run"]["answerMilliseconds"])
    finally:
        server.stop()
    line = b'{"type":"didReceive","id":1,' + b"x" * 780 + b"\n"
    process = subprocess.Popen(
        ["taskset", "-c", str(args.server_core), "sh", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    bare = []
    for _ in range(count):
        began = time.perf_counter()
        process.stdin.write(line)
        process.stdout.readline()
        bare.append((time.perf_counter() - began) * 1000)
    process.kill()
    process.wait()
    return statistics.median(hosted), statistics.median(bare)


def beside_hanging_extensions(folder, args, count=1000):
    """Milliseconds of a push on its own connection, before and while `count` extensions hang."""
    load = Load(folder, args.client_core)
    hours = [f"extensions.{name}=1h" for name in ("startupLimit", "expireAfter", "killAfter")]
    settings = (f"extensions.folder={folder}/hanging", f"extensions.maximumProcesses={count}", *hours)
    server = Pushcote(folder, args.server_core, *settings)
    try:
        def milliseconds():
            rates = [load.run(server, 1, 1, 4000)[1]["pushesPerSecond"] for _ in range(args.rounds)]
            return 1000 / statistics.median(rates)

        milliseconds()
        before = milliseconds()
        push = {"aps": {"alert": "Hello", "mutable-content": 1}}
        for number in range(count):
            app = f"com.example.app{number}"
            server.call("PUT", f"/apps/{app}", {"extension": {"kind": "process", "command": ["sleep", "3600"]}})
            server.call("POST", f"/devices/phone/push?topic={app}", push)
        tasks = pathlib.Path(f"/proc/{server.pid}/task")
        while sum(len(path.read_text().split()) for path in tasks.glob("*/children")) < count:
            time.sleep(0.1)
        return before, milliseconds()
    finally:
        server.stop()


def delivery(folder, args, report):
    """The cost of delivery without a network: the rows of Benchmarks/Delivery."""
    program = str(BUILD / "delivery-benchmark")
    # The push and the checkpoint need a core each.
    alone = ["taskset", "-c", str(args.server_core), program]
    commands = (alone, [*alone, "holds"], [program, "checkpoint"])
    outputs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for command in commands]
    for row in (json.loads(line) for output in outputs for line in output.splitlines()):
        report.row(f"{row['row']}: {row['value']:g} {row['unit']}")
        report.bar(row["value"], DELIVERY_BARS[row["unit"]], f"{row['row']}: above {DELIVERY_BARS[row['unit']]} {row['unit']}")


PARTS = {part.__name__: part for part in (start, counts, pushes, stream, memory, crowd, state, bursts, journal, extensions, delivery)}
