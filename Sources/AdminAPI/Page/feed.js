// The event stream of the gateway, for the frame and the views.

import { ask } from "./api.js";

const KINDS = ["hello", "notifications", "removed", "requests", "devices", "clock", "faults", "gap", "stopping"];
const STREAM = "/api/v1/events/stream";
const DELAYS = [3000, 10000, 30000];
// A browser opens six connections to a host; streams may take four of them.
const LOCKS = ["feed", "feed-2", "feed-3", "feed-4"];

/**
 * Messages are collected and passed on together, at most ten times a second, however many pushes there are.
 * `state` is connecting, live, reconnecting, busy (the gateway answers, but has no stream left) or closed.
 *
 * The fifth tab has no stream of its own: the tab with the lock `feed` reads for it, over a BroadcastChannel.
 */
export class Feed extends EventTarget {
  state = "connecting";
  #queue = [];
  #timer = 0;
  #failures = 0;
  #lastID = "";
  #hello;
  #channel = new BroadcastChannel("pushcote-feed");

  constructor() {
    super();
    addEventListener("pagehide", () => this.source?.close());
    addEventListener("pageshow", (event) => event.persisted && location.reload());
    this.#start();
  }

  async #start() {
    // Only pages of this machine have locks; elsewhere each tab has a stream.
    if (!navigator.locks) return this.#open();
    for (const name of LOCKS) {
      if (await hold(name, { ifAvailable: true })) return name === "feed" ? this.#lead() : this.#open();
    }
    this.#channel.onmessage = ({ data: { state, kind, data, id } }) => {
      if (state) this.#is(state);
      if (kind) this.#take(kind, data, id);
    };
    this.#channel.postMessage({ joins: true });
    await hold("feed");
    this.#lead();
  }

  #lead() {
    this.#channel.onmessage = ({ data }) => {
      if (!data.joins) return;
      this.#channel.postMessage({ state: this.state });
      if (this.#hello) this.#channel.postMessage({ kind: "hello", data: this.#hello });
    };
    this.#open({ tells: true });
  }

  #open({ tells = false } = {}) {
    const source = (this.source = new EventSource(STREAM + (this.#lastID && `?lastEventId=${this.#lastID}`)));
    const tell = (message) => tells && this.#channel.postMessage(message);
    source.onopen = () => {
      this.#failures = 0;
      this.#is("live");
      tell({ state: "live" });
    };
    source.onerror = () => {
      const isClosed = source.readyState === EventSource.CLOSED, isGone = ++this.#failures > 5;
      this.#is(isClosed || isGone ? "closed" : "reconnecting");
      tell({ state: this.state });
      if (isClosed) this.#retry({ tells });
    };
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => {
        const message = { kind, data: JSON.parse(event.data), id: event.lastEventId };
        this.#take(message.kind, message.data, message.id);
        tell(message);
      });
    }
  }

  /** An answer other than 200 ends an EventSource for good, without saying which it was. */
  #retry(options) {
    setTimeout(() => this.#open(options), DELAYS[Math.min(this.#failures, DELAYS.length) - 1]);
    ask("/clock").then(() => this.#is("busy"), ({ status }) => status && status !== 401 && this.#is("busy"));
  }

  #is(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }

  #take(kind, data, id) {
    if (id) this.#lastID = id;
    if (kind === "hello") this.#hello = data;
    this.#queue.push([kind, data]);
    // A tab that slept for long reads anew.
    if (this.#queue.length > 500) this.#queue = [["gap", {}]];
    if (this.#timer) return;
    const hand = () => this.#hand();
    // A hidden tab has no frames.
    this.#timer = document.hidden ? setTimeout(hand, 1000) : setTimeout(() => requestAnimationFrame(hand), 100);
  }

  #hand() {
    const queue = this.#queue;
    this.#queue = [];
    this.#timer = 0;
    for (const [kind, detail] of merged(queue)) this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}

/** Takes a lock for as long as the tab lives. Resolves to false if it must be free and is not. */
const hold = (name, options = {}) => new Promise((resolve) => {
  navigator.locks.request(name, options, (lock) => {
    resolve(lock !== null);
    return lock && new Promise(() => {});
  });
});

const ADDED_UP = ["notifications", "requests", "devices"];

/** Neighbours of one kind become one: the sum, or else the newest. */
function merged(queue) {
  const result = [];
  for (const [kind, data] of queue) {
    const last = result.at(-1);
    if (last?.[0] !== kind || kind === "removed") result.push([kind, data]);
    else last[1] = ADDED_UP.includes(kind) ? sum(last[1], data) : data;
  }
  return result;
}

/** Lists are joined, numbers added; a flag is set if it ever was; any other member is the newest. */
function sum(first, second) {
  const result = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const old = first[key];
    if (Array.isArray(old) && Array.isArray(value)) result[key] = [...old, ...value];
    else if (typeof value === "boolean") result[key] = old || value;
    else result[key] = typeof old === "number" && typeof value === "number" ? old + value : value;
  }
  return result;
}
