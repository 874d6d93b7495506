"""Runs the documentation's commands as written, and compares the output that the pages show."""

import re
import subprocess

import pytest
import yaml

from documents import blocks, difference, run
from gateway import ROOT, environment

# Blocks that are not run: they need a container engine, root or a compiler, or are settings.
NOT_RUN = {
    "docs/ci.md": ["sudo tar --extract", "docker compose"],
    "docs/docker.md": [
        "docker run", "alias pushcote=", "docker compose --file docker/compose.yaml", "docker compose --file docker/compose.standby.yaml",
        "kubectl apply --kustomize docker/kubernetes\n", "pushcote exec --set certificates.folder=docker/kubernetes",
        "kubectl apply --kustomize docker/kubernetes/postgres", "docker build"],
    "docs/dependencies.md": ["sudo apt-get install"],
    "docs/clients.md": ["sudo sysctl", "PUSH_APNS_DEV_ENDPOINT=", "CUSTOM_AEROGEAR_", "APNS_URL="],
    "docs/hardening.md": ["swift test"],
    "docs/recordings.md": ["pushcote replay run.json\n"],
    "docs/reliability.md": ["make attacks", "PUSHCOTE_KILL_ROUNDS=", "make failover"],
    "docs/scale.md": ["pushcote serve", "pushcote gather"],
    "docs/service-extensions.md": ["pushcote extension build", "docker compose"],
}
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
# test_readme.py runs it after the README's demonstration.
ELSEWHERE = {"docs/tour.md"}


def runnable(page):
    """The page's blocks without those in `NOT_RUN`; each entry there must match a block."""
    rest, found = blocks(page), []
    for words in NOT_RUN.get(page, []):
        matching = [block for block in rest if block.script.startswith(words)]
        assert matching, f"{page} has no block that begins with {words!r}"
        rest.remove(matching[0])
    return rest


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ELSEWHERE and runnable(page)])
def test_a_page_shows_what_its_commands_print(start_gateway, tmp_path, page):
    # A reader runs the commands in the folder where the gateway starts.
    gateway = start_gateway("listen.admin=localhost:0", certificates=tmp_path / "gateway-1/certs")
    (gateway.folder / "Examples").symlink_to(ROOT / "Examples")
    chosen = runnable(page)
    outputs = run(gateway, gateway.folder, chosen)
    differences = [text for block, output in zip(chosen, outputs) if (text := difference(block, output))]
    assert not differences, "\n".join(differences)


LINKING = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "Examples/README.md", "clients/README.md")]
LINKING += [ROOT / page for page in PAGES]


def anchors(path):
    """The anchors of a page's headings, as GitHub generates them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", LINKING, ids=lambda path: path.name)
def test_links_resolve(path):
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", path.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:", target):
            continue
        name, _, anchor = target.partition("#")
        linked = (path.parent / name).resolve() if name else path
        assert linked.exists(), target
        if anchor:
            assert anchor in anchors(linked), target


def test_every_page_is_in_the_index():
    index = (ROOT / "docs/README.md").read_text()
    assert set(re.findall(r"\]\(([\w-]+\.md)\)", index)) == {path.removeprefix("docs/") for path in PAGES} - {"README.md"}


def test_troubleshooting_quotes_the_gateways_messages():
    """The messages, log lines and diagnoses in the tables occur in the program's source."""
    source = "\n".join(path.read_text() for path in sorted((ROOT / "Sources").rglob("*.swift")))
    quoted = []
    for section in re.split(r"^## ", (ROOT / "docs/troubleshooting.md").read_text(), flags=re.M)[1:]:
        title = section.split("\n")[0]
        column = {"The gateway does not start": 0, "The push is accepted, and nobody sees it": None}.get(title, 1)
        rows = [line.strip("| ").split(" | ") for line in section.split("\n") if line.startswith("| ")][1:]
        quoted += [text for row in rows if column is not None for text in re.findall(r"`([^`]+)`", row[column])]
    pieces = [piece.strip(" :,") for text in quoted for piece in text.split("…") if piece.strip(" :,")]
    assert len(pieces) > 25
    assert [piece for piece in pieces if piece not in source] == []


def rows(page, head):
    """The cells of the rows below a table's head."""
    table = (ROOT / page).read_text().split(head + "\n", 1)[1].split("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[1:]]


def test_the_admin_api_lists_every_call():
    listed = set()
    for _, calls in rows("docs/admin-api.md", "| noun | calls |"):
        methods, folder = [], ""
        for *words, path in map(str.split, re.findall("`([^`]+)`", calls.replace(", without `/api/v1`", ""))):
            methods = words or methods
            if path.startswith("/"):
                folder = path.rpartition("/")[0]
            listed |= {(method, path.replace("…", folder)) for method in methods}
    paths = yaml.safe_load((ROOT / "Sources/Admin/AdminAPI/openapi.yaml").read_text())["paths"]
    # A path that refers to another is a GET.
    assert listed == {
        (method.replace("$ref", "get").upper(), path.removeprefix("/api/v1") or "/")
        for path, members in paths.items() for method in members if method not in ("parameters", "servers")}


def test_every_kind_of_event_is_listed():
    listed = {kind for about in rows("docs/device.md", "| about | kinds |") for kind in re.findall("`([^`]+)`", about[1])}
    schemas = yaml.safe_load((ROOT / "Sources/Admin/AdminAPI/openapi.yaml").read_text())["components"]["schemas"]
    assert set(schemas["EventKind"]["enum"]) - listed == set()


def ci_jobs():
    """The YAML blocks of docs/ci.md by CI system: scripts with their environment."""
    github, gitlab = (yaml.safe_load(text) for text in re.findall(
        r"^```yaml\n(.*?)^```", (ROOT / "docs/ci.md").read_text(), re.M | re.S))
    steps = [(step["run"], step.get("env", {})) for step in github["jobs"]["test"]["steps"] if "run" in step]
    return {"github": steps, "gitlab": [(line, {}) for line in gitlab["test"]["script"]]}


@pytest.mark.parametrize("system", ["github", "gitlab"])
def test_the_scripts_of_the_ci_page_work(gateway, tmp_path, system):
    """Runs in a project whose integration test sends one push with SSL_CERT_FILE as the trust store."""
    (tmp_path / "Makefile").write_text(
        'integration-test:\n\tcurl --silent --fail-with-body --noproxy "*" --cacert "$$SSL_CERT_FILE" --data "{}" '
        f"https://localhost:{gateway.provider[1]}/3/device/abcd | grep MissingProviderToken >pushed\n")
    for script, variables in ci_jobs()[system]:
        script = re.sub(r"(localhost|pushcote):8197", f"localhost:{gateway.admin_address[1]}", script)
        values = {name: str(value).replace("${{ github.workspace }}", str(tmp_path)) for name, value in variables.items()}
        assert "${{" not in "".join(values.values())
        subprocess.run(
            ["bash", "-euc", script], cwd=tmp_path, env=environment(no_proxy="*", **values), check=True, timeout=60)
    assert (tmp_path / "pushed").read_text()
