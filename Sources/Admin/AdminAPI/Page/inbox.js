// The inbox: notifications, newest first, and one of them beside the list.

import { $, button, choose, code, counted, h, say, seldom, swap, theirs, time, words } from "./dom.js";
import { ask, curl, query, settled, sources } from "./api.js";
import { CoteList } from "./list.js";
import { Rows } from "./rows.js";
import {
  chip, empty, failure, fill, Filters, findingMark, Fresh, hasFailed, headline, level, link, nothingFits, offer, older,
  OUTCOMES, Reply, search, sentence, setUp, suggest, total,
} from "./page.js";
import { notification, side, TABS } from "./notification.js";

const SAMPLE = { aps: { alert: { title: "Hello", body: "Your first push has arrived." }, sound: "default", badge: 1 } };

export function inbox(place, app) {
  const device = search("Device", "all devices"), names = h("datalist", { id: "inbox-devices" });
  const text = search("Search", "Search texts and payloads  ( / )"), outcome = h("select", { "aria-label": "Outcome" });
  const filters = new Filters(app, "/notifications", { text, device, outcome });
  const call = (more) => `/notifications${query({ ...filters.values, ...more })}`;
  const address = (id, tab) => ["/notifications", id, tab].filter(Boolean).join("/") + query(filters.values);
  const rows = new Rows({ path: call, changed, failed });

  const list = new CoteList(), fresh = new Fresh(() => (list.scrollTop = 0)), count = h("span");
  const note = h("div"), evicted = h("p.strip", { hidden: true }), refusal = new Refusals(() => filters.values);
  const nothing = h("div", { hidden: true }, nothingFits("notifications"));
  const detail = new Detail({ address, app, list });
  device.setAttribute("list", names.id);
  for (const event of ["focus", "input"]) device.addEventListener(event, () => suggest(device, names));
  offer(outcome, [["", "any outcome"], ...Object.entries(OUTCOMES).map(([value, [, word]]) => [value, word])]);
  list.setAttribute("label", "Notifications");
  list.render = (n) => row(n, address(n.id));
  // A click without a pointer is Enter: the reader goes on in the notification.
  list.addEventListener("click", (event) => (detail.takesFocus = event.detail === 0));
  list.addEventListener("scroll", () => {
    if (list.scrollTop < 8) fresh.clear();
    if (list.scrollTop + list.clientHeight > list.scrollHeight - 2000) rows.more();
  }, { passive: true });
  const element = h("div.split", h("h1.unseen", "Inbox"),
    h("section.inbox", { "aria-label": "Inbox" },
      h("div.tools", text, device, outcome, names,
        h("div.line", count, filters.tags, h("span.line.ends",
          sources(() => call({ order: "newest" }), { classes: "plain.small" }),
          button("Clear…", clear, { kind: "plain.small", title: "x" })))),
      refusal.element, note, evicted, h("div.rows", fresh.element, list, nothing)),
    detail.element);

  function changed({ isNew }) {
    if (isNew) swap(note);
    list.set(rows.items);
    if (isNew && detail.isOpen) list.select(detail.id, { reveal: list.scrollTop === 0 });
    count.textContent = total(rows, "notification");
    evicted.hidden = !rows.dropped;
    evicted.textContent = older(rows.dropped);
    showHint();
  }

  function failed(error) {
    count.textContent = "";
    swap(note, failure(error));
  }

  const reach = () => ({ atLeast: list.reach });

  const load = () => fill(count, rows.load(), () => [...count.childNodes], { patience: 150 });

  function showHint() {
    const isEmpty = rows.isLoaded && !rows.items.length;
    list.hidden = isEmpty && !filters.isEmpty;
    nothing.hidden = !list.hidden;
    element.classList.toggle("is-empty", isEmpty && filters.isEmpty && !detail.isOpen);
    if (rows.isLoaded && !detail.isOpen) swap(detail.element, isEmpty && filters.isEmpty ? first(app) : hint());
  }

  async function clear() {
    const title = filters.isEmpty ? "Delete all notifications?" : "Delete the notifications that match the filters?";
    const how = { text: "This is final.", button: `Delete ${total(rows, "notification")}`, isRed: true };
    if (!rows.items.length || !(await choose(title, how))) return;
    try {
      await ask(call(), { method: "DELETE" });
      app.go(address());
      load();
    } catch (error) {
      failed(error);
    }
  }

  function leaveDetail() {
    const { id } = detail;
    app.go(address());
    list.focusRow(id);
    list.select(undefined);
  }

  function announce(added) {
    if (!added.length) return;
    const [first] = added, [, word] = OUTCOMES[first.outcome];
    say(added.length > 1 ? `${added.length} new notifications.` : `New: ${headline(first)}. ${word}.`);
    if (list.scrollTop >= 8) fresh.add(added.length);
  }

  return {
    element,
    // The conditions of What if are no filter.
    update({ rest: [id, tab], query: { if: _, ...wanted } }) {
      const former = call();
      filters.take(wanted);
      if (!rows.isLoaded || call() !== former) {
        load();
        refusal.load();
      }
      element.classList.toggle("is-open", id !== undefined);
      if (id === "latest") return detail.showLatest(`/notifications/latest${query(filters.values)}`, tab);
      if (id !== undefined) return detail.show(Number(id) || id, tab);
      detail.close();
      showHint();
    },
    notifications(told) {
      const { text, where, ...others } = filters.values, isSearch = text || where;
      const isCut = told.changed > told.rows.length;
      // Only the gateway knows what a search finds.
      if (isSearch || isCut) rows.loadSoon(reach());
      announce(rows.receive(told, (n, isKnown) =>
        (!isSearch || isKnown) && Object.entries(others).every(([name, value]) => n[name] === value)));
      if (isCut || told.rows.some((n) => n.id === detail.id)) detail.reread();
    },
    removed({ ids, isTruncated }) {
      rows.remove(ids);
      if (isTruncated) rows.loadSoon(reach());
      if (isTruncated || ids.includes(detail.id)) detail.reread();
    },
    requests: ({ refused }) => refused && refusal.load(),
    reload() {
      refusal.load();
      rows.load(reach());
      detail.reread();
    },
    leave: () => detail.close(),
    key(event) {
      const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
      const isReading = event.target.closest?.(".detail");
      if (step && rows.items.length && !(isReading && event.key.startsWith("Arrow"))) {
        app.go(address(list.neighbour(detail.isOpen ? step : 0).id, detail.tab));
      } else if (event.key === "/") text.focus();
      else if (event.key === "x") clear();
      else if (event.key === "Escape" && detail.isOpen) leaveDetail();
      else if (detail.isOpen && TABS[event.key - 1]) app.go(address(detail.id, TABS[event.key - 1].name));
      else return;
      event.preventDefault();
    },
  };
}

const row = (n, href) => h("a.row." + n.outcome, { href },
  h("span.title", theirs(headline(n))), time(n.receivedAt),
  h("span.text", theirs((n.title || n.sender ? n.body : n.topic) ?? "")),
  h("span.meta", chip(n.outcome), level(n), h("span.device", theirs(n.device)),
    hasFailed(n.extensionEnd) && h("span.chip.dropped", { title: `Its extension ended: ${words(n.extensionEnd)}` },
      "✕ extension"), findingMark(n.findingCount, n.gravestFinding)));

/** The refused requests of the list's device and topic: their count, and the newest. */
class Refusals {
  element = h("div");
  #hidden = 0;

  constructor(filters) { this.filters = filters; }

  load = seldom(async () => {
    const { device, topic } = this.filters();
    const where = ["status>=400", ...(this.#hidden ? [`number>${this.#hidden}`] : [])];
    const found = ask(`/requests${query({ order: "newest", source: "provider", limit: 1, device, topic, where })}`);
    const { requests: [newest], total: count } = await found.catch(() => ({ requests: [] }));
    swap(this.element, newest && this.#strip(newest, count));
  });

  #strip({ number, status, reason, topic, receivedAt, diagnosis }, count) {
    const hide = () => {
      this.#hidden = number;
      swap(this.element);
    };
    const { device, topic: wanted } = this.filters();
    return h("p.strip.bad.refusal",
      h("span", link(`/requests/${number}`, ["Refused: ", theirs([status, reason].filter(Boolean).join(" "))]), " ",
        count > 1 && ["(", link(`/requests${query({ device, topic: wanted, where: "status>=400" })}`,
          counted(count, "refused request")), ") "],
        topic && [theirs(topic), ", "], time(receivedAt), ". ", theirs(diagnosis ? sentence(diagnosis.message) : "")),
      h("button.plain.small", { type: "button", "aria-label": "Hide", onclick: hide }, "×"));
  }
}

const hint = () => h("p.hint", "Choose a notification to see what the person saw, and why.", h("br"),
  h("kbd", "j"), " and ", h("kbd", "k"), " move through the list, ", h("kbd", "?"), " shows all keys.");

function first(app) {
  const path = "/devices/phone/push?topic=com.example.app&pushType=alert", call = { method: "POST", body: SAMPLE };
  const reply = new Reply(), push = () => reply.to(ask(path, call), ({ id }) => app.go(`/notifications/${id}`));
  const play = () => reply.to(ask("/demo", { method: "POST" }));
  return empty("No pushes yet", h("p", "Point your back end at this gateway, or send a push from here."),
    h("p", button("Send a sample push", push, { kind: "primary" }), " ",
      button("Play the demo", play, { kind: "step" }), " ", setUp()), reply.element,
    h("p.soft", "The demo is a day of pushes to three devices. From a terminal, a push:"), code(curl(path, call)));
}

class Detail {
  element = h("section.detail", { "aria-label": "Notification" });
  id;
  tab;
  takesFocus = false;
  #value;
  #context;
  #asked = 0;

  constructor(context) { this.#context = { ...context, reread: () => this.reread() }; }

  get isOpen() { return this.id !== undefined; }

  close() {
    [this.id, this.tab, this.#value] = [];
    this.#context.list.select(undefined);
  }

  async show(id, tab) {
    const isOther = this.id !== id, { list } = this.#context;
    [this.id, this.tab] = [id, tab];
    list.select(id, { reveal: isOther });
    if (!isOther) return this.#draw({ isNew: false });
    this.#value = undefined;
    await this.reread();
    if (!list.offsetParent || this.takesFocus) $(".headline", this.element)?.focus();
    this.takesFocus = false;
  }

  async showLatest(path, tab) {
    const { app, address } = this.#context;
    [this.id, this.#value] = ["latest", undefined];
    await this.#take(path, ({ id }) => app.go(address(id, tab), { replace: true }));
  }

  async reread() {
    if (!this.isOpen || this.id === "latest") return;
    await this.#take(`/notifications/${encodeURIComponent(this.id)}`, (value) => {
      this.#value = value;
      this.#draw();
    });
  }

  async #take(path, take) {
    const { id } = this, mine = ++this.#asked;
    const [value, error] = await settled(ask(path));
    if (this.id !== id || mine !== this.#asked) return;
    if (!error) return take(value);
    const title = error.status === 404 ? `No notification${id === "latest" ? "" : ` ${id}`}` : "No answer";
    this.#value = undefined;
    swap(this.element, h("div.empty", h("h2.headline", { tabindex: -1 }, title), h("p", error.message),
      h("p", link(this.#context.address(), "To the inbox"))));
  }

  #draw({ isNew = true } = {}) {
    if (!this.#value) return;
    document.title = `${headline(this.#value)} · Pushcote`;
    if (isNew) swap(this.element, notification(this.#value, this.tab, this.#context));
    else swap($(".side", this.element), side(this.#value, this.tab, this.#context));
  }
}
