// What every helper can do, in JavaScript. Run with PUSHCOTE, the program, and PUSHCOTE_ADMIN, a running gateway.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { before, beforeEach, describe, test } from "node:test";
import { runInNewContext } from "node:vm";

const { Device, Pushcote, PushcoteError, VerificationError } = await import(process.env.HELPER);

const topic = "com.example.app";
const order = (number) => ({ aps: { alert: { title: `Order ${number}` }, badge: number } });

describe("against the gateway that runs already", () => {
  let pushcote, phone;
  before(async () => (pushcote = await Pushcote.connect()));
  beforeEach(async () => (phone = await pushcote.device()));

  test("a push is awaited, verified and explained", async () => {
    const token = await phone.register(topic);
    const number = await phone.push(topic, order(7));
    const notification = await phone.wait("title=Order 7", { within: 20_000 });
    assert.deepEqual([notification.id, notification.token], [number, token]);
    assert.deepEqual((await phone.verify({ badge: { ">": 6 } }, { count: 1 })).matched, [number]);
    assert.match(await pushcote.explain(notification), /Order 7/);
    const found = await phone.notifications({ where: ["badge>6", "title"] });
    assert.deepEqual(found.map((one) => one.id), [number]);
    await phone.act("tap", { notification: number });
    await phone.verify("event=response", { of: "events" });
    assert.match(await phone.picture(), /<svg/);
    assert.match(await pushcote.ca(), /BEGIN CERTIFICATE/);
    const { provider, host, port, authorityFile, keyFile, keyId, teamId } = pushcote;
    const members = [provider, host, port, authorityFile, keyFile, keyId, teamId, await pushcote.providerToken()];
    writeFileSync("members.txt", members.join("\n"));
  });

  test("a failure has the nearest miss", async () => {
    await phone.push(topic, order(7));
    await assert.rejects(phone.wait("title=Order 8", { within: 50 }), (error) => {
      assert(error instanceof VerificationError && error instanceof assert.AssertionError);
      assert.match(error.message, /expected Order 8, got "Order 7"/);
      return true;
    });
    await assert.rejects(phone.verify("title~Order", { never: true }), VerificationError);
    await phone.push(topic, order(8));
    await phone.verify(undefined, { order: ["title=Order 7", "title=Order 8"] });
  });

  test("any notification is awaited", async () => {
    const first = await phone.push(topic, order(7));
    assert.equal((await phone.wait()).id, first);
    await assert.rejects(phone.wait([], { within: "20ms", since: first }), VerificationError);
  });

  test("a failure among requests of every kind has a report", async () => {
    assert((await pushcote.requests({ device: "logged" })).length >= 6);
    const failing = pushcote.verify("reason=TopicDisallowed", { of: "requests" });
    await assert.rejects(failing, { name: "VerificationError", message: /reason: expected TopicDisallowed/ });
  });

  test("an error has the gateway's sentence", async () => {
    const unknown = new Device(pushcote, "no/body");
    await assert.rejects(unknown.verify("title"), { name: "PushcoteError", status: 404, message: /There is no device/ });
    await assert.rejects(phone.verify("titel=1"), { status: 400, message: /did you mean 'title'/ });
    await assert.rejects(phone.patch({ isOnlin: false }), { status: 400 });
    const { addresses } = await pushcote.call("GET", "/info");
    const other = async (kind) => (await Pushcote.connect(`http://${addresses[kind][0]}`)).call("GET", "/info");
    await assert.rejects(other("clearText"), /is not Pushcote's admin API/);
    await assert.rejects(other("provider"), /No answer from/);
    await assert.rejects(phone.wait("title", { withn: 10 }), { name: "TypeError", message: /withn; accepted: within/ });
    await assert.rejects(pushcote.call("GET", "/info", [], { bdy: 1 }), /There is no option bdy/);
    await assert.rejects(phone.verify("title", { cont: 1 }), { status: 400, message: /did you mean count/ });
  });

  test("a fault ends with its function", async () => {
    const rule = { name: phone.name, match: { device: phone.name }, effect: { delay: "1s" }, count: 1 };
    for (let round = 0; round < 2; round++) {
      const answer = await pushcote.fault(rule, async (fault) => {
        assert.deepEqual([fault.names, await fault.fired()], [[phone.name], 0]);
        await assert.rejects(pushcote.fault(rule), { status: 409 });
        return "done";
      });
      assert.equal(answer, "done");
    }
    const fault = await pushcote.fault(rule);
    await fault.remove();
    assert.deepEqual(await pushcote.requests({ device: phone.name }), []);
  });

  test("the test's error hides that of the end", async () => {
    const stopped = async (error) => {
      const own = await Pushcote.start();
      await own.fault({ effect: { delay: "1s" } }, async () => {
        await own.stop();
        if (error) throw error;
      });
    };
    await assert.rejects(stopped(new RangeError("own")), { name: "RangeError", message: "own" });
    await assert.rejects(stopped(), { name: "PushcoteError", message: /No answer/ });
  });

  test("undefined and null leave out no condition", async () => {
    await phone.push(topic, order(7));
    for (const nothing of [undefined, null]) {
      const wrong = {
        "where": [() => phone.wait(nothing), () => phone.verify(nothing), () => pushcote.verify(nothing, { count: 1 })],
        "where.title": [() => phone.wait({ title: nothing })], "where.1": [() => phone.verify(["title", nothing])],
        "within": [() => phone.wait("title", { within: nothing })], "since": [() => phone.wait("title", { since: nothing })],
        "count.atMost": [() => phone.verify("title", { count: { atMost: nothing } })],
        "never": [() => phone.verify("title", { never: nothing })],
        "device": [() => pushcote.verify("title", { device: nothing })],
        "text": [() => phone.notifications({ text: nothing })],
        "reason": [() => pushcote.requests({ reason: nothing })],
        "pushType": [() => phone.push(topic, order(7), { pushType: nothing })],
        "rule.match.device": [() => pushcote.fault({ match: { device: nothing }, effect: { delay: "1s" } })],
      };
      for (const [name, calls] of Object.entries(wrong)) {
        for (const call of calls) {
          await assert.rejects(async () => call(), { name: "TypeError", message: new RegExp(`^${name} is ${nothing}`) });
        }
      }
    }
    await phone.verify();
    await phone.verify(undefined, { order: ["title"] });
  });

  test("a value that JSON would leave out or change is named", async () => {
    await phone.push(topic, order(7));
    const shop = { title() {}, seen: Symbol("seen") };
    const wrong = {
      "where is [Function: title]": () => phone.verify(shop.title),
      "where.title is [Function: title]": () => phone.verify({ title: shop.title }),
      "where.title.not is Symbol(seen)": () => phone.verify({ title: { not: shop.seen } }),
      "where is /Order/": () => phone.wait(/Order/),
      "order.0 is Map(0) {}": () => phone.verify(undefined, { order: [new Map()] }),
      "where.title is Promise": () => phone.verify({ title: Promise.resolve("Order 7") }),
      "since is NaN": () => phone.verify("title", { since: NaN }),
      "where.receivedAt is null": () => phone.verify({ receivedAt: new Date(NaN) }),
      "text is [Function: title]": () => phone.notifications({ text: shop.title }),
      "where is { title: 'Order 8' }": () => phone.notifications({ where: { title: "Order 8" } }),
      "rule.match.device is [Function: title]": () => pushcote.fault({ match: { device: shop.title } }),
      "isOnline is [Function: title]": () => phone.patch({ isOnline: shop.title }),
      "a value of the path is { isOnline: false }": () => pushcote.device({ isOnline: false }),
      "expectation must be an object, not 3": () => phone.verify("title=Order 7", 3),
      "expectation must be an object, not '5s'": () => pushcote.verify("title=Order 7", "5s"),
      "options must be an object, not 5000": () => phone.wait("title=Order 7", 5000),
      "filters must be an object, not 'title'": () => phone.notifications("title"),
      "query must be an object, not 5": () => pushcote.notifications(5),
    };
    for (const [words, call] of Object.entries(wrong)) {
      await assert.rejects(async () => call(), (error) => {
        assert(error instanceof TypeError && error.message.startsWith(words), `${error.stack} lacks ${words}`);
        return true;
      });
    }
    await phone.verify({ receivedAt: { ">": new Date(0) } });
    await phone.verify(runInNewContext('({ title: ["Order 7"][0] })'));
  });

  test("an address that is none is named", async () => {
    const { address } = pushcote;
    for (const slashes of ["/", "/api/v1", "/api/v1/"]) {
      assert.equal((await Pushcote.connect(address + slashes)).address, address);
    }
    for (const wrong of ["", "localhost:8197", "127.0.0.1:8197", "http://localhost:81a"]) {
      const message = `The admin address is "${wrong}"; accepted: one such as http://localhost:8197.`;
      await assert.rejects(Pushcote.connect(wrong), { name: "PushcoteError", message });
    }
    await assert.rejects(Pushcote.connect(address.replace("http", "https")), /^PushcoteError: No answer from https/);
    for (const path of ["", "/json", "/torn"]) {
      await assert.rejects(Pushcote.connect(process.env.OTHER + path), /is not Pushcote's admin API/);
    }
  });
});

describe("with a gateway of the test's own", () => {
  test("the clock advances", async () => {
    const pushcote = await Pushcote.start("admin.token=secret and more");
    const phone = await pushcote.device("tablet", { isOnline: false });
    await assert.rejects(pushcote.clock.advance(1000), /stop it first/);
    assert.equal((await pushcote.clock.stop({ now: "2030-01-01T09:00:00Z" })).mode, "manual");
    assert.equal((await pushcote.clock.advance("1h")).now, "2030-01-01T10:00:00.000Z");
    await phone.push(topic, order(7));
    await pushcote.verify("state=delivered", { never: true, within: 500, clock: "simulated" });
    await phone.patch({ isOnline: true });
    await pushcote.verify("state=delivered");
    assert.equal((await pushcote.clock.reset()).mode, "real");
    await pushcote.reset();
    assert.equal((await pushcote.info()).counts.devices, 0);
    await pushcote.stop();
    await pushcote.stop();
    await assert.rejects(pushcote.info(), /No answer from/);
  });

  test("a gateway that does not start says why", async () => {
    await assert.rejects(Pushcote.start("auth.mod=strict"), /did you mean auth.mode/);
    process.env.PUSHCOTE = process.env.KILLED;
    const killed = await Pushcote.start();
    await assert.rejects(killed.stop(), /^PushcoteError: The gateway ended with status SIGKILL/);
    process.env.PUSHCOTE = "/no/such/program";
    await assert.rejects(Pushcote.start(), (error) => error instanceof PushcoteError && /Cannot run/.test(error.message));
  });
});
