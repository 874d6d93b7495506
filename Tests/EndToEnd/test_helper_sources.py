"""The source of the test helpers: small, and only calls that the admin API describes."""

import re

import pytest
import yaml

from gateway import ROOT

CLIENTS = ROOT / "clients"
LINES = 400  # As in scripts/check-size.
HELPERS = sorted(
    path for path in CLIENTS.rglob("*") if path.suffix in {".py", ".mjs", ".mts", ".go", ".java", ".rb", ".php", ".rs"})
CALL = re.compile(r"""["'](GET|PUT|POST|PATCH|DELETE)["'],\s*["'](/[^"']*)["']""")


def description():
    return yaml.load((ROOT / "Sources/Admin/AdminAPI/openapi.yaml").read_text(), Loader=yaml.CSafeLoader)


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
    text = "".join(path.read_text() for path in (ROOT / "Sources/Program/PushcoteTesting").glob("*.swift"))
    assert undescribed(text) == []
    assert len(set(CALL.findall(text))) >= 15, "the regular expression does not find the calls"


# What a back end needs to push to the gateway, as in Swift: under one name, in each language's own case.
MEMBERS = ["provider", "host", "port", "authority file", "key file", "key id", "team id", "provider token"]
SWIFT = ROOT / "Sources/Program/PushcoteTesting/Pushcote.swift"
MAIN = [path for path in HELPERS if path.name.lower().startswith("pushcote.") and path.suffix != ".mts"] + [SWIFT]


def camel(member):
    first, *rest = member.split()
    return first + "".join(word.title() for word in rest)


def initialisms(member):
    """As Go and Swift write `keyID`."""
    return re.sub(r"Id$", "ID", camel(member))


def snake(member):
    return member.replace(" ", "_")


# The declaration of a member; `NAME` stands for the name.
DECLARED = {
    ".py": (snake, r"^    def NAME\(self\)"), ".rb": (snake, r"^  def NAME\b"), ".rs": (snake, r"^    pub fn NAME\(&self\)"),
    ".php": (camel, r"^    public function NAME\(\)"), ".java": (camel, r"^    public \w+ NAME\(\)"),
    ".mjs": (camel, r"^    this\.NAME = |^  async NAME\(\)"), ".mts": (camel, r"^  NAME(: |\(\): Promise)"),
    ".swift": (initialisms, r"^    public (let|func) NAME\b"),
    ".go": (lambda member: initialisms(member)[0].upper() + initialisms(member)[1:],
            r"^\t([A-Z]\w*, )*NAME(, \w+)* string$|^func \(p \*Pushcote\) NAME\(\)")}


@pytest.mark.parametrize("source", MAIN + [CLIENTS / "javascript/pushcote.d.mts"], ids=lambda path: path.name)
def test_a_source_has_the_members_that_a_back_end_needs(source):
    case, declaration = DECLARED[source.suffix]
    text = source.read_text()
    assert [one for one in MEMBERS if not re.search(declaration.replace("NAME", case(one)), text, re.M)] == []


def test_all_eight_languages_are_held_to_the_members():
    assert len(MAIN) == 8


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
