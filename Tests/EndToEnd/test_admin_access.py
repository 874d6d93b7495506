"""The admin API: state, errors and authentication."""

import json

from admin import ISO8601, own
from gateway import environment, pushcote


def test_the_state_has_times_in_iso_8601(gateway):
    gateway.device()
    text = gateway.admin.get("/api/v1/state").text
    assert '"milliseconds"' not in text
    assert ISO8601.search(text)


def test_a_reset_removes_the_named_parts(own, connect):
    provider = connect(own)
    _, token = own.device("phone")
    provider.push(token)
    own.api("PUT", "/apps/a.b")
    assert own.api("POST", "/reset", json={"keep": ["devices", "requests"]}) == {"status": "reset"}
    assert own.notifications() == [] and own.api("GET", "/apps")["apps"] == []
    assert len(own.api("GET", "/requests")["requests"]) == 1
    assert [one["name"] for one in own.api("GET", "/devices")["devices"]] == ["phone"]
    assert provider.push(token).status == 200, "the connection goes on"
    assert own.admin.post("/api/v1/reset").status_code == 200, "a body is not needed"
    assert own.api("GET", "/devices")["devices"] == [] and own.api("GET", "/requests")["requests"] == []
    assert [key["keyId"] for key in own.api("GET", "/keys")["keys"]] == [own.key_id], "keys stay"
    assert provider.push(token).status == 200
    assert len(own.notifications()) == 1


def test_configured_host_names_are_accepted(start_gateway):
    gateway = start_gateway("admin.allowedHosts=push.test.internal")
    assert gateway.admin.get("/api/v1/info", headers={"host": "push.test.internal:8197"}).status_code == 200
    assert gateway.admin.get("/api/v1/info", headers={"host": "other.test.internal"}).status_code == 403


def test_a_configured_token_is_required(start_gateway, tmp_path):
    gateway = start_gateway("admin.token=secret")
    refused = gateway.admin.get("/api/v1/info")
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"].startswith("Bearer")
    assert refused.json()["status"] == 401
    assert gateway.admin.get("/livez").status_code == 200
    admin = "http://%s:%d" % gateway.admin_address
    assert pushcote("devices", "--admin", admin, cwd=tmp_path).returncode == 1
    assert pushcote("devices", "--admin", admin, "--admin-token", "secret", cwd=tmp_path).returncode == 0
    gateway.api("PUT", "/clock", json={"mode": "manual", "now": "2030-01-01T00:00:00Z"},
                headers={"authorization": "Bearer secret"})
    command = ("token", "--set", f"certificates.folder={gateway.certificates}", "--admin", admin)
    without = pushcote(*command, "--json", cwd=tmp_path)
    assert "--admin-token" in without.stderr and json.loads(without.stdout)["issuedAt"] < 1893456000
    given = pushcote(*command, "--json", "--admin-token", "secret", cwd=tmp_path)
    assert given.stderr == "" and json.loads(given.stdout)["issuedAt"] == 1893456000
    named = environment(PUSHCOTE_ADMIN=admin, PUSHCOTE_ADMIN_TOKEN="secret")
    assert pushcote("devices", cwd=tmp_path, env=named).returncode == 0


def test_a_token_is_required_beyond_loopback(certificates, tmp_path):
    settings = [
        f"certificates.folder={certificates}", "listen.provider=127.0.0.1:0", "listen.clearText=127.0.0.1:0",
        "listen.proxy=127.0.0.1:0", "listen.channelsSandbox=127.0.0.1:0", "listen.channelsProduction=127.0.0.1:0",
        "listen.admin=0.0.0.0:0"]
    done = pushcote("serve", *[word for setting in settings for word in ("--set", setting)], cwd=tmp_path)
    assert done.returncode in (1, 2) and "Ready." not in done.stdout
    assert "admin.token" in done.stderr
