"""What every helper can do, in Python. Run with PUSHCOTE, the program, and PUSHCOTE_ADMIN, a running gateway."""

import datetime
import os
import re
import unittest
from unittest import mock

from pushcote import Pushcote, PushcoteError, VerificationError

TOPIC = "com.example.app"


def order(number):
    return {"aps": {"alert": {"title": f"Order {number}"}, "badge": number}}


class Shared(unittest.TestCase):
    """Against the gateway that runs already."""

    @classmethod
    def setUpClass(cls):
        cls.pushcote = Pushcote.connect()

    def setUp(self):
        self.phone = self.pushcote.device()

    def test_a_push_is_awaited_verified_and_explained(self):
        token = self.phone.register(TOPIC)
        number = self.phone.push(TOPIC, order(7))
        notification = self.phone.wait("title=Order 7", within=datetime.timedelta(seconds=20))
        self.assertEqual((notification["id"], notification["token"]), (number, token))
        self.assertEqual(self.phone.verify({"badge": {">": 6}}, count=1)["matched"], [number])
        self.assertIn("Order 7", self.pushcote.explain(notification))
        self.assertEqual([one["id"] for one in self.phone.notifications(where=["badge>6", "title"])], [number])
        self.phone.act("tap", notification=number)
        self.phone.verify("event=response", of="events")
        self.assertIn("<svg", self.phone.picture())
        self.assertIn("BEGIN CERTIFICATE", self.pushcote.ca())

    def test_members_for_a_back_end(self):
        one = self.pushcote
        members = [
            one.provider, one.host, one.port, one.authority_file, one.key_file, one.key_id, one.team_id,
            one.provider_token()]
        with open("members.txt", "w") as file:
            file.write("\n".join(map(str, members)))

    def test_a_failure_has_the_nearest_miss(self):
        self.phone.push(TOPIC, order(7))
        with self.assertRaises(VerificationError) as failure:
            self.phone.wait("title=Order 8", within=0.05)
        self.assertIn('expected Order 8, got "Order 7"', str(failure.exception))
        with self.assertRaises(AssertionError):
            self.phone.verify("title~Order", never=True)
        self.phone.push(TOPIC, order(8))
        self.phone.verify(order=["title=Order 7", "title=Order 8"])

    def test_any_notification_is_awaited(self):
        first = self.phone.push(TOPIC, order(7))
        self.assertEqual(self.phone.wait()["id"], first)
        with self.assertRaises(VerificationError):
            self.phone.wait(within="20ms", since=first)

    def test_a_failure_among_requests_of_every_kind_has_a_report(self):
        self.assertGreaterEqual(len(self.pushcote.requests(device="logged")), 6)
        with self.assertRaisesRegex(VerificationError, "reason: expected TopicDisallowed"):
            self.pushcote.verify("reason=TopicDisallowed", of="requests")

    def test_an_error_has_the_gateways_sentence(self):
        for wrong, status in [(lambda: self.pushcote.verify("title", device="nobody"), 404),
                              (lambda: self.phone.verify("titel=1"), 400),
                              (lambda: self.phone.patch(isOnlin=False), 400)]:
            with self.assertRaises(PushcoteError) as failure:
                wrong()
            self.assertEqual(failure.exception.status, status)
        with self.assertRaisesRegex(PushcoteError, "There is no device 'nobody'"):
            self.pushcote.verify("title", device="nobody")

    def test_an_address_of_another_port_is_named(self):
        addresses = self.pushcote.call("GET", "/info")["addresses"]
        for kind, words in [("clearText", "is not Pushcote's admin API"), ("provider", "No answer from")]:
            with self.assertRaisesRegex(PushcoteError, words) as failure:
                Pushcote.connect(f"http://{addresses[kind][0]}").call("GET", "/info")
            self.assertTrue(str(failure.exception).isprintable(), failure.exception)

    def test_a_fault_ends_with_its_block(self):
        rule = {"name": self.phone.name, "match": {"device": self.phone.name}, "effect": {"delay": "1s"}}
        for _ in range(2):
            with self.pushcote.fault(rule, count=1) as fault:
                self.assertEqual((fault.names, fault.fired()), ([self.phone.name], 0))
                with self.assertRaises(PushcoteError), self.pushcote.fault(rule):
                    pass
        self.assertEqual(self.pushcote.requests(device=self.phone.name), [])

    def test_the_tests_error_hides_that_of_the_end(self):
        with self.assertRaisesRegex(LookupError, "own"), Pushcote.start() as own, own.fault(effect={"delay": "1s"}):
            own.stop()
            raise LookupError("own")
        with self.assertRaises(PushcoteError), Pushcote.start() as own, own.fault(effect={"delay": "1s"}):
            own.stop()
        with self.assertRaisesRegex(LookupError, "own"), Pushcote.start() as own:
            own._process.kill()
            raise LookupError("own")

    def test_none_leaves_out_no_condition(self):
        self.phone.push(TOPIC, order(7))
        for name, wrong in [
            ("where", lambda: self.phone.wait(None)), ("where.title", lambda: self.phone.wait({"title": None})),
            ("since", lambda: self.phone.wait("title", since=None)), ("where", lambda: self.phone.verify(None)),
            ("where.1", lambda: self.pushcote.verify(["title", None])), ("count", lambda: self.phone.verify(count=None)),
            ("device", lambda: self.pushcote.verify("title", device=None)),
            ("text", lambda: self.phone.notifications(text=None)), ("device", lambda: self.pushcote.requests(device=None)),
            ("where.1", lambda: self.pushcote.notifications(where=["title", None])),
            ("match.device", lambda: self.pushcote.fault(match={"device": None}, effect={}).__enter__()),
        ]:
            with self.assertRaisesRegex(TypeError, f"^{name} is None"):
                wrong()

    def test_a_value_that_is_no_json_is_named(self):
        self.phone.push(TOPIC, order(7))
        for words, wrong in [
            ("where is <function", lambda: self.phone.wait(order)),
            ("where.title is <function", lambda: self.phone.verify({"title": order}, never=True)),
            ("order.0 is re.compile", lambda: self.phone.verify(order=[re.compile("Order")])),
            ("within is <Mock", lambda: self.phone.verify("title", within=mock.Mock())),
            ("text is <Mock", lambda: self.phone.notifications(text=mock.Mock())),
            ("where is {'title': 'Order 8'}", lambda: self.phone.notifications(where={"title": "Order 8"})),
            ("a value of the path is {'isOnline': False}", lambda: self.pushcote.device({"isOnline": False})),
        ]:
            with self.assertRaisesRegex(TypeError, f"^{words}"):
                wrong()

    def test_an_address_that_is_none_is_named(self):
        address = self.pushcote.address
        for slashes in ("/", "/api/v1", "/api/v1/"):
            self.assertEqual(Pushcote.connect(address + slashes).address, address)
        for wrong in ("", "localhost:8197", "127.0.0.1:8197", "http://localhost:81a"):
            with self.assertRaisesRegex(PushcoteError, f'^The admin address is "{wrong}"; accepted: one such as http://'):
                Pushcote.connect(wrong)
        with self.assertRaisesRegex(PushcoteError, "^No answer from https"):
            Pushcote.connect(address.replace("http", "https"))
        for path in ("", "/json", "/torn"):
            with self.assertRaisesRegex(PushcoteError, "is not Pushcote's admin API"):
                Pushcote.connect(os.environ["OTHER"] + path)


class Own(unittest.TestCase):
    """With a gateway of the test's own."""

    def test_the_clock_advances(self):
        with Pushcote.start("admin.token=secret and more") as pushcote:
            phone = pushcote.device("tablet", isOnline=False)
            with self.assertRaisesRegex(PushcoteError, "stop it first"):
                pushcote.clock.advance(1)
            before = pushcote.clock.stop(now="2030-01-01T09:00:00Z")
            self.assertEqual(pushcote.clock.advance("1h")["now"], "2030-01-01T10:00:00.000Z")
            self.assertEqual(before["mode"], "manual")
            phone.push(TOPIC, order(7))
            pushcote.verify("state=delivered", never=True, within="500ms", clock="simulated")
            phone.patch(isOnline=True)
            pushcote.verify("state=delivered")
            self.assertEqual(pushcote.clock.reset()["mode"], "real")
            pushcote.reset()
            self.assertEqual(pushcote.info()["counts"]["devices"], 0)
        with self.assertRaisesRegex(PushcoteError, "No answer from"):
            pushcote.info()

    def test_a_gateway_that_does_not_start_says_why(self):
        with self.assertRaisesRegex(PushcoteError, "did you mean auth.mode"):
            Pushcote.start("auth.mod=strict")


if __name__ == "__main__":
    unittest.main()
