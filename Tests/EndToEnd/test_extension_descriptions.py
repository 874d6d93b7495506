"""How an app describes its service extension."""

from test_extensions import EXAMPLES, TOPIC, push


def test_an_invalid_description_names_the_member(gateway):
    answer = gateway.admin.put("/api/v1/apps/com.example.bad", json={"extension": {"kind": "http"}})
    assert answer.status_code == 400
    assert "extension.url" in answer.json()["error"] and "http://" in answer.json()["error"]


def test_a_fixture_describes_an_extension_by_a_relative_path(start_gateway, connect, tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "extension.py").write_text((EXAMPLES / "python/extension.py").read_text())
    (folder / "config.yaml").write_text(
        f"apps:\n  {TOPIC}:\n    extension:\n      command: [/usr/bin/env, python3, extension.py]\n")
    gateway = start_gateway(arguments=["--config", folder / "config.yaml"])
    device, token = gateway.device()
    assert connect(gateway).push(token, push("Slow")).status == 200
    shown = gateway.wait(device=device, state="delivered")
    assert shown[0]["title"] == "Hello [modified]"
