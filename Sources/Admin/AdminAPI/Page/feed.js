// The event stream of the gateway, for the frame and the views.

import { ask } from "./api.js";

const KINDS = ["hello", "notifications", "removed", "requests", "devices", "clock", "faults", "gap", "stopping"];
const STREAM = "/api/v1/events/stream";
const DELAYS = [3000, 10000, 30000];
// A browser opens six connections to a host; streams may take four of them.
const LOCKS = ["feed", "feed-2", "feed-3", "feed-4"];

/**
 * Messages are passed on at most ten times a second. Without a stream left, `state` is busy.
 * For the fifth tab, the tab with the lock `feed` reads.
 */
export class Feed {
  state = "connecting";
  #queue = [];
  #timer = 0;
  #failures = 0;
  #lastID = "";
  #run;
  #tell = () => {};
  #source;

  constructor(take, changed) {
    Object.assign(this, { take, changed });
    addEventListener("pagehide", () => this.#source?.close());
    addEventListener("pageshow", (event) => event.persisted && location.reload());
    this.#start();
  }

  async #start() {
    // Locks exist on localhost and over HTTPS only; elsewhere each tab has a stream.
    if (!navigator.locks || !globalThis.BroadcastChannel) return this.#open();
    const channel = new BroadcastChannel("pushcote-feed");
    for (const name of LOCKS) {
      if (await hold(name, { ifAvailable: true })) return name === "feed" ? this.#lead(channel) : this.#open();
    }
    channel.onmessage = ({ data: { state, ...message } }) => (state ? this.#is(state) : this.#take(message));
    channel.postMessage({ joins: true });
    await hold("feed");
    this.#lead(channel);
  }

  #lead(channel) {
    this.#tell = (message) => channel.postMessage(message);
    channel.onmessage = ({ data }) => {
      if (!data.joins) return;
      this.#tell({ state: this.state });
      if (this.#run) this.#tell({ kind: "hello", data: { run: this.#run }, id: this.#lastID });
    };
    this.#open();
  }

  #open() {
    const source = (this.#source = new EventSource(STREAM + (this.#lastID && `?lastEventId=${this.#lastID}`)));
    source.onopen = () => {
      this.#failures = 0;
      this.#is("live");
    };
    source.onerror = () => {
      const isClosed = source.readyState === EventSource.CLOSED;
      this.#is(++this.#failures > 5 || isClosed ? "closed" : "reconnecting");
      if (isClosed) this.#retry();
    };
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => {
        const message = { kind, data: JSON.parse(event.data), id: event.lastEventId };
        this.#take(message);
        this.#tell(message);
      });
    }
  }

  #retry() {
    setTimeout(() => this.#open(), DELAYS[Math.min(this.#failures, DELAYS.length) - 1]);
    ask("/clock").then(() => this.#is("busy"), ({ status }) => status && status !== 401 && this.#is("busy"));
  }

  #is(state) {
    if (state === this.state) return;
    this.state = state;
    this.#tell({ state });
    this.changed(state);
  }

  #take({ kind, data, id }) {
    if (id) this.#lastID = id;
    if (kind === "hello") this.#run = data.run;
    this.#queue.push([kind, data]);
    if (this.#queue.length > 100) this.#queue = [["gap", {}]];
    if (this.#timer) return;
    const hand = () => this.#hand();
    this.#timer = document.hidden ? setTimeout(hand, 1000) : setTimeout(() => requestAnimationFrame(hand), 100);
  }

  #hand() {
    const queue = this.#queue;
    [this.#queue, this.#timer] = [[], 0];
    for (const [kind, data] of queue) this.take(kind, data);
  }
}

/** Holds a lock until the tab closes. Resolves to false if it must be free and is not. */
const hold = (name, options = {}) => new Promise((resolve) => {
  navigator.locks.request(name, options, (lock) => {
    resolve(lock !== null);
    return lock && new Promise(() => {});
  });
});
