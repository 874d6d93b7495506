"""Programs that the pages about the test helpers show in full: each runs as a reader copies it."""

import re
import sys
from pathlib import Path

import pytest

from gateway import BINARY
from test_helpers import CLIENTS, copied, installed, python_blocks, run

pytestmark = pytest.mark.timeout(600)


# A stub of the Testcontainers API that the page uses; the gateway already runs, so no container engine is needed.
CONTAINERS = """
class HttpWaitStrategy:
    def __init__(self, port, path="/"):
        self.port, self.path = port, path

class DockerContainer:
    def __init__(self, image):
        assert image == "pushcote"

    def with_exposed_ports(self, *ports):
        self.ports = ports
        return self

    def waiting_for(self, strategy):
        assert (strategy.port, strategy.path) == (8197, "/readyz")
        return self

    def get_exposed_port(self, port):
        assert port in self.ports
        return {2197: PROVIDER, 8197: ADMIN}[port]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass
"""


def test_the_recipe_for_testcontainers_connects(gateway, tmp_path):
    [recipe] = python_blocks("docs/ci.md")
    ports = {"PROVIDER": str(gateway.provider[1]), "ADMIN": str(gateway.admin_address[1])}
    package = tmp_path / "testcontainers/core"
    package.mkdir(parents=True)
    for module in ("container", "wait_strategies"):
        (package / f"{module}.py").write_text(re.sub("PROVIDER|ADMIN", lambda name: ports[name[0]], CONTAINERS))
    copied(tmp_path, CLIENTS / "python/pushcote.py")
    (tmp_path / "conftest.py").write_text(recipe)
    (tmp_path / "test_shop.py").write_text("def test_one(pushcote):\n    pushcote.device()\n")
    assert "1 passed" in run(gateway, tmp_path, sys.executable, "-m", "pytest", "-q")
    assert (tmp_path / "ca.pem").read_text() == Path(gateway.ca).read_text()


def named_programs(language):
    """The programs that `clients/README.md` shows in a language, by the file name in their first line."""
    text = (CLIENTS / "README.md").read_text()
    return dict(
        (name, f"{mark} {name}\n{rest}")
        for mark, name, rest in re.findall(rf"^```{language}\n(#|//) (\S+)\n(.*?)^```", text, re.M | re.S))


# The helper's files, the back end, what runs its test, and what that prints.
BACK_ENDS = {
    "python": (CLIENTS.glob("python/*.py"), "shop.py", [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
               "2 passed"),
    "javascript": (CLIENTS.glob("javascript/*.mjs"), "shop.mjs", ["node", "--test"], "pass 2")}


@pytest.mark.parametrize("language", BACK_ENDS)
def test_the_back_end_of_the_readme_passes_its_test(gateway, tmp_path, language):
    """With its own gateway, with that of `exec` in another folder, and not if the back end is wrong."""
    helper, back_end, command, passed = BACK_ENDS[language]
    if language == "javascript":
        installed("node")
    programs = named_programs(language)
    assert len(programs) == 2 and len(programs[back_end].splitlines()) <= 45
    folder = tmp_path / "shop"
    folder.mkdir()
    copied(folder, *helper)
    for name, text in programs.items():
        (folder / name).write_text(text)
    assert passed in run(gateway, folder, *command, PUSHCOTE_ADMIN="")
    for path in folder.glob("*.test.mjs"):
        path.write_text(path.read_text().replace("Pushcote.start()", "Pushcote.connect()"))
    assert passed in run(gateway, tmp_path, BINARY, "exec", "--", "sh", "-c", 'cd shop && exec "$@"', "sh", *command)
    wrong = programs[back_end].replace("Order {order}", "Oder {order}").replace("Order ${order}", "Oder ${order}")
    assert wrong != programs[back_end]
    (folder / back_end).write_text(wrong)
    for name in programs.keys() - {back_end}:
        (folder / name).write_text(programs[name])
    assert "expected Order 7" in run(gateway, folder, *command, status=1, PUSHCOTE_ADMIN="")
