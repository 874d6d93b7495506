"""Programs that the pages about the test helpers show in full: each runs as a reader copies it."""

import re
import sys
from pathlib import Path

import pytest

from test_helpers import CLIENTS, copied, python_blocks, run

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
