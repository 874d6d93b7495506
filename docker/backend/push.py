"""An example back end: sends one alert with aioapns, without any setting for Pushcote."""

import asyncio
import pathlib
import sys

from aioapns import APNs, NotificationRequest


async def main():
    client = APNs(
        key=pathlib.Path("/certs/AuthKey_PUSHCOTE01.p8").read_text(),
        key_id="PUSHCOTE01",
        team_id="PUSHCOTEAM",
        topic="com.example.app",
        use_sandbox=False,
    )
    result = await client.send_notification(
        NotificationRequest(
            device_token="aa" * 32,
            message={
                "aps": {"alert": {"title": "Order 4711", "body": "Your order has shipped"}, "mutable-content": 1}
            },
        )
    )
    print("accepted" if result.is_successful else f"refused: {result.description}", result.notification_id)
    return 0 if result.is_successful else 1


sys.exit(asyncio.run(main()))
