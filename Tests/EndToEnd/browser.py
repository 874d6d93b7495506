"""A real browser for the page tests: Debian's Chromium without its window, driven by Playwright."""

import os
import re
import shutil
from urllib.parse import quote, urlsplit

import pytest

from gateway import ROOT

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell")

# The page's Content-Security-Policy blocks eval, which `wait_for_function` needs; use locators.
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]


def drawing(text):
    """What the `src` of a picture with this text in its SVG matches; to be awaited, since the page draws after its words."""
    return re.compile(re.escape(quote(text, safe="!'()*~")))


@pytest.fixture(scope="module")
def chromium():
    """One browser per module: Playwright's event loop must not run beside the clients of other modules."""
    if CHROMIUM is None:
        pytest.skip("chromium-headless-shell is not installed")
    from playwright.sync_api import expect, sync_playwright

    # A busy machine needs longer than the default, 5 seconds.
    expect.set_options(timeout=30_000)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Tab:
    """A browser tab on the gateway's page, with the console errors it reported."""

    def __init__(self, context, gateway, allows):
        self.base = "http://%s:%d" % gateway.admin_address
        self.allows = allows
        self.complaints = []
        self.page = context.new_page()
        self.page.on("console", lambda message: self._complain(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self._complain(f"error: {error}"))
        self.page.on("request", lambda request: self._check(request.url))

    def _complain(self, text):
        if not any(part in text for part in self.allows):
            self.complaints.append(text)

    def _check(self, url):
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and f"{parts.scheme}://{parts.netloc}" != self.base:
            self.complaints.append(f"request to another host: {url}")

    def go(self, address):
        """Opens an address with a full page load."""
        self.page.goto(self.base + address)
        return self.page

    def axe(self, *rules):
        """The violations of these rules of axe-core, or of all, each with its element."""
        from axe_playwright_python.base import AXE_SCRIPT

        if self.page.evaluate("typeof axe") == "undefined":
            self.page.evaluate(AXE_SCRIPT)
        # Without the passes, whose elements it would describe as well.
        options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
        violations = self.page.evaluate("options => axe.run(options).then((results) => results.violations)", options)
        return [f"{one['id']}: {node['html'][:200]}" for one in violations for node in one["nodes"]]


@pytest.fixture
def open_tab(chromium):
    """Opens tabs with `open_tab(gateway, scheme="dark", width=390)`; any browser error fails the test.

    `allows` lists parts of errors that the test provokes, such as a 404.
    """
    tabs = []

    def open_one(gateway, scheme="light", width=1280, height=800, allows=(), **options):
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", **options)
        # Page files from the sources, so that a change needs no build.
        if os.environ.get("PAGE_FROM_SOURCES"):
            context.route(re.compile(r"/\w+\.(js|css)$"), lambda route: route.fulfill(
                path=ROOT / "Sources/Admin/AdminAPI/Page" / urlsplit(route.request.url).path[1:]))
        tab = Tab(context, gateway, allows)
        tabs.append(tab)
        return tab

    yield open_one
    complaints = [complaint for tab in tabs for complaint in tab.complaints]
    for tab in tabs:
        tab.page.context.close()
    assert not complaints, "\n".join(complaints)
