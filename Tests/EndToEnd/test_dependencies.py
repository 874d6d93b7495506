"""docs/dependencies.md and Package.swift name the same packages in the same versions."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def documented():
    text = (ROOT / "docs/dependencies.md").read_text()
    rows = re.findall(r"^\| \[[^\]]+\]\((\S+)\) \| (\S+) \| (\S[^|]*) \|", text, re.MULTILINE)
    return {url: (version, licence.strip()) for url, version, licence in rows}


def pinned():
    text = (ROOT / "Package.swift").read_text()
    return dict(re.findall(r'\.package\(\s*url: "([^"]+)",\s*exact: "([^"]+)"', text))


def test_every_dependency_is_pinned():
    text = (ROOT / "Package.swift").read_text()
    assert len(re.findall(r"\.package\(\s*url:", text)) == len(pinned()) > 0


def test_the_page_lists_what_is_pinned():
    assert {url: version for url, (version, _) in documented().items()} == pinned()


def test_every_licence_allows_it():
    assert {licence for _, licence in documented().values()} <= {"Apache-2.0", "MIT"}
