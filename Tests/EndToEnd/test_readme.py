"""The commands of the README and docs/tour.md, as written and in order, twice in the same folder."""

import subprocess

from documents import blocks, difference, run
from gateway import BINARY, environment

# What the pages promise besides the output they show, in this order.
SEEN = [
    "HTTP/2 200", "com.example.app  alert  delivered  now     Hello | It works", '{"reason":"InvalidPushType"}',
    "apns-push-type voip needs the topic 'com.example.app.voip'", "Your order is ready", '{"reason":"Unregistered"',
    "Active, silenced by the Focus work: badge set, in Notification Center.", "Time Sensitive, delivered at once:",
    '"mode":"manual"', "deferredToSummary", "summaryDelivered", '"event":"stored"', "contentDelivered",
    "goaway-and-linger", '"name":"tea"', '{"status":"reset"}',
]


def state(gateway):
    """All state that a tour could leave behind."""
    return {
        "clock": gateway.api("GET", "/clock")["mode"],
        **{path: gateway.api("GET", path) for path in ("/devices", "/apps", "/faults", "/keys")},
        "notifications": gateway.api("GET", "/notifications")["notifications"],
        "requests": gateway.api("GET", "/requests")["requests"],
    }


def tour(gateway, folder, is_fresh):
    """Runs the README's demonstration and the tour, and returns their output. Only a fresh gateway numbers as the pages show."""
    chosen = blocks("README.md", "Start") + blocks("docs/tour.md")
    outputs = run(gateway, folder, chosen)
    differences = [text for block, output in zip(chosen, outputs) if (text := difference(block, output))]
    assert not is_fresh or not differences, "\n".join(differences)
    return "".join(outputs)


def test_the_tour_works_twice_and_leaves_the_gateway_unchanged(start_gateway, tmp_path):
    folder = tmp_path / "clone"
    folder.mkdir()
    gateway = start_gateway(certificates=folder / "certs")
    before = state(gateway)
    for is_fresh in (True, False):
        output = tour(gateway, folder, is_fresh)
        place = 0
        for words in SEEN:
            assert words in output[place:], f"{words!r} is not behind\n{output[:place]}\nbut there is\n{output[place:]}"
            place = output.index(words, place) + len(words)
        assert "ExpiredProviderToken" not in output and '"error"' not in output, output
        assert state(gateway) == before


def test_the_chapter_about_live_activities_is_true(start_gateway, tmp_path):
    folder = tmp_path / "clone"
    folder.mkdir()
    gateway = start_gateway(certificates=folder / "certs")
    output = "".join(run(gateway, folder, blocks("docs/live.md", "With curl")))
    place = 0
    for words in [
            '"liveActivities"', "200", '"setting":"allowed"', "Order 7 | Step 2 of 3",
            "Order 8 | Step 3 of 3", "Order 8 | Step 1 of 3", "Order 8 | Step 3 of 3"]:
        assert words in output[place:], f"{words!r} is not behind\n{output[:place]}\nbut there is\n{output[place:]}"
        place = output.index(words, place) + len(words)


def test_a_token_signed_after_the_clock_moved_is_valid(start_gateway, tmp_path):
    """One day ahead and one day behind: `token` uses the gateway's time."""
    gateway = start_gateway(certificates=tmp_path / "certs")
    device, _ = gateway.device("phone")
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    gateway.api("POST", "/clock/advance", json={"by": "PT24H"})
    token = gateway.api("GET", "/devices/phone")["registrations"][0]["token"]

    def push(bearer):
        done = subprocess.run(
            ["curl", "--silent", "--http2", "--noproxy", "*", "--cacert", str(gateway.ca), "--header",
             f"authorization: bearer {bearer}", "--header", "apns-topic: com.example.app", "--data", '{"aps":{}}',
             "--write-out", "%{http_code}", f"https://localhost:{gateway.provider[1]}/3/device/{token}"],
            capture_output=True, text=True, timeout=30, check=True)
        return done.stdout

    def made(**variables):
        done = subprocess.run(
            [BINARY, "token", "--set", f"certificates.folder={tmp_path / 'certs'}"], cwd=tmp_path, capture_output=True,
            text=True, timeout=30, env=environment(**variables))
        assert done.returncode == 0 and not done.stderr, done.stderr
        return done.stdout.strip()

    here = {"PUSHCOTE_ADMIN": "http://127.0.0.1:%d" % gateway.admin_address[1]}
    assert push(made(**here)) == "200"
    # A token from another clock is rejected; the diagnosis names the cause and the remedy.
    assert push(made(PUSHCOTE_ADMIN="http://127.0.0.1:1")) == '{"reason":"ExpiredProviderToken"}403'
    [record] = gateway.api("GET", "/requests", params={"reason": "ExpiredProviderToken"})["requests"]
    assert "The gateway's clock is stopped" in record["diagnosis"]["message"]
    assert "pushcote clock reset" in record["diagnosis"]["message"]
    reset = subprocess.run(
        [BINARY, "clock", "reset"], cwd=tmp_path, capture_output=True, text=True, timeout=30, env=environment(**here))
    assert reset.returncode == 0 and "follows real time" in reset.stdout
    assert push(made(PUSHCOTE_ADMIN="http://127.0.0.1:1")) == "200"
