// The rows of the inbox, newest first, from the gateway's list and its event stream.

import { seldom } from "./dom.js";
import { ask } from "./api.js";

const PAGE_SIZE = 1000;
const FIRST_PAGE_SIZE = 200;
const MAXIMUM_COUNT = 20_000;

export class Rows {
  items = [];
  total = 0;
  /** With filters, the gateway counts only so many. */
  isTotalExact = true;
  hasMore = false;
  dropped = 0;
  isLoaded = false;
  #known = new Map();
  #hooks;
  #run = 0;
  #isPaging = false;
  /** No row up to this one is missing: the stream may skip rows. */
  #complete = 0;
  #fillTimer = 0;
  #isSettling = false;
  #calls = new Set();

  constructor(hooks) { this.#hooks = hooks; }

  async load({ atLeast = 0 } = {}) {
    this.#run++;
    const former = new Set(this.#known.keys()), limit = Math.min(Math.max(atLeast, FIRST_PAGE_SIZE), PAGE_SIZE);
    const found = await this.#read({ limit, isEnough: ({ ids }) => ids.length >= atLeast });
    if (!found) return;
    const listed = new Set(found.ids), oldest = found.hasMore ? found.ids.at(-1) : 0;
    for (const id of this.#known.keys()) {
      if (!listed.has(id) && (former.has(id) || id < oldest)) this.#known.delete(id);
    }
    [this.isLoaded, this.hasMore, this.#complete] = [true, found.hasMore, found.ids[0] ?? 0];
    this.#settle({ isNew: true });
  }

  loadSoon = seldom((options) => this.load(options));

  async more() {
    if (this.#isPaging || !this.hasMore || !this.items.length) return;
    this.#isPaging = true;
    const found = await this.#read({ before: this.items.at(-1).id });
    this.#isPaging = false;
    if (!found) return;
    this.hasMore = found.hasMore;
    this.#settle();
  }

  receive({ rows, skipped }, fits) {
    if (skipped) this.fillLater(1000);
    // Adding an older one would open a gap; it comes with its page.
    const oldest = this.hasMore ? this.items.at(-1)?.id ?? 0 : 0, isKnown = (n) => this.#known.has(n.id);
    const fitting = rows.filter((n) => fits(n, isKnown(n)));
    const added = fitting.filter((n) => !isKnown(n) && n.id > oldest);
    for (const n of fitting) if (isKnown(n) || n.id > oldest) this.#known.set(n.id, n);
    if (added.length || skipped) this.#count();
    if (!this.#fillTimer) this.#complete = Math.max(this.#complete, ...added.map((n) => n.id));
    for (const told of this.#calls) rows.forEach((n) => told.set(n.id, fits(n, true) && n));
    this.remove(rows.filter((n) => isKnown(n) && !fits(n, true)).map((n) => n.id));
    return added;
  }

  remove(ids) {
    for (const told of this.#calls) ids.forEach((id) => told.set(id, false));
    const count = ids.filter((id) => this.#known.delete(id)).length;
    if (ids.length) this.#count();
    if (this.hasMore && !this.#known.size) this.loadSoon();
    else if (this.hasMore && count < ids.length) this.fillLater(1000);
    // Messages come together in one frame, and are sorted once.
    if (!this.#isSettling) queueMicrotask(() => this.#settle());
    this.#isSettling = true;
  }

  #count = seldom(async () => {
    const run = this.#run, page = await ask(this.#hooks.path({ order: "newest", limit: 1 })).catch(() => undefined);
    if (!page || run !== this.#run) return;
    this.#note(page);
    this.#hooks.changed({});
  }, 500);

  #note({ total, isTotalExact, dropped }) { Object.assign(this, { total, isTotalExact, dropped }); }

  fillLater(delay) {
    this.#fillTimer ||= setTimeout(async () => {
      this.#fillTimer = 0;
      const floor = this.#complete, run = this.#run;
      const isEnough = ({ last }) => last <= floor || this.#known.size >= MAXIMUM_COUNT;
      const found = await this.#read({ isEnough });
      if (found) this.#complete = Math.max(this.#complete, found.ids[0] ?? 0);
      else if (run === this.#run) {
        this.#complete = floor;
        this.fillLater(3000);
      }
      this.#settle();
    }, delay);
  }

  async #read({ before, limit = PAGE_SIZE, isEnough = () => true }) {
    const run = this.#run, ids = [];
    try {
      for (;;) {
        const told = new Map(), path = this.#hooks.path({ order: "newest", limit, before: ids.at(-1) ?? before });
        this.#calls.add(told);
        const page = await ask(path).finally(() => this.#calls.delete(told));
        if (run !== this.#run) return undefined;
        for (const n of page.notifications) {
          const newest = told.get(n.id) ?? n;
          if (newest) this.#known.set(n.id, newest);
        }
        this.#note(page);
        ids.push(...page.notifications.map((n) => n.id));
        if (!page.hasMore || isEnough({ ids, last: ids.at(-1) })) return { ids, hasMore: page.hasMore };
      }
    } catch (error) {
      if (run === this.#run) this.#hooks.failed(error);
      return undefined;
    }
  }

  #settle(options = {}) {
    this.#isSettling = false;
    this.items = [...this.#known.values()].sort((a, b) => b.id - a.id);
    for (const { id } of this.items.splice(MAXIMUM_COUNT)) {
      this.#known.delete(id);
      this.hasMore = true;
    }
    this.#hooks.changed(options);
  }
}
