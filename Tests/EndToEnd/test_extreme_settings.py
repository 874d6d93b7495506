"""Every number and duration of the configuration at its ends."""

import json
import re

import pytest

from gateway import pushcote
from provider import Provider

#: More than any duration or number that is accepted; the first of each is just beyond what 64 bits of nanoseconds, or 64 bits, hold.
TOO_LONG = ["106752d", "9999999d", "1e308s", "9223372036854775808s"]
TOO_LARGE = [str(2**63), str(2**64), "1e308", "9" * 400]


def settings():
    return json.loads(pushcote("config", "--json").stdout)["settings"]


def ends(accepted):
    """The least and the greatest value of what the program says that it accepts; None for words, names and the like."""
    if found := re.match(r"a (?:whole )?number from (\S+) to ([0-9]+)", accepted):
        return found[1], found[2]
    if found := re.match(r"a whole number, (\d+) or more", accepted):
        return found[1], str(2**63 - 1)
    if not accepted.startswith("a duration"):
        return None
    found = re.search(r"from (\S+) to (\S+)|at most (\S+)", accepted)
    return (found[1] or "0s", found[2] or found[3]) if found else ("0s", "9999d")


EXTREMES = {one["name"]: found for one in settings() if (found := ends(one["accepted"])) and one["name"] != "seed"}


@pytest.mark.parametrize("end", [0, 1], ids=["least", "greatest"])
def test_a_gateway_with_every_setting_at_its_end_serves_and_stops(start_gateway, end):
    assert len(EXTREMES) > 80
    gateway = start_gateway("journal=sqlite", *(f"{name}={both[end]}" for name, both in EXTREMES.items()))
    # It uses devices, extensions, Focus, Live Activities, Siri and the clock.
    demo = pushcote("demo", "--admin", "http://%s:%d" % gateway.admin_address)
    assert gateway.process.poll() is None, gateway.stderr
    if end:
        assert demo.returncode == 0, demo.stderr
        with Provider.to(gateway) as provider:
            assert provider.push(gateway.device()[1]).status == 200


@pytest.mark.parametrize("kind", range(4))
def test_values_beyond_an_end_are_named_with_the_setting(tmp_path, kind):
    wrong = {name: (TOO_LONG if most[-1].isalpha() else TOO_LARGE)[kind] for name, (_, most) in EXTREMES.items()}
    wrong |= {f"{name} ": "-1" for name in EXTREMES}
    options = [part for name, value in wrong.items() for part in ("--set", f"{name.strip()}={value}")]
    done = pushcote("config", *options, cwd=tmp_path)
    assert done.returncode == 2
    for name in EXTREMES:
        assert len(re.findall(rf"^--set {re.escape(name)}: .*; accepted: ", done.stderr, re.M)) == 2, name
