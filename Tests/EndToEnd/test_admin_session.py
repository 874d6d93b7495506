"""Browser login."""

import re

PAGE = {"sec-fetch-site": "same-origin"}


def test_a_browser_logs_in_and_out(start_gateway):
    gateway = start_gateway("admin.token=secret")
    assert gateway.api("GET", "/session")["isLoginNeeded"]
    wrong = gateway.admin.post("/api/v1/session", json={"token": "secre"}, headers=PAGE)
    assert wrong.status_code == 401 and not gateway.admin.cookies
    made = gateway.admin.post("/api/v1/session", json={"token": "secret"}, headers=PAGE)
    name = f"pushcote_{gateway.admin_address[1]}"
    assert re.fullmatch(
        name + "=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200", made.headers["set-cookie"])
    assert list(gateway.admin.cookies) == [name], "httpx sends it from now on, as a browser does"
    stream = PAGE | {"accept": "text/event-stream", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
    assert gateway.admin.get("/api/v1/notifications", headers=stream).status_code == 200
    assert gateway.admin.get("/api/v1/notifications").status_code == 401, "no mark of the page"
    evil = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}
    assert gateway.admin.post("/api/v1/reset", json={}, headers=evil).status_code == 403
    rebound = PAGE | {"host": "evil.example"}
    assert gateway.admin.get("/api/v1/notifications", headers=rebound).status_code == 403
    cookies = dict(gateway.admin.cookies)
    assert gateway.admin.delete("/api/v1/session", headers=PAGE).json()["isLoginNeeded"]
    assert not gateway.admin.cookies, "the answer removes it"
    header = {"cookie": f"{name}={cookies[name]}"}
    assert gateway.admin.get("/api/v1/notifications", headers=PAGE | header).status_code == 401
