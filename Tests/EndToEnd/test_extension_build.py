"""Extensions that cannot start, and builds on machines that lack something."""

import glob
import json
import os
import subprocess
from pathlib import Path

import pytest

from gateway import BINARY, ROOT

TOPIC = "com.example.app"


def test_a_program_that_is_not_there_is_reported_at_start(start_gateway, tmp_path):
    settings = tmp_path / "settings.yaml"
    settings.write_text(
        "apps:\n  com.example.one:\n    extension: {kind: process, command: ['python3 extension.py']}\n"
        "  com.example.two:\n    extension: {kind: process, command: [no-such-program]}\n"
        f"  com.example.three:\n    extension: {{kind: swift, path: {ROOT}/Examples/Message}}\n"
        "  com.example.good:\n    extension: {kind: process, command: [python3, extension.py]}\n")
    gateway = start_gateway(arguments=["--config", settings])
    for problem in ("write [python3, extension.py]", "no program no-such-program", "has not been built"):
        gateway.wait_for_log(problem)
    assert "com.example.good" not in gateway.stderr


def test_a_build_without_libcurls_files(tmp_path):
    """The linker finds no libcurl: the build links dynamically, says so, and the program runs."""
    libraries = glob.glob("/usr/lib/*/libcurl.so")
    if os.geteuid() != 0 or not libraries:
        pytest.skip("hiding libcurl needs root")
    folder = Path(libraries[0]).parent
    (tmp_path / "source").mkdir()
    (tmp_path / "source/NotificationService.swift").write_text("""
import UserNotifications
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler handler: @escaping (UNNotificationContent) -> Void
    ) {
        _ = URLSession.shared
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.title = "Built"
        handler(content)
    }
}
""")
    # In a tmpfs, because an overlay's layers cannot be in another overlay.
    hide = (
        f"mount -t tmpfs tmpfs /mnt && mkdir /mnt/upper /mnt/work && "
        f"mount -t overlay overlay -o lowerdir={folder},upperdir=/mnt/upper,workdir=/mnt/work {folder} && "
        f"rm {folder}/libcurl.so {folder}/libcurl.a && ")
    build = (
        f"exec {BINARY} extension build {tmp_path}/source --app {TOPIC} --folder {tmp_path}/built "
        f"--kit {ROOT}/Sources --verbose")
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", hide + build], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-4000:]
    assert "find -lcurl" in done.stderr and "install libcurl4-openssl-dev" in done.stderr
    program = tmp_path / f"built/{TOPIC}/build/extension"
    assert "libFoundation.so" in subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    request = {"type": "didReceive", "protocol": 1, "id": 1, "request": {
        "identifier": "a", "date": "2030-01-01T00:00:00Z", "trigger": {"type": "push", "repeats": False},
        "content": {"title": "Hi", "userInfo": {}}}}
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as extension:
        print(json.dumps(request), file=extension.stdin, flush=True)
        # It ends with its input, even before its answer.
        answer = next((line for line in extension.stdout if '"Built"' in line), None)
    assert answer
