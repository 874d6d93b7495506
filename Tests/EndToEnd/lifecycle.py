"""What tests of start and stop share."""

from provider import Provider


def alive(gateway):
    """Takes a push, and shows it."""
    assert gateway.process.poll() is None
    device, token = gateway.device()
    with Provider.to(gateway) as provider:
        assert provider.push(token).status == 200
    assert len(gateway.wait(device=device)) == 1
