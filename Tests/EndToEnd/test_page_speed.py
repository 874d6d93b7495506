"""The page's speed under load. The machine may be busy, so bounds are ratios or generous."""

import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

PAYLOAD = '{"aps":{"alert":{"title":"Tea","body":"It is ready."},"sound":"default"}}'
RATE, SECONDS = 1000, 5

FRAMES = """() => {
  const gaps = (window.gaps = []);
  let last = performance.now();
  const tick = (now) => {
    gaps.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}"""

FIRST = """new MutationObserver(() => {
  for (const part of ["a.row", "h1"]) {
    if (!window[part] && document.querySelector(part)) window[part] = performance.now();
  }
}).observe(document, { childList: true, subtree: true });"""

# How long the server took, which shares the cores with everything else.
ANSWER = """performance.getEntriesByType("resource").find(({ name }) => name.includes("/api/v1/notifications")).duration"""

needs_h2load = pytest.mark.skipif(not shutil.which("h2load"), reason="h2load is not installed (nghttp2-client)")


def load(gateway, token, tmp_path, rate=RATE):
    """Starts a load of 1,000 pushes a second for five seconds."""
    payload = tmp_path / "payload.json"
    payload.write_text(PAYLOAD)
    return subprocess.Popen(
        ["h2load", "-D", str(SECONDS), "-c", "1", "-m", "50", "--rps", str(rate), "-d", payload,
         "-H", f"authorization: bearer {gateway.bearer}", "-H", "apns-topic: com.example.app",
         "-H", "apns-push-type: alert", "https://localhost:%d/3/device/%s" % (gateway.provider[1], token)],
        stdout=subprocess.PIPE, text=True)


def frames(page, gateway, token, tmp_path):
    """The longest frames of the page while pushes arrive, in milliseconds, longest first, and the number of pushes."""
    page.evaluate(FRAMES)
    generator = load(gateway, token, tmp_path)
    while generator.poll() is None:
        # Playwright processes the page's messages only during a call.
        page.wait_for_timeout(250)
    gaps = page.evaluate("window.gaps")
    succeeded = re.search(r"(\d+) succeeded", generator.communicate()[0])
    return sorted(gaps, reverse=True), int(succeeded.group(1))


@needs_h2load
def test_a_thousand_pushes_a_second_do_not_slow_the_page(start_gateway, open_tab, tmp_path):
    """No frame over 100 ms, or over three times the longest frame of a view that shows no pushes, in one of three pairs."""
    gateway = start_gateway("inbox.perDevice=50000")
    _, token = gateway.device()
    tab, pairs = open_tab(gateway), []
    while len(pairs) < 3 and not any(busy[0] <= max(100, 3 * quiet[0]) for quiet, busy in pairs):
        page = tab.go("/lint")
        expect(page.locator(".status")).to_contain_text("live")
        quiet, _ = frames(page, gateway, token, tmp_path)
        page.get_by_role("link", name="Inbox").click()
        expect(page.locator("cote-list a.row").first).to_be_visible()
        busy, count = frames(page, gateway, token, tmp_path)
        if count <= RATE * SECONDS / 2:
            pytest.skip("the machine is too busy to send this many")
        pairs.append((quiet[:5], busy[:5]))
    quiet, busy = pairs[-1]
    assert busy[0] <= max(100, 3 * quiet[0]), f"ms without rows, and with them: {pairs}"
    total = gateway.api("GET", "/info")["counts"]["notifications"]
    expect(page.get_by_text(f"{total:,} notifications")).to_be_visible()
    assert page.locator("cote-list li").count() < 40


@needs_h2load
def test_the_first_of_ten_thousand_rows_appears_soon(start_gateway, open_tab, tmp_path):
    """Within 300 ms, or three times what a view without rows needs just before, and the list's answer, in one of five loads."""
    gateway = start_gateway("inbox.perDevice=50000")
    _, token = gateway.device()
    load(gateway, token, tmp_path, 10_000 // SECONDS).wait()
    tab = open_tab(gateway)
    tab.page.add_init_script(FIRST)
    loads = []
    while len(loads) < 5 and not any(time < max(300, 3 * plain + answer) for plain, answer, time in loads):
        page = tab.go("/lint")
        expect(page.locator("h1")).to_be_visible()
        plain = page.evaluate("window.h1")
        page = tab.go("/notifications")
        expect(page.locator("cote-list a.row").first).to_be_visible()
        loads.append((plain, page.evaluate(ANSWER), page.evaluate("window['a.row']")))
    plain, answer, time = loads[-1]
    assert time < max(300, 3 * plain + answer), f"ms without rows, of the list's answer, and with rows: {loads}"
