/**
 * Pushcote in JavaScript tests: simulated devices, pushes, waits and assertions. Copy this file and, for TypeScript,
 * pushcote.d.mts into your project.
 *
 *     const pushcote = await Pushcote.start();
 *     const phone = await pushcote.device();
 *     const token = await phone.register("com.example.app");
 *     // your back end pushes to the token
 *     await phone.wait("title~Order");
 *     await pushcote.stop();
 *
 * It needs Node.js 18 and nothing else. Conditions are those of Pushcote's docs/queries.md; objects have the members of
 * docs/admin-api.md. A duration is a text such as "5s" or "PT1H", or a number of milliseconds.
 */

import { AssertionError } from "node:assert";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { resolve } from "node:path";
import { inspect } from "node:util";

const ADDRESS = /^https?:\/\/([^/:\s]+|\[[^\]\s]+\])(:\d+)?(\/\S*)?$/;
// Ends with its standard input: the gateway stops even if this process is killed.
const untilStopped = 'printf "%s %s\\n" "$PUSHCOTE_ADMIN" "$PUSHCOTE_ADMIN_TOKEN"; exec cat >/dev/null';

/** The gateway rejects a call or does not start; the message is the gateway's. */
export class PushcoteError extends Error {
  /** @param status HTTP's; undefined without an answer. */
  constructor(message, status, options) {
    super(message, options);
    this.name = "PushcoteError";
    this.status = status;
  }
}

/** A verification failed; the message is the gateway's report with the nearest misses. */
export class VerificationError extends AssertionError {
  /** @param verdict The answer of `POST /verify`. */
  constructor(verdict) {
    super({ message: verdict.report });
    this.name = "VerificationError";
    this.verdict = verdict;
  }
}

/** A gateway: an existing one (`connect`), or one started for the test (`start`). */
export class Pushcote {
  #process;
  #ended;
  #log = "";

  constructor(address, token) {
    this.address = address.replace(/(\/api\/v1)?\/*$/, "");
    this.token = token;
    this.clock = new Clock(this);
  }

  /**
   * Uses the gateway at an admin address such as `http://localhost:8197`.
   * By default, PUSHCOTE_ADMIN and PUSHCOTE_ADMIN_TOKEN, which `pushcote exec` sets.
   */
  static async connect(address, token = process.env.PUSHCOTE_ADMIN_TOKEN) {
    const pushcote = new Pushcote(address ?? (process.env.PUSHCOTE_ADMIN || "http://localhost:8197"), token);
    return pushcote.#locate();
  }

  /**
   * Starts a gateway on free ports, with settings such as `auth.mode=strict`.
   * The program is PUSHCOTE in the environment, else `pushcote` in PATH.
   */
  static async start(...settings) {
    const program = process.env.PUSHCOTE || "pushcote";
    const options = settings.flatMap((setting) => ["--set", setting]);
    const child = spawn(program, ["exec", ...options, "--", "sh", "-c", untilStopped]);
    const pushcote = new Pushcote("");
    pushcote.#process = child;
    child.stderr.setEncoding("utf8").on("data", (text) => (pushcote.#log += text));
    pushcote.#ended = once(child, "close").catch((error) => {
      throw new PushcoteError(`Cannot run ${program}: ${error.message}. Set PUSHCOTE to the program.`);
    });
    const line = await Promise.race([pushcote.#ended.then(() => ""), firstLine(child.stdout)]);
    [, pushcote.address, pushcote.token] = line.match(/^(\S*) ?(.*)/);
    if (pushcote.address) return pushcote.#locate();
    await pushcote.stop();
    throw new PushcoteError("The gateway has no admin address.");
  }

  /** Stops a gateway that `start` started. Throws PushcoteError with its log if it failed. */
  async stop() {
    this.#process?.stdin.end();
    this.#process = undefined;
    const [status, signal] = (await this.#ended) ?? [0];
    this.#ended = undefined;
    if (status !== 0) throw new PushcoteError(`The gateway ended with status ${status ?? signal}:\n${this.#log}`);
  }

  /** Addresses, key and counts of the gateway: `info().addresses.provider[0]` is for your back end. */
  info = () => this.call("GET", "/info");

  /** The certificate authority that your back end must trust, as PEM. */
  ca = () => this.call("GET", "/ca.pem");

  /** Reads what a back end needs: `provider` and the others of pushcote.d.mts. */
  async #locate() {
    const info = await this.info();
    if (!info?.addresses) throw this.#foreign(info);
    const { addresses, certificate, demonstrationKey: key = {} } = info;
    // The certificate names localhost.
    this.host = new URL(this.address).hostname.replace(/^(127\..*|\[::1\])$/, "localhost");
    this.port = Number(addresses.provider[0]?.match(/\d+$/)[0]);
    this.provider = `https://${this.host}:${this.port}`;
    // `pushcote exec` may have been started in another folder than the test.
    const variables = this.address === process.env.PUSHCOTE_ADMIN ? process.env : {};
    this.authorityFile = resolve(variables.PUSHCOTE_RUN_CA || certificate?.caFile || "");
    this.keyFile = resolve(variables.PUSHCOTE_RUN_KEY || key.file || "");
    this.keyId = key.keyId;
    this.teamId = key.teamId;
    return this;
  }

  /** A provider token for the header `authorization: bearer …`, which the gateway signs now with its key. */
  async providerToken() {
    return (await this.call("POST", "/provider-tokens", [], { body: {} })).token;
  }

  /** Makes a device, with a unique name unless given, and conditions such as `{ isOnline: false }`. */
  async device(name = `device-${randomBytes(6).toString("hex")}`, conditions = {}) {
    await this.call("PUT", "/devices/{name}", [name], { body: conditions });
    return new Device(this, name);
  }

  /**
   * Asserts that the right notifications, requests or events arrived; the answer of `POST /verify`.
   * @param where A condition, a list of conditions, or an object of tests; undefined with `order` or `never`.
   * @param expectation `count`, `never`, `within`, `order`, `of`, `device`, `since`, `clock`.
   * @throws {VerificationError} with the nearest misses if they did not arrive.
   */
  async verify(where, expectation = {}) {
    const { order, never, within, ...others } = checkedObject(expectation, "expectation");
    checkedValue(expectation, "");
    if (where !== undefined || (arguments.length > 0 && !order && !never)) checkedValue(where, "where");
    const body = { where, order, never, ...others, within: duration(within) };
    const verdict = await this.call("POST", "/verify", [], { body, accept: 406 });
    if (!verdict.verified) throw new VerificationError(verdict);
    return verdict;
  }

  /** The first 100 that devices received: `notifications({ device: "phone", where: ["badge>2"], limit: 1000 })`. */
  async notifications(filters = {}) {
    return (await this.call("GET", "/notifications", [], { query: filters })).notifications;
  }

  /** Everything about a notification. */
  notification(id) {
    return this.call("GET", "/notifications/{id}", [id]);
  }

  /** Why the device showed a notification as it did, in sentences. */
  explain(notification) {
    return this.call("GET", "/notifications/{id}/explanation", [notification.id ?? notification]);
  }

  /** The first 100 requests of providers, with their answers: `requests({ reason: "BadDeviceToken" })`. */
  async requests(filters = {}) {
    return (await this.call("GET", "/requests", [], { query: filters })).requests;
  }

  /**
   * Makes the gateway fail, with a rule or `{ scenario: "outage" }`, until `body` has ended; what `body` returns.
   * Without `body`, until `remove()` of the returned fault.
   */
  async fault(rule, body) {
    checkedValue(rule, "rule");
    const added = await this.call("POST", "/faults", [], { body: rule });
    const fault = new Fault(this, added.faults.map((one) => one.name));
    if (!body) return fault;
    let result;
    try {
      result = await body(fault);
    } catch (error) {
      // The test's own error says more than a failed removal.
      await fault.remove().catch(() => {});
      throw error;
    }
    await fault.remove();
    return result;
  }

  /** Removes devices, apps, requests and faults except those to keep: `reset("devices")`. */
  async reset(...keep) {
    await this.call("POST", "/reset", [], { body: { keep } });
  }

  /**
   * A call of the admin API: a path of openapi.yaml below /api/v1 and the values for its braces.
   * @returns the JSON or text of an answer below 400 or with the status `accept`.
   * @throws {PushcoteError} otherwise.
   */
  async call(method, path, values = [], { body, query = {}, accept, ...others } = {}) {
    refuse(others, "body, query, accept");
    if (!ADDRESS.test(this.address)) {
      throw new PushcoteError(`The admin address is "${this.address}"; accepted: one such as http://localhost:8197.`);
    }
    const rest = [...values];
    const segment = () => encodeURIComponent(checkedValue(rest.shift(), "a value of the path", false));
    const url = new URL(`${this.address}/api/v1${path.replace(/\{\w+\}/g, segment)}`);
    for (const [name, value] of Object.entries(checkedObject(query, "query"))) {
      for (const one of [value].flat()) url.searchParams.append(name, checkedValue(one, name, false));
    }
    const headers = { "Content-Type": "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    const json = body && JSON.stringify(body, withoutFunctions);
    let answer, content;
    try {
      answer = await fetch(url, { method, headers, body: json });
      content = await answer.text();
    } catch (error) {
      const reason = error.cause?.message || error.message;
      throw new PushcoteError(`No answer from ${this.address}: ${reason}`, undefined, { cause: error });
    }
    try {
      if (answer.headers.get("content-type")?.startsWith("application/json")) content = JSON.parse(content);
    } catch {
      throw this.#foreign(content);
    }
    if (answer.ok || answer.status === accept) return content;
    throw content.error ? new PushcoteError(content.error, answer.status) : this.#foreign(content, answer.status);
  }

  #foreign(content, status) {
    const beginning = (typeof content === "string" ? content : JSON.stringify(content)).slice(0, 200);
    return new PushcoteError(`${this.address} is not Pushcote's admin API: ${beginning}`, status);
  }
}

/** A simulated device. */
export class Device {
  constructor(pushcote, name) {
    this.pushcote = pushcote;
    this.name = name;
  }

  #call = (method, path, options) => this.pushcote.call(method, path, [this.name], options);

  /** Registers an app for pushes, for production with `{ environment: "production" }`; returns its device token. */
  async register(topic, members = {}) {
    return (await this.#call("POST", "/devices/{name}/registrations", { body: { topic, ...members } })).token;
  }

  /** Pushes directly, without a provider; returns the notification's number. `query` has `pushType` and others. */
  async push(topic, payload, query = {}) {
    return (await this.#call("POST", "/devices/{name}/push", { body: payload, query: { topic, ...query } })).id;
  }

  /**
   * Waits for a notification after number `since` that matches, or for any, and returns it.
   * Existing notifications count. Throws VerificationError with the nearest misses after `within`.
   */
  async wait(where, limits = {}) {
    const { within, since, ...others } = checkedObject(limits, "options");
    refuse(others, "within, since");
    const wanted = arguments.length > 0 ? where : { device: this.name };
    const verdict = await this.verify(wanted, { within: "5s", ...limits });
    return this.pushcote.notification(verdict.matched[0]);
  }

  /** `Pushcote.verify` for this device. */
  async verify(...given) {
    const [where, expectation = {}] = given.length > 0 ? given : [{ device: this.name }];
    return this.pushcote.verify(where, { ...checkedObject(expectation, "expectation"), device: this.name });
  }

  /** The first 100 that the device received. */
  async notifications(filters = {}) {
    return this.pushcote.notifications({ ...checkedObject(filters, "filters"), device: this.name });
  }

  /** Changes conditions: `patch({ isOnline: false })`; returns the device. */
  patch(conditions) {
    return this.#call("PATCH", "/devices/{name}", { body: conditions });
  }

  /** Performs an act of a person or an app: `act("tap", { notification: 1 })`; returns the events. */
  act(action, members = {}) {
    return this.#call("POST", "/devices/{name}/actions", { body: { action, ...members } });
  }

  /** What the person sees, as SVG; `query` has `form` and others. */
  picture(query = {}) {
    return this.#call("GET", "/devices/{name}/screen.svg", { query });
  }
}

/** The clock that the gateway and all its devices share. */
class Clock {
  constructor(pushcote) {
    this.pushcote = pushcote;
  }

  /** Stops the clock, at a given time with `{ now: "2027-01-01T09:00:00Z" }`. */
  stop(members = {}) {
    return this.pushcote.call("PUT", "/clock", [], { body: { mode: "manual", ...members } });
  }

  /** Advances the stopped clock; everything due happens before this returns. */
  advance(by) {
    return this.pushcote.call("POST", "/clock/advance", [], { body: { by: duration(by) } });
  }

  /** Follows real time again. */
  reset = () => this.pushcote.call("POST", "/clock/reset");
}

/** The fault rules that `Pushcote.fault` added. */
class Fault {
  constructor(pushcote, names) {
    this.pushcote = pushcote;
    this.names = names;
  }

  /** How often the rules have fired. */
  async fired() {
    const rules = await Promise.all(this.names.map((name) => this.pushcote.call("GET", "/faults/{name}", [name])));
    return rules.reduce((sum, rule) => sum + rule.fired, 0);
  }

  /** Removes the rules. */
  async remove() {
    for (const name of this.names) await this.pushcote.call("DELETE", "/faults/{name}", [name]);
  }
}

/** A misspelt option would be ignored. */
const refuse = (others, accepted) => {
  for (const name of Object.keys(others)) throw new TypeError(`There is no option ${name}; accepted: ${accepted}.`);
};

/** A spread would ignore another value. */
const checkedObject = (value, name) => {
  if (isPlain(value) && !Array.isArray(value)) return value;
  throw new TypeError(`${name} must be an object, not ${inspect(value, { depth: 0 })}.`);
};

/** An object literal or a list, also of another realm, such as Jest's. */
const isPlain = (value) => {
  const prototype = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || (prototype && Object.getPrototypeOf(prototype) === null);
};

/** JSON leaves out undefined and functions, and a condition without them would match more. */
const checkedValue = (given, path, isNested = true) => {
  const value = typeof given?.toJSON === "function" ? given.toJSON() : given;
  if (value === undefined || value === null) {
    throw new TypeError(`${path} is ${value}; give it a value, or leave it out.`);
  }
  if (["string", "boolean"].includes(typeof value) || Number.isFinite(value)) return value;
  if (!isNested || !isPlain(value)) {
    const accepted = `texts, numbers, booleans${isNested ? ", dates, lists and plain objects" : ""}`;
    throw new TypeError(`${path} is ${inspect(value, { depth: 0 })}; accepted: ${accepted}.`);
  }
  for (const [name, one] of Object.entries(value)) checkedValue(one, path ? `${path}.${name}` : name);
  return value;
};

const withoutFunctions = (name, value) => {
  if (!["function", "symbol"].includes(typeof value)) return value;
  throw new TypeError(`${name} is ${inspect(value)}, which JSON would leave out.`);
};

const duration = (value) => (typeof value === "number" ? `${Math.round(value)}ms` : value);

/** What the child prints first. */
async function firstLine(stream) {
  let text = "";
  for await (const piece of stream.setEncoding("utf8")) {
    text += piece;
    if (text.includes("\n")) break;
  }
  return text;
}
