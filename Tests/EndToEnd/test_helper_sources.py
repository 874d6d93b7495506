"""The source of the test helpers: small, and only calls that the admin API describes."""

import re

import pytest
import yaml

from gateway import ROOT

CLIENTS = ROOT / "clients"
LINES = 300
HELPERS = sorted(
    path for path in CLIENTS.rglob("*") if path.suffix in {".py", ".mjs", ".mts", ".go", ".java", ".rb", ".php", ".rs"})
CALL = re.compile(r"""["'](GET|PUT|POST|PATCH|DELETE)["'],\s*["'](/[^"']*)["']""")


def description():
    return yaml.load((ROOT / "Sources/AdminAPI/openapi.yaml").read_text(), Loader=yaml.CSafeLoader)


def undescribed(text):
    """The calls in a helper's source that the API does not describe."""
    paths = description()["paths"]
    described = {(method.upper(), path) for path, item in paths.items() for method in item if "$ref" not in item}
    described |= {("GET", path) for path, item in paths.items() if "$ref" in item}
    return [call for call in CALL.findall(text) if (call[0], "/api/v1" + call[1]) not in described]


@pytest.mark.parametrize("helper", HELPERS, ids=lambda path: path.name)
def test_a_helper_is_small_and_calls_described_operations(helper):
    text = helper.read_text()
    assert len(text.splitlines()) <= LINES
    assert max(map(len, text.splitlines())) <= 120
    assert undescribed(text) == []
    if helper.name.lower().startswith("pushcote.") and helper.suffix != ".mts":
        assert len(set(CALL.findall(text))) >= 15, "the regular expression does not find the calls"


def test_the_swift_library_calls_described_operations():
    text = "".join(path.read_text() for path in (ROOT / "Sources/PushcoteTesting").glob("*.swift"))
    assert undescribed(text) == []
    assert len(set(CALL.findall(text))) >= 15, "the regular expression does not find the calls"


def test_an_undescribed_call_is_found():
    assert undescribed('call("GET", "/device/{name}")') == [("GET", "/device/{name}")]
    assert undescribed("call('PATCH', '/devices/{name}/push')") == [("PATCH", "/devices/{name}/push")]
    assert undescribed('call("POST",\n "/devices/{name}/push")') == []


def members(document, schema):
    """The names of a schema's members, including those of its `allOf` parts."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    found = set(schema.get("properties", {}))
    for part in schema.get("allOf", []):
        found |= members(document, part)
    return found


def test_types_have_the_members_of_the_api():
    document = description()
    schemas = document["components"]["schemas"]
    known = {name: members(document, schemas[schema]) for name, schema in {
        "Notification": "NotificationSummary", "Request": "RequestSummary", "Verdict": "Verdict"}.items()}
    types = (CLIENTS / "javascript/pushcote.d.mts").read_text()
    for name, accepted in known.items():
        body = re.search(rf"interface {name} {{\n(.*?)^}}", types, re.M | re.S)[1]
        declared = set(re.findall(r"^  (\w+)\??:", body, re.M))
        assert declared and declared <= accepted, declared - accepted
    structures = (CLIENTS / "go/pushcote.go").read_text()
    for name in ("Notification", "Verdict"):
        body = re.search(rf"type {name} struct {{\n(.*?)^}}", structures, re.M | re.S)[1]
        declared = {word.lower() for line in body.splitlines() for word in re.findall(r"(\w+)(?:,|\s+\S+$)", line)}
        assert declared and declared <= {one.lower() for one in known[name]}, declared


def test_the_readme_lists_every_file():
    text = (CLIENTS / "README.md").read_text()
    assert [path.name for path in HELPERS if f"]({path.relative_to(CLIENTS)})" not in text] == []
