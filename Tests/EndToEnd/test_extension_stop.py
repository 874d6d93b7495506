"""A gateway stops in time even if an extension cannot be killed."""

import os
from pathlib import Path
import shutil
import signal
import subprocess
import sys
import tempfile

import pytest

from gateway import Gateway
from provider import Provider
from test_extensions import TOPIC
import tokens

NOBODY = 65534


class GatewayOfNobody(Gateway):
    """Runs as a user who may not signal the processes of root."""

    def launch(self):
        with open(self.stderr_file, "wb") as stderr:
            self.process = subprocess.Popen(
                self.command, cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=stderr, user=NOBODY, group=NOBODY, extra_groups=[])


@pytest.fixture
def folder():
    """One that every user may enter, unlike pytest's."""
    with tempfile.TemporaryDirectory() as name:
        os.chown(name, NOBODY, NOBODY)
        yield Path(name)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make a program that the gateway may not kill")
def test_an_extension_that_cannot_be_killed_does_not_hold_the_stop(folder):
    python, script, entered = folder / "python", folder / "extension.py", folder / "entered"
    shutil.copy(os.path.realpath(sys.executable), python)
    python.chmod(0o4755)
    script.write_text(
        "import json, os, sys, time\n"
        "os.setresuid(0, 0, 0)\n"
        "request = json.loads(sys.stdin.readline())\n"
        "print(json.dumps({'type': 'entered', 'id': request['id']}), flush=True)\n"
        f"open({str(entered) + '.new'!r}, 'w').write(str(os.getpid()))\n"
        f"os.rename({str(entered) + '.new'!r}, {str(entered)!r})\n"
        "time.sleep(300)\n")
    gateway = GatewayOfNobody(folder, folder / "certificates")
    try:
        gateway.start()
        gateway.bearer = tokens.provider_token(
            tokens.load(gateway.key_file.read_bytes()), gateway.key_id, gateway.team_id)
        gateway.api("PUT", f"/apps/{TOPIC}", json={
            "extension": {"kind": "process", "command": [str(python), "-I", str(script)]}})
        with Provider.to(gateway) as provider:
            assert provider.push(gateway.device()[1], b'{"aps":{"alert":"x","mutable-content":1}}').status == 200
        gateway.follow_log(lambda _: entered.exists(), "an extension that runs")
        gateway.send(signal.SIGTERM)
        assert gateway.wait_for_end() == 0
        assert Path(f"/proc/{entered.read_text()}").exists(), "it was killed, so nothing was tested"
    finally:
        gateway.kill()
        if entered.exists():
            os.kill(int(entered.read_text()), signal.SIGKILL)
