"""Stream limits, PINGs, header lists, and what the gateway reports about a connection."""

from gateway import device_token


def test_one_stream_until_the_first_accepted_push(gateway, connect):
    provider = connect(gateway)
    first = provider.until_settled()
    assert {int(code): value for code, value in first.items()} == {1: 4096, 3: 1, 4: 65535, 5: 16384, 6: 8000}
    assert provider.push(device_token(), apns_priority="7").status == 400
    assert len(provider.settings) == 1
    assert provider.push(device_token()).status == 200
    provider.until(lambda: len(provider.settings) == 2, "a second SETTINGS")
    assert {int(code): value for code, value in provider.settings[1].items()} == {3: 1000}


def test_a_certificates_connection_has_the_full_limit_at_once(gateway, connect, client_certificate):
    provider = connect(gateway, bearer=None, certificate=client_certificate())
    assert {int(code): value for code, value in provider.until_settled().items()}[3] == 1000


def test_an_ordinary_error_does_not_end_the_connection(gateway, provider):
    for _ in range(50):
        assert provider.push("xyz").status == 400
    assert provider.push(device_token()).status == 200
    assert provider.goaways == []


def test_connections_describe_their_client(gateway, connect):
    provider = connect(gateway)
    answer = provider.push(device_token())
    provider.http.ping(b"87654321")
    provider.flush()
    provider.until(lambda: provider.pongs, "a PING answer")
    number = gateway.request(answer.apns_id)["connection"]
    connection = gateway.api("GET", f"/connections/{number}")
    assert connection["accepted"] == 1 and connection["refused"] == 0
    assert connection["pings"] == 1
    assert connection["remoteAddress"] == "%s:%d" % provider.channel.getsockname()[:2]
    assert (connection["tls"]["offeredAlpn"], connection["tls"]["selectedAlpn"]) == (["h2"], "h2")
    assert [token["keyId"] for token in connection["tokens"]] == [gateway.key_id]
    assert connection["settings"]
    assert connection.get("closedAt") is None


def test_a_header_list_above_the_limit_is_rejected_and_the_connection_continues(gateway, provider):
    assert provider.push(device_token()).status == 200
    answer = provider.push(device_token(), x_large="x" * 9000)
    assert (answer.status, answer.reset) == (431, None)
    assert answer.apns_id, "every answer has one"
    [record] = gateway.api("GET", "/requests", params={"status": 431})["requests"]
    assert record["apnsId"] == answer.apns_id and record["diagnosis"]["id"] == "headers.too-large"
    assert provider.push(device_token()).status == 200


def test_a_431_that_was_cancelled_with_its_own_write_is_not_recorded_as_sent(gateway, provider):
    assert provider.push(device_token()).status == 200
    stream = provider.http.get_next_available_stream_id()
    provider.http.send_headers(stream, provider.headers(device_token(), x_large="x" * 9000), end_stream=True)
    provider.http.reset_stream(stream, 8)
    provider.flush()
    assert provider.push(device_token()).status == 200
    silent = gateway.api("GET", "/requests", params={"status": "none", "limit": 1000})["requests"]
    [record] = [one for one in silent if one.get("diagnosis", {}).get("id") == "headers.too-large"]
    assert record["answer"]["outcome"] == "cancelled"
