"""A realistic Monday on a stopped clock, for the page tests. The clock never goes back, so the day is far ahead."""

import secrets

import pytest

from provider import Provider

MIA = {"sound": "default", "thread-id": "mia", "category": "MESSAGE"}

APPS = {
    "com.example.chat": {
        "displayName": "Chatter",
        "categories": [{"identifier": "MESSAGE", "actions": [
            {"identifier": "REPLY", "title": "Reply", "textInput": {"buttonTitle": "Send", "placeholder": "Message"}},
            {"identifier": "MUTE", "title": "Mute for 1 hour"}]}]},
    "com.example.oven": {"displayName": "Oven"},
    "com.example.news": {"displayName": "Daily"},
    "com.example.bank": {
        "displayName": "Cote Bank",
        "entitlements": ["com.apple.developer.usernotifications.time-sensitive"]},
}

DEVICES = {
    "alice": {
        "registrations": [{"topic": topic} for topic in APPS], "timeZone": "Europe/Berlin",
        "focus": {"modes": [
            {"id": "work", "name": "Work", "apps": {"ids": ["com.example.mail"]},
             "schedule": [{"days": "weekdays", "from": "09:00", "to": "17:00"}]},
            {"id": "sleep", "name": "Sleep", "schedule": [{"days": "everyDay", "from": "23:00", "to": "07:00"}]}]},
        "summary": {"isEnabled": True, "times": ["08:00", "18:00"]},
        "apps": {"com.example.news": {"scheduledDelivery": "enabled"}}},
    "bob": {"registrations": [{"topic": "com.example.chat"}], "locale": "ja_JP", "timeZone": "Asia/Tokyo"},
    "salma": {"registrations": [{"topic": "com.example.chat"}], "locale": "ar_EG", "timeZone": "Africa/Cairo"},
    "ci-checkout-17": {"registrations": [{"topic": "com.example.bank"}]},
}


class Day:
    """Fills a fresh gateway; `ids` maps a push's title to its notification ID."""

    def __init__(self, gateway):
        self.gateway = gateway
        self.ids = {}
        for name, app in APPS.items():
            gateway.api("PUT", f"/apps/{name}", json=app)
        gateway.api("PUT", "/clock", json={"mode": "manual", "now": "2032-11-22T04:00:00Z"})
        for name, device in DEVICES.items():
            gateway.api("PUT", f"/devices/{name}", json=device)

    def at(self, time):
        self.gateway.api("POST", "/clock/advance", json={"to": f"2032-11-22T{time}:00Z"})

    def push(self, device, topic, title, body, **aps):
        """Sends a visible push with `POST /devices/{name}/push`."""
        payload = {"aps": {"alert": {"title": title, "body": body}, **aps}}
        answer = self.gateway.api(
            "POST", f"/devices/{device}/push", params={"topic": topic, "pushType": "alert"}, json=payload)
        self.ids[title] = answer["id"]
        return answer

    def refused(self, **edits):
        """Sends a push that APNs rejects; by default its provider token has expired, because the clock was advanced."""
        token = self.gateway.api("GET", "/devices/ci-checkout-17")["registrations"][0]["token"]
        with Provider.to(self.gateway, topic="com.example.bank") as provider:
            return provider.push(token, **edits)


def fill(gateway):
    """Plays the whole day up to 18:10 UTC."""
    day = Day(gateway)
    day.at("04:40")
    day.push("alice", "com.example.news", "Morning edition", "Frost until noon, and trams on time.",
             **{"relevance-score": 0.4})
    day.at("05:35")
    day.push("alice", "com.example.chat", "Noor", "Ok!", sound="default", **{"thread-id": "noor"})
    day.at("06:10")
    day.push("alice", "com.example.oven", "Coffee", "The machine is warm.",
             **{"sound": "default", "interruption-level": "passive"})
    day.at("07:25")
    day.push("alice", "com.example.chat", "Mia Chen", "Dinner at eight? I found that place by the canal again.",
             **MIA)
    day.at("10:15")
    day.push("alice", "com.example.bank", "New sign-in", "Was this you? Someone signed in from Potsdam at 11:15.",
             **{"sound": "default", "interruption-level": "time-sensitive", "badge": 2})
    day.at("11:30")
    gateway.api("PATCH", "/devices/alice", json={"isOnline": False})
    day.push("alice", "com.example.chat", "Where are you?", "We are at the north door.", **MIA)
    day.at("12:40")
    gateway.api("PATCH", "/devices/alice", json={"isOnline": True})
    day.at("13:20")
    day.push("alice", "com.example.news", "Evening edition",
             "What the council decided about the bridge, and five things to cook.", **{"relevance-score": 0.7})
    day.at("15:05")
    day.push("alice", "com.example.oven", "The oven is still on.", "Since eleven.",
             **{"sound": "default", "interruption-level": "time-sensitive", "badge": 1})
    day.at("17:40")
    day.push("alice", "com.example.bank", "Salary", "Your salary has arrived.", sound="default")
    day.push("bob", "com.example.chat", "山田 花子", "明日の会議は十時からに変わりました。資料を送ります。", sound="default")
    day.push("salma", "com.example.chat", "ليلى", "نلتقي عند الباب الشمالي في الثامنة.", sound="default")
    gateway.api("PATCH", "/devices/bob", json={"isOnline": False})
    day.push("bob", "com.example.chat", "山田 太郎", "着いたら電話してください。", sound="default")
    day.at("18:10")
    day.refused()
    day.refused(apns_push_type="voip")
    return day


# Untrusted text that an app or a push may contain; none of it may become markup or break a picture.
HOSTILE = [
    "<script>document.title='owned'</script><img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>' & &amp; ]]> --> ${7*7} {{7*7}}",
    "\u202egnp.exe\u202c \u2066left\u2069 \u200f\u200d\ufeff",
    "\u0000\u0001\u0008\u001b[31m\u007f\u0085 \ufffe\uffff",
    "A" * 3000,
    "e" + "\u0301" * 500 + "👨‍👩‍👧‍👦🏳️‍🌈" * 40,
]


def hostile(gateway):
    """Makes a device whose every text is hostile; returns its name and the numbers of its notifications."""
    device = "h-" + secrets.token_hex(4)
    topic = "com.example.hostile"
    gateway.api("PUT", f"/apps/{topic}", json={"displayName": HOSTILE[0][:100]})
    gateway.api("PUT", f"/devices/{device}", json={"registrations": [{"topic": topic}]})
    for text in HOSTILE:
        payload = {"aps": {"alert": {"title": text, "subtitle": text[:100], "body": text[:100]}, "thread-id": text[:50]},
                   "custom": text[:50]}
        gateway.api("POST", f"/devices/{device}/push", params={"topic": topic, "pushType": "alert"}, json=payload)
    return device, [one["id"] for one in gateway.notifications(device=device)]


@pytest.fixture
def monday(own):
    """A gateway with this day of pushes."""
    fill(own)
    return own
