"""The page as the program serves it: addresses, headers, the setting, and `pushcote open`."""

import re
import stat

import httpx
import pytest

from gateway import ROOT, environment, pushcote

FILES = sorted(path.name for path in (ROOT / "Sources/Admin/AdminAPI/Page").iterdir())


def base(gateway):
    return "http://%s:%d" % gateway.admin_address


@pytest.fixture
def browser(gateway):
    """Sends a browser's Accept header; the description does not cover the page, so answers are not validated."""
    with httpx.Client(base_url=base(gateway), headers={"accept": "text/html,*/*;q=0.8"}, trust_env=False) as client:
        yield client


def test_the_start_message_has_the_page(gateway):
    line = next(line for line in gateway.announcement if line.startswith("page "))
    assert f"{base(gateway)}/" in line


def test_the_root_is_the_page_for_browsers(gateway, browser):
    assert "<!doctype html>" in browser.get("/").text
    index = httpx.get(base(gateway), headers={"accept": "application/json"}, trust_env=False).json()
    assert index["description"] == "/openapi.yaml"


def test_every_file_that_the_page_names_is_served(browser):
    page = browser.get("/notifications/5/what-if")
    names = set(re.findall(r'(?:href|src)="/([\w.]+)"', page.text))
    # The budget of a first load is 12 requests, including the page itself.
    assert 8 < len(names) < 12 and names <= set(FILES)
    for name in FILES:
        answer = browser.get("/" + name)
        assert answer.status_code == 200 and answer.content == (ROOT / "Sources/Admin/AdminAPI/Page" / name).read_bytes()


def test_the_inbox_imports_only_what_is_preloaded(browser):
    """A module that is not would be asked for after the one that imports it."""
    preloaded = re.findall(r'modulepreload" href="/([\w.]+)"', browser.get("/notifications").text)
    for name in preloaded:
        text = (ROOT / "Sources/Admin/AdminAPI/Page" / name).read_text()
        assert set(re.findall(r'from "\./([\w.]+)"', text)) <= set(preloaded), name


def test_modules_name_files_that_exist():
    for name in FILES:
        if name.endswith(".js"):
            text = (ROOT / "Sources/Admin/AdminAPI/Page" / name).read_text()
            assert set(re.findall(r'(?:from |import\()"\./([\w.]+)"', text)) <= set(FILES), name


def test_the_page_is_small(browser):
    """The size budget of the first load, which asks for what the document names."""
    texts = {name: (ROOT / "Sources/Admin/AdminAPI/Page" / name).read_text() for name in FILES}
    document = browser.get("/notifications").text
    first = set(re.findall(r'(?:href|src)="/([\w.]+)"', document))
    assert {"app.js", "inbox.js", "style.css"} <= first and "send.js" not in first
    assert len(document.encode()) + sum(len(texts[name].encode()) for name in first) < 150_000
    assert sum(text.count("\n") for text in texts.values()) <= 4500
    assert not [name for name, text in texts.items() if re.search(r"innerHTML|outerHTML|insertAdjacentHTML|eval\(", text)]


def test_disabling_the_page_keeps_the_api(start_gateway):
    gateway = start_gateway("page=false")
    page = httpx.get(base(gateway) + "/", headers={"accept": "text/html"}, trust_env=False)
    assert page.status_code == 200 and page.json()["description"] == "/openapi.yaml"
    view = httpx.get(base(gateway) + "/notifications", headers={"accept": "text/html"}, trust_env=False)
    assert view.status_code == 404 and view.json()["status"] == 404
    assert gateway.api("GET", "/info")["version"]
    assert next(line for line in gateway.announcement if line.startswith("page ")).split() == ["page", "off"]
    refused = pushcote("open", "--admin", base(gateway), cwd=gateway.folder)
    assert refused.returncode == 1 and "page: true" in refused.stderr


def test_open_prints_the_address(gateway, tmp_path):
    for arguments, path in [((), ""), (("--notification", "5"), "/5"), (("--notification", "latest"), "/latest")]:
        done = pushcote("open", *arguments, "--admin", base(gateway), cwd=tmp_path, env=environment(DISPLAY=""))
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"{base(gateway)}/notifications{path}\n"
    assert pushcote("open", "--notification", "x", "--admin", base(gateway), cwd=tmp_path).returncode == 64


def test_open_starts_the_desktops_browser(gateway, tmp_path):
    opener, opened = tmp_path / "xdg-open", tmp_path / "opened"
    opener.write_text(f'#!/bin/sh\necho "$1" >{opened}\n')
    opener.chmod(opener.stat().st_mode | stat.S_IXUSR)
    variables = environment(DISPLAY=":0")
    variables["PATH"] = f"{tmp_path}:{variables['PATH']}"
    done = pushcote("open", "--admin", base(gateway), cwd=tmp_path, env=variables)
    assert done.returncode == 0, done.stderr
    assert opened.read_text() == f"{base(gateway)}/notifications\n"
