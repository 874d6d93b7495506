// The inbox: what the devices received, newest first, and one notification beside it.

import { $, choose, code, h, say, swap, theirs, time } from "./dom.js";
import { ask, curl, query, sources } from "./api.js";
import { CoteList } from "./list.js";
import { Rows } from "./rows.js";
import { chip, headline, level, outcome, sentence } from "./words.js";
import { notification, side, TABS } from "./notification.js";

const FILTERS = ["device", "topic", "state", "timing", "text", "pushType"];
const OUTCOMES = [
  ["", "any outcome"], ["timing=now", "alerted"], ["timing=silencedByFocus", "silenced by a Focus"],
  ["timing=deferredToSummary", "for the summary"], ["timing=quiet", "quietly listed"],
  ["timing=notAllowed", "not shown"], ["state=stored", "waiting"], ["state=discarded", "dropped"],
];
const SAMPLE = { aps: { alert: { title: "Hello", body: "Your first push has arrived." }, sound: "default", badge: 1 } };

const counted = (number, word, more = "") =>
  `${number.toLocaleString("en")}${more} ${word}${number === 1 ? "" : "s"}`;

export function inbox(place, app) {
  let filters = {}, fresh = 0;
  const rows = new Rows({ path: (more) => `/notifications${query({ ...filters, ...more })}`, changed, failed });
  const address = (id, tab) => `/notifications${id ? "/" + id : ""}${tab ? "/" + tab : ""}${query(filters)}`;
  const filter = (change) => app.go(`/notifications${query({ ...filters, ...change })}`, { replace: true });

  const list = new CoteList(), tools = filterTools({ filter });
  const note = h("p.strip", { hidden: true }), refusal = h("p.strip.bad.refusal", { hidden: true });
  const total = h("span");
  const pill = h("button.pill", { type: "button", hidden: true, onclick: () => (list.scrollTop = 0) });
  const nothingFits = h("div.empty", { hidden: true }, h("h2", "Nothing fits"),
    h("p", h("a", { href: "/notifications" }, "Show all notifications")));
  const detail = new Detail({ address, app, list });
  list.setAttribute("label", "Notifications");
  list.render = (n) => row(n, address(n.id));
  list.addEventListener("scroll", () => {
    if (list.scrollTop < 8) [fresh, pill.hidden] = [0, true];
    if (list.scrollTop + list.clientHeight > list.scrollHeight - 2000) rows.more();
  }, { passive: true });
  const element = h("div.split", h("h1.unseen", "Inbox"),
    h("section.inbox", { "aria-label": "Inbox" },
      h("div.tools", tools.elements,
        h("div.line", total, tools.tags, h("span.line.ends",
          sources(() => `/notifications${query({ ...filters, order: "newest" })}`, { classes: "plain.small" }),
          h("button.plain.small", { type: "button", onclick: clear, title: "x" }, "Clear…")))),
      refusal, note, h("div.rows", pill, list, nothingFits)),
    detail.element);

  function changed({ isNew }) {
    if (isNew) tell("");
    list.set(rows.items);
    if (isNew && detail.isOpen) list.select(detail.id, { reveal: list.scrollTop === 0 });
    total.textContent = counted(rows.total, "notification", rows.isTotalExact === false ? "+" : "");
    if (rows.dropped && note.hidden) tell(`${rows.dropped.toLocaleString("en")} older ones made room.`);
    showHint();
  }

  function failed(error) {
    total.textContent = "";
    tell(error.message, { isBad: true });
  }

  function tell(text, { isBad = false } = {}) {
    note.hidden = !text;
    note.classList.toggle("bad", isBad);
    note.textContent = text;
  }

  /** Whoever has scrolled finds the same rows after loading. */
  const reach = () => ({ atLeast: list.reach });

  async function load() {
    const timer = setTimeout(() => (total.textContent = "asking…"), 150);
    await rows.load();
    clearTimeout(timer);
  }

  /** Beside the list, when no notification is open. */
  function showHint() {
    const isFiltered = Object.keys(filters).length > 0, isEmpty = rows.isLoaded && !rows.items.length;
    list.hidden = isEmpty && isFiltered;
    nothingFits.hidden = !list.hidden;
    element.classList.toggle("is-empty", isEmpty && !isFiltered && !detail.isOpen);
    if (rows.isLoaded && !detail.isOpen) detail.element.replaceChildren(isEmpty && !isFiltered ? empty(app) : hint());
  }

  async function clear() {
    const isAll = !Object.keys(filters).length;
    const title = isAll ? "Delete all notifications?" : "Delete the notifications that fit the filters?";
    if (!rows.items.length || !(await choose(title, { button: "Delete", isRed: true }))) return;
    try {
      await ask(`/notifications${query(filters)}`, { method: "DELETE" });
      app.go(address());
      load();
    } catch (error) {
      failed(error);
    }
  }

  /** Rows that arrive while somebody has scrolled wait above. */
  function announce(added) {
    if (!added.length) return;
    const [first] = added;
    say(added.length > 1 ? `${added.length} new notifications.` : `New: ${headline(first)}. ${outcome(first).label}.`);
    if (list.scrollTop < 8) return;
    fresh += added.length;
    pill.hidden = false;
    pill.textContent = `↑ ${fresh.toLocaleString("en")} new`;
  }

  ask("/requests?order=newest&source=provider&limit=1").then(({ requests }) => refused(refusal, requests), () => {});

  return {
    element,
    update({ rest: [id, tab], query: wanted }) {
      const next = Object.fromEntries(FILTERS.filter((key) => wanted[key]).map((key) => [key, wanted[key]]));
      const isOther = !rows.isLoaded || query(next) !== query(filters);
      filters = next;
      tools.show(filters);
      if (isOther) load();
      element.classList.toggle("is-open", id !== undefined);
      if (id === "latest") return detail.showLatest(`/notifications/latest${query(filters)}`, tab);
      if (id !== undefined) return detail.show(Number(id) || id, tab);
      detail.close();
      showHint();
    },
    notifications(told) {
      // What a search finds, only the gateway knows.
      if (filters.text) rows.fillLater(500);
      // More have changed than the message has room for.
      if (told.changed > told.rows.length) rows.loadLater(reach);
      announce(rows.receive(told, (n, isKnown) =>
        FILTERS.every((key) => !filters[key] || (key === "text" ? isKnown : n[key] === filters[key]))));
      detail.changed(told.rows);
    },
    removed({ ids, isTruncated }) {
      rows.remove(ids);
      if (isTruncated) rows.loadLater(reach);
      if (isTruncated || ids.includes(detail.id)) detail.reread();
    },
    requests: ({ rows: requests }) => refused(refusal, requests),
    reload() {
      rows.load(reach());
      detail.reread();
    },
    leave: () => detail.close(),
    key(event) {
      const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
      const isReading = event.target.closest?.(".detail");
      if (step && rows.items.length && !(isReading && event.key.startsWith("Arrow"))) {
        app.go(address(list.neighbour(detail.isOpen ? step : 0).id, detail.tab));
      } else if (event.key === "/") tools.elements[0].focus();
      else if (event.key === "x") clear();
      else if (event.key === "Escape" && detail.isOpen) app.go(address());
      else if (detail.isOpen && TABS[event.key - 1]) app.go(address(detail.id, TABS[event.key - 1].name));
      else return;
      event.preventDefault();
    },
  };
}

// ── The list ─────────────────────────────────────────────────────────────────────────────────────

function row(n, href) {
  return h("a.row." + outcome(n).tone, { href },
    h("span.title", theirs(headline(n))), time(n.receivedAt),
    h("span.text", theirs((n.title || n.sender ? n.body : n.topic) ?? "")),
    h("span.meta", chip(n), level(n), h("span.device", theirs(n.device)),
      n.findingCount > 0 && h("span.findings", { title: counted(n.findingCount, "finding") }, `! ${n.findingCount}`)));
}

/** Search, device and outcome; `topic` and `pushType`, which addresses may have, are tags to remove. */
function filterTools({ filter }) {
  let timer;
  const search = h("input", {
    type: "search", placeholder: "Search texts and payloads  ( / )", "aria-label": "Search", oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => search.isConnected && filter({ text: search.value }), 250);
    },
  });
  const names = h("datalist", { id: "inbox-devices" });
  const suggest = async () => {
    const prefix = device.value;
    const page = await ask(`/devices${query({ prefix, limit: 20 })}`).catch(() => ({ devices: [] }));
    // The person may have typed on.
    if (prefix === device.value) names.replaceChildren(...page.devices.map(({ name }) => h("option", { value: name })));
  };
  const device = h("input", {
    type: "search", list: names.id, placeholder: "all devices", "aria-label": "Device", autocomplete: "off",
    onfocus: suggest, oninput: suggest, onchange: () => filter({ text: search.value, device: device.value }),
  });
  const kind = h("select", { "aria-label": "Outcome", onchange: () => {
    const [key, value] = kind.value.split("=");
    filter({ text: search.value, device: device.value, state: "", timing: "", ...(key && { [key]: value }) });
  } }, OUTCOMES.map(([value, text]) => h("option", { value }, text)));
  const tags = h("span");
  const show = (filters) => {
    if (document.activeElement !== search) search.value = filters.text ?? "";
    if (document.activeElement !== device) device.value = filters.device ?? "";
    kind.value = filters.timing ? `timing=${filters.timing}` : filters.state ? `state=${filters.state}` : "";
    tags.replaceChildren(...["topic", "pushType"].filter((key) => filters[key]).map((key) =>
      h("a.tag", { href: `/notifications${query({ ...filters, [key]: "" })}`, title: "Remove this filter" },
        `${key} ${filters[key]} ×`)));
  };
  return { elements: [search, device, kind, names], tags, show };
}

/** The newest refused request, where people look first. */
function refused(strip, requests) {
  const newest = requests.findLast((request) => request.status !== 200);
  if (!newest) return;
  const reason = [newest.status ?? "No answer", newest.reason].filter(Boolean).join(" ");
  strip.hidden = false;
  strip.replaceChildren(
    h("span", h("a", { href: `/requests/${newest.number}` }, "Refused: ", theirs(reason)), " ",
      newest.topic && [theirs(newest.topic), ", "], time(newest.receivedAt), ". ",
      theirs(newest.diagnosis ? sentence(newest.diagnosis.message) : "")),
    h("button.plain.small", { type: "button", "aria-label": "Hide", onclick: () => (strip.hidden = true) }, "×"));
}

const hint = () => h("p.hint", "Choose a notification to see what the person saw, and why.", h("br"),
  h("kbd", "j"), " and ", h("kbd", "k"), " go through them, ", h("kbd", "?"), " shows all keys.");

function empty(app) {
  const path = "/devices/phone/push?topic=com.example.app&pushType=alert", problem = h("p.bad", { role: "alert" });
  const push = async () => {
    try {
      app.go(`/notifications/${(await ask(path, { method: "POST", body: SAMPLE })).id}`);
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  return h("div.empty", h("img", { src: "/icon.svg", alt: "", width: 56, height: 56 }), h("h2", "No pushes yet"),
    h("p", "Point your back end at this gateway, or send a push from here."),
    h("p", h("button.primary", { type: "button", onclick: push }, "Send a sample push"), " ",
      h("a.button", { href: "/setup" }, "Set up my client")), problem,
    h("p", "From a terminal:"), code(curl(path, { method: "POST", body: SAMPLE })),
    h("p.soft", "It appears here at once; nothing needs to be reloaded."));
}

// ── One notification ─────────────────────────────────────────────────────────────────────────────

class Detail {
  element = h("section.detail", { "aria-label": "Notification" });
  id;
  tab;
  #value;
  #context;

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
    // On a phone the list gives way to the notification, and the focused row is gone.
    if (!list.offsetParent) $(".headline", this.element)?.focus();
  }

  /** Shows the newest that fits the filters, at its own address. */
  async showLatest(path, tab) {
    [this.id, this.#value] = ["latest", undefined];
    try {
      const { id } = await ask(path), { app, address } = this.#context;
      if (this.id === "latest") app.go(address(id, tab), { replace: true });
    } catch (error) {
      if (this.id === "latest") this.#fail(error);
    }
  }

  changed(rows) {
    if (rows.some((n) => n.id === this.id)) this.reread();
  }

  async reread() {
    const id = this.id;
    if (id === undefined || id === "latest") return;
    try {
      const value = await ask(`/notifications/${encodeURIComponent(id)}`);
      if (this.id !== id) return;
      this.#value = value;
      this.#draw();
    } catch (error) {
      if (this.id === id) this.#fail(error);
    }
  }

  #draw({ isNew = true } = {}) {
    if (!this.#value) return;
    const { activeElement } = document;
    const hadFocus = this.element.contains(activeElement) && "tab" in activeElement.dataset;
    document.title = `${headline(this.#value)} · Pushcote`;
    if (isNew) swap(this.element, notification(this.#value, this.tab, this.#context));
    else $(".side", this.element).replaceWith(side(this.#value, this.tab, this.#context));
    if (hadFocus) $(`[data-tab="${this.tab ?? ""}"]`, this.element)?.focus();
  }

  #fail(error) {
    this.#value = undefined;
    const title = error.status === 404 ? `No notification${this.id === "latest" ? "" : ` ${this.id}`}` : "No answer";
    this.element.replaceChildren(h("div.empty", h("h2.headline", { tabindex: -1 }, title), h("p", error.message),
      h("p", h("a", { href: this.#context.address() }, "To the inbox"))));
  }
}
