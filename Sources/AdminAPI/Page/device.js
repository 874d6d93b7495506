// Devices, and one of them: what is on its screen, its state, what a person does with it, and its day.

import { code, h, present, swap, theirs } from "./dom.js";
import { ask, curl, devicePath, picture, query } from "./api.js";
import { fill } from "./words.js";
import {
  button, deviceLink, empty, field, isReading, link, list, nothingFits, notificationLink, offer, page, Reply, seldom,
  total, words,
} from "./page.js";

export const devices = (place, app) => (place.rest.length ? device(place.rest[0], app) : allDevices(app));

// ── The list ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const HEADS = ["Name", "Apps", "Received", "Waiting", "Dropped"];

function allDevices(app) {
  let rows = [], next, prefix = "";
  const body = h("div"), count = h("span.soft");
  const search = h("input", {
    type: "search", placeholder: "Name begins with", "aria-label": "Name begins with", autocomplete: "off",
    oninput: () => {
      clearTimeout(search.timer);
      search.timer = setTimeout(() =>
        search.isConnected && app.go(`/devices${query({ prefix: search.value })}`, { replace: true }), 250);
    },
  });
  const more = button("Show more", () => load(next), { kind: "more" });
  const call = (cursor) => `/devices${query({ prefix, cursor })}`;
  const load = (cursor) => fill(body, ask(call(cursor)), (answer) => {
    rows = cursor ? [...rows, ...answer.devices] : answer.devices;
    next = answer.next;
    more.hidden = !next;
    count.textContent = total(answer, "device");
    if (rows.length) return list("Devices", HEADS, rows.map(cells));
    return prefix ? nothingFits("/devices", "Show all devices") : none();
  });
  const loadSoon = seldom(() => !isReading() && rows.length <= 100 && load());
  more.hidden = true;

  return {
    element: page({
      title: "Devices", lead: "Each is a name with an inbox, and somebody who holds it.", path: () => call(),
    }, h("div.line.filters", search, count), body, h("p.line", more)),
    fits: (place) => !place.rest.length,
    update(place) {
      prefix = place.query.prefix ?? "";
      if (document.activeElement !== search) search.value = prefix;
      load();
    },
    key(event) {
      if (event.key !== "/") return;
      event.preventDefault();
      search.focus();
    },
    notifications: loadSoon, devices: loadSoon, reload: () => load(),
  };
}

const cells = (d) => [
  deviceLink(d.name),
  theirs([...new Set(d.registrations.map((one) => one.topic))].join(", ")),
  link(`/notifications${query({ device: d.name })}`, d.counts.received),
  d.storedCount,
  d.counts.discarded,
];

const none = () => empty("No devices yet", h("p", "A device comes into being with its first registration or push:"),
  code(curl(devicePath("alice"), { method: "PUT", body: { registrations: [{ topic: "com.example.app" }] } })));

// ── One device ───────────────────────────────────────────────────────────────────────────────────────────────────────

function device(name, app) {
  let isShown = false;
  const path = devicePath(name), note = h("div"), lead = h("span"), prompts = h("div"), apps = h("div");
  const state = new State(path, () => load()), screens = new Screens(path), day = new Day(path, app);
  const content = h("div", { hidden: true },
    h("div.columns.device", screens.element, h("div.side", prompts, state.element, apps)), day.element);

  const load = () => {
    const { change } = state;
    return fill(note, Promise.all([ask(path), ask(`${path}/screen`)]), ([known, screen]) => {
      isShown = true;
      swap(lead, `${known.counts.received} received · ${known.locale} · ${known.timeZone} · `,
        link(`/notifications${query({ device: name })}`, "its inbox"), " · ",
        link(`/send${query({ device: name })}`, "send it a push"));
      screens.show(screen);
      // An answer from before the latest change would undo what somebody has just chosen.
      if (change === state.change) state.show(known, screen);
      swap(prompts, screen.prompts.map((prompt) => question(prompt, state)));
      swap(apps, appList(known, screen, state));
      day.load();
    }, { patience: isShown ? 5000 : 150 }).then(() => (content.hidden = !isShown || note.hasChildNodes()));
  };

  const loadSoon = seldom(load);
  return {
    element: page({ title: theirs(name), lead, back: ["/devices", "‹ Devices"], path }, note, content),
    title: () => name,
    fits: (place) => place.rest[0] === name,
    update(place) {
      day.date = place.query.date;
      if (isShown) day.load();
      else load();
    },
    notifications: ({ rows }) => rows.some((row) => row.device === name) && loadSoon(),
    devices: ({ names, removed, isTruncated }) =>
      (isTruncated || names.includes(name) || removed.includes(name)) && loadSoon(),
    removed: loadSoon, clock: loadSoon, reload: load,
    key: (event) => event.key === "Escape" && app.go("/devices"),
  };
}

/** The screen, lit even if it is dark now, and Notification Center. */
class Screens {
  element = h("div.screens");

  constructor(path) { this.path = `${path}/screen.svg`; }

  show(screen) {
    const isLocked = screen.isLocked || !screen.isScreenOn;
    const inSight = screen.banner ? [{ notifications: [screen.banner] }] : screen.notificationCenter;
    if (isLocked) this.#show(0, "The lock screen now", "lockScreen", screen.lockScreen);
    else this.#show(0, "The screen now", "", inSight);
    this.#show(1, "Notification Center now", "notificationCenter", screen.notificationCenter);
  }

  #show(index, caption, form, stacks) {
    const path = this.path + query({ form }), known = this.element.children[index];
    if (known) known.firstChild.refresh(path);
    else this.element.append(h("figure.phone", picture(path, "", { width: 414, height: 868 }), h("figcaption")));
    const figure = this.element.children[index];
    const cards = stacks.map(({ notifications: [card] }) => present([card.appName, card.title, card.body]).join(", "));
    figure.querySelector("img").alt = `${caption}: ${cards.join("; ") || "no notifications"}`;
    figure.lastChild.textContent = caption;
  }
}

/** What the system asks the person. */
const question = ({ app, prompt, choices }, state) => h("div.verdict.waiting",
  h("strong", words(prompt)), h("p", theirs(app)),
  h("p.line", choices.map((choice) => button(words(choice), () => state.act("answer", { app, choice })))));

/** Its apps with their badges, and what a person does with an app. */
const appList = (known, screen, state) => [
  h("h2", "Apps"),
  h("ul.apps", Object.keys(known.apps).map((app) => h("li",
    h("span", theirs(app), " ", screen.badges[app] && h("span.badge", `badge ${screen.badges[app]}`)),
    h("span.line", ["open", "terminate", "uninstall"].map((act) =>
      button(words(act), () => state.act(act, { app }), { about: app })))))),
  Object.keys(known.apps).length === 0 && h("p.soft", "none"),
];

/** The device's conditions, to change one at a time, and what a person does with it. */
class State {
  #reply = new Reply();
  #curl = h("div");
  #acts = h("p.line");
  #menus = {};
  #switches = {};
  /** Counts what somebody has changed here. */
  change = 0;

  constructor(path, changed) {
    Object.assign(this, { path, changed });
    const menu = (label, member, change) => {
      const onchange = (event) => this.patch(change(event.target.value));
      return field(label, (this.#menus[member] = h("select", { name: member, onchange })));
    };
    const toggle = (member, text) => {
      const onchange = (event) => this.patch({ [member]: event.target.checked });
      this.#switches[member] = h("input", { type: "checkbox", role: "switch", name: member, onchange });
      return h("label.switch", this.#switches[member], text);
    };
    this.element = h("div", h("h2", "State"),
      h("div.fields", menu("Focus", "focus", (id) => ({ focus: { active: id || null } })),
        menu("App in front", "foregroundApp", (app) => ({ foregroundApp: app || null })),
        menu("Ring switch", "ringSwitch", (ringSwitch) => ({ ringSwitch })),
        menu("Previews", "showPreviews", (showPreviews) => ({ showPreviews }))),
      h("div.switches", toggle("isLocked", "Locked"), toggle("isScreenOn", "Screen on"), toggle("isOnline", "Online"),
        toggle("isPoweredOn", "Powered on"), toggle("isSavingPower", "Low power"),
        toggle("isCarPlayConnected", "CarPlay")),
      this.#acts, this.#reply.element, h("h2", "The same from a terminal"), this.#curl);
  }

  patch(body) { return this.#ask(this.path, "PATCH", body); }
  act(action, members) { return this.#ask(`${this.path}/actions`, "POST", { action, ...members }); }

  /** What was chosen stays if the gateway refuses. */
  async #ask(path, method, body) {
    this.change++;
    swap(this.#curl, code(curl(path, { method, body })));
    if (await this.#reply.to(ask(path, { method, body }))) this.changed();
  }

  show(known, screen) {
    const { focus, foregroundApp, ringSwitch, showPreviews, apps, isLocked } = known;
    offer(this.#menus.focus, [["", "none"], ...focus.modes.map(({ id, name }) => [id, name])], focus.active);
    offer(this.#menus.foregroundApp, [["", "none"], ...Object.keys(apps).map((app) => [app])], foregroundApp);
    offer(this.#menus.ringSwitch, [["ring"], ["silent"]], ringSwitch);
    offer(this.#menus.showPreviews, [["always"], ["whenAuthenticated", "when unlocked"], ["never"]], showPreviews);
    for (const [member, input] of Object.entries(this.#switches)) input.checked = known[member];
    if (!this.#curl.firstChild) {
      swap(this.#curl, code(curl(this.path, { method: "PATCH", body: { isLocked: !isLocked } })));
    }
    swap(this.#acts, isLocked ? button("Unlock", () => this.act("unlock")) : button("Lock", () => this.act("lock")),
      !known.isScreenOn && button("Wake", () => this.act("wake")),
      foregroundApp && button("Home screen", () => this.act("open")),
      screen.notificationCenter.length > 0 && button("Clear Notification Center", () => this.act("clear")),
      button("Restart", () => this.act("restart")));
  }
}

// ── Its day ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const DAY_HEADS = ["When", "App", "Text", "Outcome", "Number"];

/** A day as a plot, and as a list for those who do not see it. */
class Day {
  #figure = h("figure.day", { tabindex: 0, role: "group", "aria-label": "The day as a plot" });
  #pushes = h("div");
  #date;

  constructor(path, app) {
    this.path = path;
    const go = (date) => app.go(path + query({ date }), { replace: true });
    const step = (text, days) => button(text, () => go(shifted(this.#date.value, days)));
    const onchange = () => this.#date.value && go(this.#date.value);
    this.#date = h("input", { type: "date", name: "date", "aria-label": "Day", onchange });
    this.element = h("section", { "aria-label": "Its day" }, h("h2", "Its day"),
      h("p.line", step("‹ Day before", -1), this.#date, step("Day after ›", 1), link(path, "today")),
      this.#figure, this.#pushes);
  }

  load() {
    const asked = query({ date: this.date });
    return fill(this.#pushes, ask(`${this.path}/day${asked}`), (day) => {
      if (document.activeElement !== this.#date) this.#date.value = day.date;
      this.#draw(`${this.path}/day.svg${asked}`, `The day ${day.date} of ${day.device}; the list below says the same`);
      return this.#list(day);
    });
  }

  #draw(path, alt) {
    const shown = this.#figure.firstChild;
    if (!shown) return this.#figure.append(picture(path, alt));
    shown.querySelector("img").alt = alt;
    shown.refresh(path);
  }

  #list({ lanes, omittedCount }) {
    const pushes = lanes.flatMap((lane) => lane.pushes.map((push) => ({ ...push, app: lane.name })));
    pushes.sort((a, b) => a.receivedAt.localeCompare(b.receivedAt));
    const isOpen = this.#pushes.querySelector("details")?.open;
    return h("details", { open: isOpen }, h("summary", `${pushes.length.toLocaleString("en")} pushes as a list`),
      omittedCount > 0 && h("p.soft", `${omittedCount.toLocaleString("en")} older ones are left out.`),
      list("Pushes of the day", DAY_HEADS, pushes.map((push) => [
        h("time", { datetime: push.receivedAt }, `${push.receivedAt.slice(11, 16)} UTC`),
        theirs(push.app), theirs(push.text), present([push.level, push.outcome]).map(words).join(", "),
        notificationLink(push.notification),
      ])));
  }
}

/** A date so many days later, in the calendar alone. */
const shifted = (date, days) =>
  new Date(Date.parse(`${date}T12:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
