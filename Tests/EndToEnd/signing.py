"""Invalid provider tokens, for the tests of reasons."""

import re
import time

import tokens


UPPER_UUID = re.compile(r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}")


def bearer(make):
    """The edit that sets a row's token, made from the demonstration key: `make(gateway) -> str`."""
    return lambda gateway, provider: {"authorization": f"bearer {make(gateway)}"}


def signed(header=None, claims=None, **options):
    """A token whose header or claims differ from a valid one; a member set to `...` is omitted."""

    def make(gateway):
        head = {"alg": "ES256", "kid": gateway.key_id, **(header or {})}
        body = {"iss": gateway.team_id, "iat": int(time.time()), **(claims or {})}
        key = options.get("key") or gateway.private_key
        rest = {name: value for name, value in options.items() if name != "key"}
        return tokens.sign(
            key, {name: value for name, value in head.items() if value is not ...},
            {name: value for name, value in body.items() if value is not ...}, **rest)

    return bearer(make)
