"""Helpers shared by the start and stop tests."""

from provider import Provider


def alive(gateway):
    """Checks that the gateway accepts a push and the device shows it."""
    assert gateway.process.poll() is None
    device, token = gateway.device()
    with Provider.to(gateway) as provider:
        assert provider.push(token).status == 200
    assert len(gateway.wait(device=device)) == 1
