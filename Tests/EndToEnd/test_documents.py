"""The commands of the documentation, as written, and the output that the pages show."""

import pytest

from documents import blocks, difference, run
from gateway import ROOT

# Blocks that need more than a gateway: a container engine, root, a compiler; or that are settings, not commands.
NOT_RUN = {
    "docs/ci.md": ["docker compose"], "docs/docker.md": ["docker compose", "docker build"],
    "docs/clients.md": ["sudo sysctl", "PUSH_APNS_DEV_ENDPOINT=", "CUSTOM_AEROGEAR_", "APNS_URL="],
    "docs/hardening.md": ["swift test"], "docs/ios-extensions.md": ["pushcote extension build"],
    "docs/reliability.md": ["make attacks", "swift test", "make fuzz", "make soak", "PUSHCOTE_KILL_ROUNDS="],
    "docs/service-extensions.md": [
        ".build/release/pushcote extension build", "docker compose", "API=http://localhost:8197/api/v1\nID="],
}
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
# test_readme.py runs the tour after README.
ELSEWHERE = {"docs/tour.md"}


def runnable(page):
    """The page's blocks but those that are not run; each of those must be there."""
    rest, found = blocks(page), []
    for words in NOT_RUN.get(page, []):
        matching = [block for block in rest if block.script.startswith(words)]
        assert matching, f"{page} has no block that begins with {words!r}"
        rest.remove(matching[0])
    return rest


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ELSEWHERE and runnable(page)])
def test_a_page_shows_what_its_commands_print(start_gateway, tmp_path, page):
    # The gateway's own folder: a reader starts it where the commands run.
    gateway = start_gateway("listen.admin=localhost:0", certificates=tmp_path / "gateway-1/certs")
    chosen = runnable(page)
    outputs = run(gateway, gateway.folder, chosen)
    differences = [text for block, output in zip(chosen, outputs) if (text := difference(block, output))]
    assert not differences, "\n".join(differences)
