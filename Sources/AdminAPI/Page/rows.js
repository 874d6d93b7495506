// The rows of the inbox: what the page knows of the gateway's list, newest first, by pages and by the event stream.

import { ask } from "./api.js";

const PAGE_SIZE = 1000;
/** Smaller, so that the first row is there sooner. */
const FIRST_PAGE_SIZE = 200;
/** In memory; the oldest beyond are forgotten, and asked for again when somebody scrolls there. */
const MAXIMUM_COUNT = 20_000;

export class Rows {
  items = [];
  total = 0;
  /** The gateway counts only so many with filters; there may be more than `total`. */
  isTotalExact = true;
  /** Whether there are older rows than the last. */
  hasMore = false;
  /** How many the gateway has evicted. */
  dropped = 0;
  isLoaded = false;
  #known = new Map();
  #path;
  #changed;
  #failed;
  #run = 0;
  #isPaging = false;
  /** No row is missing up to this one; the stream skips rows when pushes come fast. */
  #complete = 0;
  #fillTimer = 0;
  #loadTimer = 0;

  /** `path(query)` is the call for the list; `changed` comes after each change, `failed` after a failed call. */
  constructor({ path, changed, failed }) {
    [this.#path, this.#changed, this.#failed] = [path, changed, failed];
  }

  /** Asks for the newest rows anew, `atLeast` so many if there are. */
  load({ atLeast = 0 } = {}) {
    this.#run++;
    // Rows that arrive meanwhile stay.
    const former = [...this.#known.keys()];
    return this.#ask(async (isCurrent) => {
      const pages = [];
      let before, count = 0;
      do {
        const limit = Math.min(Math.max(atLeast, FIRST_PAGE_SIZE), PAGE_SIZE);
        const page = await this.#page({ before, limit });
        if (!isCurrent()) return;
        pages.push(page);
        count += page.notifications.length;
        before = page.notifications.at(-1)?.id;
      } while (pages.at(-1).hasMore && count < atLeast);
      for (const id of former) this.#known.delete(id);
      this.isLoaded = true;
      pages.forEach((page) => this.#take(page));
      this.hasMore = pages.at(-1).hasMore;
      this.#complete = pages[0].notifications[0]?.id ?? 0;
      this.#settle({ isNew: true });
    });
  }

  /** The same a little later, for what comes often. */
  loadLater(options) {
    this.#loadTimer ||= setTimeout(() => {
      this.#loadTimer = 0;
      this.load(options());
    }, 500);
  }

  /** The next page of older rows. */
  async more() {
    if (this.#isPaging || !this.hasMore) return;
    this.#isPaging = true;
    await this.#ask(async (isCurrent) => {
      const page = await this.#page({ before: this.items.at(-1).id });
      if (!isCurrent()) return;
      this.#take(page);
      this.hasMore = page.hasMore;
      this.#settle();
    });
    this.#isPaging = false;
  }

  /** Takes rows from the stream that `fits(row, isKnown)` lets pass; returns those that are new. */
  receive({ rows, skipped }, fits) {
    if (skipped) this.fillLater(1000);
    const isKnown = (n) => this.#known.has(n.id);
    const fitting = rows.filter((n) => fits(n, isKnown(n))), added = fitting.filter((n) => !isKnown(n));
    const lost = rows.filter((n) => isKnown(n) && !fits(n, true));
    for (const n of fitting) this.#known.set(n.id, n);
    this.total += added.length;
    if (!this.#fillTimer) this.#complete = Math.max(this.#complete, ...added.map((n) => n.id));
    this.remove(lost.map((n) => n.id));
    return added;
  }

  remove(ids) {
    this.total -= ids.filter((id) => this.#known.delete(id)).length;
    this.#settle();
  }

  /** Asks for rows that the stream has not told, down to the last one that was complete. */
  fillLater(delay) { this.#fillTimer ||= setTimeout(() => this.#fill(), delay); }

  #fill() {
    this.#fillTimer = 0;
    const floor = this.#complete;
    return this.#ask(async (isCurrent) => {
      let newest = 0, before, page;
      do {
        page = await this.#page({ before });
        if (!isCurrent()) return;
        this.#take(page);
        newest ||= page.notifications[0]?.id ?? 0;
        before = page.notifications.at(-1)?.id;
      } while (page.hasMore && before > floor && this.#known.size < MAXIMUM_COUNT);
      this.#complete = Math.max(this.#complete, newest);
      this.#settle();
    }, () => {
      this.#complete = floor;
      this.fillLater(3000);
    });
  }

  #page = (query = {}) => ask(this.#path({ order: "newest", limit: PAGE_SIZE, ...query }));

  /** A later `load` makes the answers to earlier calls void. */
  async #ask(body, repair = () => {}) {
    const run = this.#run;
    try {
      await body(() => run === this.#run);
    } catch (error) {
      if (run !== this.#run) return;
      this.#failed(error);
      repair();
    }
  }

  #take({ notifications, total, isTotalExact, dropped }) {
    for (const n of notifications) this.#known.set(n.id, n);
    [this.total, this.isTotalExact, this.dropped] = [total, isTotalExact, dropped];
  }

  #settle(options = {}) {
    this.items = [...this.#known.values()].sort((a, b) => b.id - a.id);
    for (const { id } of this.items.splice(MAXIMUM_COUNT)) {
      this.#known.delete(id);
      this.hasMore = true;
    }
    this.total = Math.max(this.total, this.items.length);
    this.#changed(options);
  }
}
