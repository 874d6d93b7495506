// Devices, and one device: its screen, its state, acts of the person, and its day.

import { button, code, counted, h, present, seldom, swap, theirs, time, words } from "./dom.js";
import { ask, curl, devicePath, picture, query } from "./api.js";
import { tokenList } from "./apps.js";
import {
  chip, deviceLink, empty, field, fill, level, link, list, listView, notificationLink, offer, older, page, Reply,
  search,
} from "./page.js";

export const devices = (place, app) => (place.rest.length ? device(place.rest[0], app) : allDevices(app));

function allDevices(app) {
  const prefix = search("Name begins with");
  const view = listView(app, {
    noun: "devices", lead: "Each has a name, an inbox, and a person who uses it.", controls: { prefix },
    heads: ["Name", "Apps", "Received", "Waiting", "Dropped"], cells, none, older: "Show more",
    call: (filters, last) => `/devices${query({ ...filters, cursor: last?.name })}`,
  });
  const changed = () => view.isAtTop() && view.loadSoon();
  const key = (event) => event.key === "/" && (event.preventDefault(), prefix.focus());
  return { ...view, key, notifications: changed, devices: changed };
}

const cells = (d) => [
  deviceLink(d.name), theirs([...new Set(d.registrations.map((one) => one.topic))].join(", ")),
  link(`/notifications${query({ device: d.name })}`, d.counts.received), d.storedCount, d.counts.discarded,
];

const none = () => empty("No devices yet", h("p", "A device is created by its first registration or push:"),
  code(curl(devicePath("alice"), { method: "PUT", body: { registrations: [{ topic: "com.example.app" }] } })));

function device(name, app) {
  let isShown = false;
  const path = devicePath(name), note = h("div"), lead = h("span"), prompts = h("div"), apps = h("div");
  const screens = ["", "notificationCenter"].map((form) => screenPicture(`${path}/screen.svg`, form));
  const activities = h("div"), siri = h("div"), tokens = h("div");
  const state = new State(path, () => load()), day = new Day(path, app);
  const content = h("div", { hidden: true },
    h("div.columns.device", h("div.screens", screens.map((screen) => screen.element)),
      h("div.side", prompts, activities, state.element, apps)), day.element, siri, tokens);

  const load = () => {
    const { change } = state;
    const answers = ["", "/screen", "/activities", "/suggestions", "/calendar"].map((below) => ask(path + below));
    return fill(note, Promise.all(answers), ([known, screen, live, suggested, calendar]) => {
      isShown = true;
      swap(lead, `${known.counts.received} received · ${known.locale} · ${known.timeZone} · `,
        link(`/notifications${query({ device: name })}`, "its inbox"), " · ",
        link(`/send${query({ device: name })}`, "send it a push"));
      const isLocked = screen.isLocked || !screen.isScreenOn, center = screen.notificationCenter;
      const { banner: alert, island } = screen.activities ?? {};
      const activity = alert ?? (island?.isExpanded ? island.expanded : undefined);
      const shown = screen.banner ?? (activity && { ...activity, body: activity.lines.join(" ") });
      const banner = shown && [{ notifications: [shown] }];
      if (isLocked) screens[0].show("The lock screen now", screen.lockScreen, "lockScreen");
      else screens[0].show("The screen now", banner ?? center);
      screens[1].show("Notification Center now", center);
      if (change === state.change) state.show(known, screen);
      const asked = screen.activities?.question;
      const answer = ({ app }, choice) => state.act("answer", { app, choice });
      swap(prompts, screen.prompts.map((one) => question(one, answer)),
        asked && question(asked, ({ app }, choice) => state.answer(app, choice)));
      swap(activities, live.activities.length > 0 && [h("h2", "Live Activities"), activityList(live.activities)]);
      swap(apps, h("h2", "Apps"), appList(known, screen, state));
      swap(siri, suggestionList(suggested), calendarList(calendar));
      swap(tokens, known.registrations.length > 0 && [h("h2", "Tokens"), tokenList(known.registrations)]);
      day.load();
    }, { patience: isShown ? 5000 : 150 }).then(() => (content.hidden = !isShown || note.hasChildNodes()));
  };

  const loadSoon = seldom(load);
  return {
    element: page({ title: theirs(name), lead, back: ["/devices", "‹ Devices"], path }, note, content),
    title: () => name, fits: (place) => place.rest[0] === name,
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

function screenPicture(path, form) {
  const caption = h("figcaption"), element = h("figure.phone", caption);
  let shown;
  const show = (text, stacks, inSight = form) => {
    const cards = stacks.map(({ notifications: [card] }) => present([card.appName, card.title, card.body]).join(", "));
    const address = path + query({ form: inSight });
    if (shown) shown.refresh(address);
    else element.prepend((shown = picture(address, "", { width: 414, height: 868 })));
    shown.firstChild.alt = `${text}: ${cards.join("; ") || "no notifications"}`;
    caption.textContent = text;
  };
  return { element, show };
}

const question = (asked, answer) => h("div.verdict.waiting", h("strong", theirs(asked.text)),
  h("p.line", asked.choices.map((choice) => button(words(choice), () => answer(asked, choice)))));

// Which update of this Live Activity was dropped, and why?
const activityList = (activities) => list("Live Activities", ["Shows", "State", "Updates"], activities.map((one) => [
  [h("strong", theirs(one.title)), one.lines.map((line) => h("p.soft", theirs(line))), h("p.soft", theirs(one.app))],
  words(one.state), [[...one.log].reverse().map(update),
    one.droppedLogCount > 0 && h("p.soft", older(one.droppedLogCount, "are left out"))],
]));

const update = ({ at, what, outcome, reason }) => h("p" + (outcome === "dropped" ? ".bad" : ""),
  time(at, at.slice(11, 19)), " ", words(`${what} ${outcome}`), reason && [": ", h("strong", words(reason))]);

// What does Siri suggest from what apps donated, and why nothing else?
const suggestionList = ({ suggestions, keys }) => suggestions.length + keys.length > 0 && [
  h("h2", "Suggestions"),
  suggestions.length > 0 && list("Suggestions", ["Where", "Suggests", "Because"], suggestions.map((one) =>
    [words(one.surface), [theirs(one.title), h("p.soft", theirs(one.app))], theirs(one.reason)])),
  h("h3", "Donations"), list("Donations", ["Donated", "Verdict", "Because"], keys.map((one) =>
    [[theirs(one.id), h("p.soft", theirs(one.app))], words(one.verdict), theirs(one.reason)])),
];

// Which events has Siri made from reservations?
const calendarList = ({ events }) => events.length > 0 && [
  h("h2", "Calendar"),
  list("Calendar", ["Event", "When", "State"], events.map((one) => [
    [h("strong", theirs(one.title)), one.notes.map((note) => h("p.soft", theirs(note)))],
    one.start && theirs(`${(one.start.local ?? one.start.at).slice(0, 16).replace("T", " ")} ${one.start.timeZone}`),
    words(one.state),
  ])),
];

const appList = (known, screen, state) => list("Apps", ["App", "Badge", "Act"], Object.keys(known.apps).map((app) => [
  link(`/apps/${encodeURIComponent(app)}`, theirs(app)), screen.badges[app],
  known.isPoweredOn && h("span.line", ["open", "terminate", "uninstall"].map((act) =>
    button(words(act), () => state.act(act, { app }), { about: app }))),
]));

/** By member: the label; of a menu also the choices and the change that each makes. */
const CONDITIONS = {
  focus: ["Focus", ({ focus }) => [["", "none"], ...focus.modes.map(({ id, name }) => [id, name || id])],
    (id) => ({ focus: { active: id || null } })],
  foregroundApp: ["App in front", ({ apps }) => [["", "none"], ...Object.keys(apps).map((app) => [app])],
    (app) => ({ foregroundApp: app || null })],
  ringSwitch: ["Ring switch", () => [["ring"], ["silent"]]],
  showPreviews: ["Previews", () => [["always"], ["whenAuthenticated", "when unlocked"], ["never"]]],
  isLocked: ["Locked"], isScreenOn: ["Screen on"], isOnline: ["Online"], isPoweredOn: ["Powered on"],
  isSavingPower: ["Low power"], isCarPlayConnected: ["CarPlay"],
};

class State {
  #reply = new Reply();
  #curl = h("div");
  #acts = h("p.line");
  #controls = {};
  #latest = Promise.resolve();
  change = 0; // How often somebody has changed something here.

  constructor(path, changed) {
    Object.assign(this, { path, changed });
    const menus = [], switches = [];
    for (const [name, [label, choices, change = (value) => ({ [name]: value })]] of Object.entries(CONDITIONS)) {
      const onchange = () => this.#ask(path, "PATCH", change(choices ? control.value : control.checked));
      const control = choices
        ? h("select", { name, onchange }) : h("input", { name, onchange, type: "checkbox", role: "switch" });
      this.#controls[name] = control;
      if (choices) menus.push(field(label, control));
      else switches.push(h("label.switch", control, label));
    }
    this.element = h("div", h("h2", "State"), h("div.fields", menus), h("div.switches", switches),
      this.#acts, this.#reply.element, h("h2", "The same from a terminal"), this.#curl);
  }

  act(action, members) { return this.#ask(`${this.path}/actions`, "POST", { action, ...members }); }

  /** The question whether the app may show Live Activities. */
  answer(app, choice) {
    return this.#ask(`${this.path}/apps/${encodeURIComponent(app)}/live-activities/answer`, "POST", { choice });
  }

  async #ask(path, method, body) {
    this.change++;
    swap(this.#curl, code(curl(path, { method, body })));
    const done = (this.#latest = this.#latest.catch(() => {}).then(() => ask(path, { method, body })));
    if (await this.#reply.to(done)) this.changed();
  }

  show(known, screen) {
    for (const [name, control] of Object.entries(this.#controls)) {
      const [, choices] = CONDITIONS[name];
      if (choices) offer(control, choices(known), name === "focus" ? known.focus.active : known[name]);
      else control.checked = known[name];
    }
    const { isLocked, isScreenOn, foregroundApp } = known, act = (text, name) => button(text, () => this.act(name));
    if (!this.#curl.firstChild) {
      const body = known.isPoweredOn ? { isLocked: !isLocked } : { isPoweredOn: true };
      swap(this.#curl, code(curl(this.path, { method: "PATCH", body })));
    }
    if (!known.isPoweredOn) return swap(this.#acts, h("span.soft", "The device is off: it rejects every act."));
    swap(this.#acts, isLocked ? act("Unlock", "unlock") : act("Lock", "lock"), !isScreenOn && act("Wake", "wake"),
      foregroundApp && act("Home screen", "open"),
      screen.notificationCenter.length > 0 && act("Clear Notification Center", "clear"), act("Restart", "restart"));
  }
}

class Day {
  #marks = h("div.marks", { "aria-hidden": "true" });
  #figure = h("figure.day", { tabindex: 0, role: "group", "aria-label": "The day as a plot" });
  #pushes = h("div");
  #picture;
  #date;

  constructor(path, app) {
    this.path = path;
    const go = (date) => app.go(path + query({ date }), { replace: true });
    const step = (text, days) => button(text, () => go(shifted(this.#date.value, days)));
    const onchange = () => this.#date.value && go(this.#date.value);
    this.#date = h("input", { type: "date", name: "date", "aria-label": "Day", onchange });
    this.element = h("section", { "aria-label": "Its day" }, h("h2", "Its day"),
      h("p.line", step("‹ Day before", -1), this.#date, step("Day after ›", 1), link(path, "newest")),
      this.#figure, this.#pushes);
  }

  load() {
    const asked = query({ date: this.date ?? "latest" });
    return fill(this.#pushes, ask(`${this.path}/day${asked}`), (day) => {
      const alt = `The day ${day.date} of ${day.device}; the list below says the same`;
      if (document.activeElement !== this.#date) this.#date.value = day.date;
      const plot = `${this.path}/day.svg${asked}`, drawn = (svg) => swap(this.#marks, markLinks(svg));
      if (this.#picture) this.#picture.refresh(plot);
      else this.#figure.append(h("div.plot", (this.#picture = picture(plot, alt, { drawn })), this.#marks));
      this.#picture.firstChild.alt = alt;
      return this.#list(day);
    });
  }

  #list({ lanes, omittedCount }) {
    const pushes = lanes.flatMap((lane) => lane.pushes.map((push) => ({ ...push, app: lane.name })));
    pushes.sort((a, b) => a.receivedAt.localeCompare(b.receivedAt));
    const isOpen = this.#pushes.querySelector("details")?.open;
    return h("details", { open: isOpen }, h("summary", `${counted(pushes.length, "push")} as a list`),
      omittedCount > 0 && h("p.soft", older(omittedCount, "are left out")),
      list("Pushes of the day", ["When", "App", "Text", "Outcome", "Number"], pushes.map((push) => [
        h("time", { datetime: push.receivedAt }, `${push.receivedAt.slice(11, 16)} UTC`), theirs(push.app),
        theirs(push.text), [chip(push.outcome), " ", level(push)], notificationLink(push.notification),
      ])));
  }
}

const MARK = /data-notification="(\d+)" data-at="([\d.]+) ([\d.]+)"><title>([^<]*)/g;

/** A link above each mark of a plot, because parts of an image cannot be links. */
function markLinks(svg) {
  const [, width, height] = svg.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/);
  return [...svg.matchAll(MARK)].map(([, number, x, y, words]) => {
    const title = words.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    const mark = h("a", { href: `/notifications/${number}`, title, tabindex: -1 });
    [mark.style.left, mark.style.top] = [`${(100 * x) / width}%`, `${(100 * y) / height}%`];
    return mark;
  });
}

const shifted = (date, days) =>
  new Date(Date.parse(`${date}T12:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
