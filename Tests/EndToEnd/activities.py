"""A phone with an app that has Live Activities, and the back end that pushes to it."""

import datetime
import json

import pytest

import tokens

APP = "com.example.app"
TOPIC = APP + ".push-type.liveactivity"
T0 = 1_926_403_200
DELIVERY = {
    "name": "Delivery", "attributes": {"orderId": "String"}, "contentState": {"eta": "Date", "step": "Int"},
    "template": {"title": "Order {orderId}", "lines": ["Step {step}", "At {eta}"]}}


def at(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat()


class Phone:
    def __init__(self, gateway, connect):
        self.gateway = gateway
        gateway.api("PUT", "/clock", json={"mode": "manual", "now": at(T0)})
        gateway.api("PUT", f"/apps/{APP}", json={"liveActivities": {"types": [DELIVERY]}})
        gateway.device("phone")
        self.path = "/devices/phone"
        self.settings(setting="always")
        self.start_token = gateway.api(
            "POST", self.path + "/registrations", json={"topic": TOPIC})["token"]
        self.connect = connect
        self.renew()

    def renew(self):
        """Connects a provider whose token uses the gateway's time."""
        bearer = tokens.provider_token(self.gateway.private_key, self.gateway.key_id, self.gateway.team_id, iat=T0)
        self.provider = self.connect(self.gateway, bearer=bearer)

    def settings(self, **change):
        return self.gateway.api("PATCH", f"{self.path}/apps/{APP}/live-activities", json=change)

    def push(self, token, event, timestamp=T0, topic=TOPIC, **members):
        aps = {"event": event, "timestamp": timestamp, **{name.replace("_", "-"): value for name, value in members.items()}}
        return self.provider.push(
            token, json.dumps({"aps": aps}).encode(), apns_topic=topic, apns_push_type="liveactivity")

    def start(self, timestamp=T0, **edits):
        members = {
            "attributes_type": "Delivery", "attributes": {"orderId": "7"}, "content_state": state(1),
            "alert": {"title": "On its way", "body": "Your order has left.", "sound": "default"}, **edits}
        return self.push(self.start_token, "start", timestamp, **{k: v for k, v in members.items() if v is not None})

    def started(self, **edits):
        assert self.start(**edits).status == 200
        return self.activities()[-1]

    def activities(self, **query):
        return self.gateway.api("GET", self.path + "/activities", params=query)["activities"]

    def activity(self, number=0):
        return self.activities()[number]

    def act(self, activity, act, expect=200, **body):
        return self.gateway.api("POST", f"{self.path}/activities/{activity['id']}/{act}", json=body, expect=expect)

    def events(self, *kinds):
        page = self.gateway.api("GET", self.path + "/events", params={"kind": ",".join(kinds), "limit": 1000})
        return [event["details"] for event in page["events"]]

    def last(self):
        return self.gateway.api("GET", "/notifications/latest")

    def advance(self, **step):
        self.gateway.api("POST", "/clock/advance", json=step)

    def screen(self):
        return self.gateway.api("GET", self.path + "/screen")


def state(step, eta=T0 + 3600 - 978_307_200):
    return {"eta": eta, "step": step}


def findings(phone):
    """The errors of the latest request."""
    latest = phone.gateway.api("GET", "/requests?order=newest&limit=1")["requests"][0]
    return [one["id"] for one in latest["findings"] if one["severity"] == "error"]


@pytest.fixture
def phone(own, connect):
    return Phone(own, connect)
