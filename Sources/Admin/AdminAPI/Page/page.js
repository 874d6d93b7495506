// Parts of views: outcomes, findings, answers in place, filters, and tables.

import { $, button, counted, facts, h, present, seldom, swap, theirs, words } from "./dom.js";
import { ask, devicePath, query, sources } from "./api.js";

export const OUTCOMES = {
  alerted: ["●", "Alerted"], quiet: ["☾", "Quiet"], deferred: ["≡", "For the summary"], waiting: ["‖", "Waiting"],
  dropped: ["✕", "Dropped"], other: ["○", "No alert"],
};
const LEVELS = {
  "time-sensitive": [".ts", "Time Sensitive"], critical: [".critical", "Critical"], passive: ["", "Passive"],
};

export const chip = (outcome) =>
  h("span.chip." + outcome, h("span", { "aria-hidden": "true" }, OUTCOMES[outcome][0]), OUTCOMES[outcome][1]);

export const verdict = (n) => h("div.verdict." + n.outcome, { role: "group", "aria-label": "Outcome" },
  chip(n.outcome), level(n), n.why && h("p", theirs(n.why)));

export const level = ({ level }) => LEVELS[level] && h("span.level" + LEVELS[level][0], LEVELS[level][1]);

export const PUSH_TYPES = {
  alert: "Alert", background: "Background", voip: "VoIP", liveactivity: "Live Activity", location: "Location",
  complication: "Complication", fileprovider: "File Provider", mdm: "MDM", pushtotalk: "Push to Talk",
  widgets: "Widget", controls: "Control",
};

const kind = (type) => type ? `${PUSH_TYPES[type] ?? type} push` : "Push";

export const headline = (n) => n.sender || n.title || n.subtitle || n.body || kind(n.pushType);

const SEVERITIES = { error: "Error", warning: "Warning", info: "Hint" };

export function findings(list) {
  const order = ({ severity }) => Object.keys(SEVERITIES).indexOf(severity);
  return list.toSorted((a, b) => order(a) - order(b)).map((finding) =>
    h("div.finding." + finding.severity,
      h("p", h("strong", SEVERITIES[finding.severity]), " ", theirs(sentence(finding.message)), " ",
        finding.path && h("code", theirs(finding.path))),
      finding.fix && h("p.fix", "Right: ", h("code", theirs(finding.fix))),
      h("p.source", cited(finding.source, finding.id))));
}

/** The marks of rules without a source. */
const MARKS = { design: "Pushcote's choice", gk: "general knowledge", inferred: "inferred" };
const LINKS = [
  [/^WWDC(\d\d)[- ](?:\d\d-)?(\d+)/, (year, talk) => `https://developer.apple.com/videos/play/wwdc20${year}/${talk}/`],
  [/^([\w.-]+\/[\w.-]+) #(\d+)/, (repository, issue) => `https://github.com/${repository}/issues/${issue}`],
  [/forums? (\d+)$/, (thread) => `https://developer.apple.com/forums/thread/${thread}`],
  [/^HIG (.+)/, (chapter) => "https://developer.apple.com/design/human-interface-guidelines/"
    + chapter.toLowerCase().replace(" ", "-")],
];
/** Such as S0-20, X3, C.3 or #118. */
const CODE = /^([A-Z]{1,2}\d*(\.\w+|-\d+)?|#\d+)$/;

/** A rule's source, after `first`: documents as links, without the project's own numbers. */
export const cited = (source = "", ...first) => present([first, source.split(/[;,(]\s*/).map((part) => {
  const [, isTitle, name] = part.match(/^(doc: )?([^]*?)\)?\s*$/);
  const [pattern, address] = LINKS.find(([pattern]) => pattern.test(name)) ?? [];
  const href = pattern ? address(...name.match(pattern).slice(1))
    : isTitle && `https://developer.apple.com/search/?q=${encodeURIComponent(name)}`;
  if (!name || CODE.test(name)) return undefined;
  return href ? h("a", { href, target: "_blank", rel: "noreferrer" }, name) : MARKS[name] ?? name;
})]).flatMap((part, index) => (index ? [" · ", part] : part));

export const sentence = (text) =>
  text.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase()) + (/[.?!]$/.test(text) ? "" : ".");

export const failure = (error) => h("p.strip.bad", { role: "alert" }, error.message);

export async function fill(element, answer, draw, { patience = element.hasChildNodes() ? 2000 : 150 } = {}) {
  const run = (element.run = (element.run ?? 0) + 1);
  const show = (...children) => element.run === run && swap(element, ...children);
  const timer = setTimeout(() => show(h("p.soft", "asking…")), patience);
  try {
    const value = await answer;
    if (element.run === run) show(draw(value));
  } catch (error) {
    show(failure(error));
  } finally {
    clearTimeout(timer);
  }
}

export class Reply {
  element = h("div.reply", { role: "status" });

  async to(answer, said = () => undefined) {
    try {
      swap(this.element, said(await answer));
      return true;
    } catch (error) {
      swap(this.element, failure(error));
      return false;
    }
  }
}

export const page = ({ title, lead, back, path }, ...parts) =>
  h("section.page",
    h("header.top",
      h("div", back && h("p", link(...back)), h("h1", title), lead && h("p.lead", lead)), path && sources(path)),
    parts);

export function answerView(head, draw, more = () => ({})) {
  const body = h("div"), load = () => fill(body, ask(head.path), draw);
  return { element: page(head, body), update: load, reload: load, fits: (place) => !place.rest.length, ...more(load) };
}

export function single(noun, number, app, draw, more = () => ({})) {
  const all = `/${noun}s`, title = `${words(noun)} ${number}`;
  const head = { title, back: [all, `‹ ${words(noun)}s`], path: `${all}/${encodeURIComponent(number)}` };
  return answerView(head, draw, (load) => ({
    title: () => title, fits: (place) => place.rest[0] === number,
    key: (event) => event.key === "Escape" && app.go(all),
    ...more(load),
  }));
}

/** The paged view of all `noun`s: `call(filters, last)` loads those after `last`; `isAtTop()`: rows may move. */
export function listView(app, { noun, lead, controls, heads, cells, none, call, older, loading, note, above }) {
  let rows = [];
  const body = h("div"), count = h("span.soft"), filters = new Filters(app, `/${noun}`, controls);
  const more = button(older, () => load(rows.at(-1)), { kind: "more" });
  function load(last) {
    loading?.();
    return fill(body, ask(call(filters.values, last)), (answer) => {
      rows = last ? [...rows, ...answer[noun]] : answer[noun];
      more.hidden = !(answer.hasMore ?? answer.next);
      count.textContent = total(answer, noun.slice(0, -1));
      if (!rows.length) return filters.isEmpty ? none() : nothingFits(noun);
      return [list(words(noun), heads, rows.map(cells)), note?.(answer)];
    });
  }
  more.hidden = true;
  return {
    element: page({ title: words(noun), lead, path: () => call(filters.values) },
      h("div.line.filters", Object.values(controls), filters.tags, count), above, body, h("p.line", more)),
    fits: (place) => !place.rest.length,
    update(place) {
      filters.take(place.query);
      load();
    },
    reload: () => load(), loadSoon: seldom(() => load()),
    isAtTop: () => !isReading() && rows.length <= 100,
  };
}

export function list(label, heads, rows) {
  const cell = (content, index) =>
    h("td", { role: "cell", "data-head": heads[index] }, present([content]).length > 0 && h("div", content));
  return h("table.list", { role: "table", "aria-label": label },
    h("thead", { role: "rowgroup" },
      h("tr", { role: "row" }, heads.map((head) => h("th", { role: "columnheader", scope: "col" }, head)))),
    h("tbody", { role: "rowgroup" }, rows.map((cells) => h("tr", { role: "row" }, cells.map(cell)))));
}

/** A list's filters are the query of its address. Those without a field in `controls` are tags to remove. */
export class Filters {
  values = {};
  tags = h("span.line");
  #controls;
  #go;
  #timer;

  constructor(app, path, controls) {
    this.#controls = Object.entries(controls);
    this.#go = (change) => app.go(path + query({ ...this.values, ...change }), { replace: true });
    for (const [name, control] of this.#controls) {
      control.name = name;
      control.addEventListener("input", () => this.#change(control.type === "search" ? 250 : 0));
    }
  }

  #change(delay) {
    clearTimeout(this.#timer);
    const written = () => Object.fromEntries(this.#controls.map(([name, { value }]) => [name, value.trim()]));
    this.#timer = setTimeout(() => this.tags.isConnected && this.#go(written()), delay);
  }

  take(wanted) {
    this.values = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value.length));
    const others = new Set(Object.keys(this.values));
    for (const [name, control] of this.#controls) {
      if (document.activeElement !== control) control.value = this.values[name] ?? "";
      others.delete(name);
    }
    swap(this.tags, [...others].map((name) =>
      button(`${words(name)}: ${this.values[name]} ×`, () => this.#go({ [name]: "" }), { about: "(remove)" })));
  }

  get isEmpty() { return Object.keys(this.values).length === 0; }
}

export const search = (label, placeholder = label) =>
  h("input", { type: "search", placeholder, "aria-label": label, autocomplete: "off", spellcheck: "false" });

export async function suggest(input, names) {
  const prefix = input.value;
  const { devices } = await ask(`/devices${query({ prefix, limit: 50 })}`).catch(() => ({ devices: [] }));
  if (prefix === input.value) swap(names, devices.map(({ name }) => h("option", { value: name })));
  return devices;
}

export class Fresh {
  #count = 0;
  element;

  constructor(show) { this.element = h("button.pill", { type: "button", hidden: true, onclick: show }); }

  add(count) {
    this.#count = count && this.#count + count;
    this.element.hidden = !this.#count;
    this.element.textContent = `↑ ${this.#count.toLocaleString("en")} new`;
  }

  clear() { this.add(0); }
}

export const empty = (title, ...children) => h("div.empty", h("h2", title), children);
export const nothingFits = (noun) => empty("Nothing fits", h("p", link(`/${noun}`, `Show all ${noun}`)));
export const field = (label, control) => h("label.field", label, control);

export function offer(select, choices, value = "") {
  const known = JSON.stringify(choices);
  if (select.known !== known) {
    select.replaceChildren(...choices.map(([value, text = value]) => h("option", { value }, text)));
    select.known = known;
  }
  select.value = value;
  return select;
}

export const members = (object) => facts(Object.entries(object)
  .filter(([, value]) => [value].flat().every((one) => typeof one !== "object"))
  .filter(([, value]) => value !== "" && value?.length !== 0)
  .map(([name, value]) => told(name, value)));

/** A member's name and its value, in words and units. */
export function told(name, value) {
  const [, stem, unit] = name.match(/^(?:is(?=[A-Z]))?(.*?)(Bytes|[Mm]illiseconds)?$/);
  const plain = (one) => typeof one === "object" ? JSON.stringify(one) : YES[one] ?? one;
  return [words(stem || "took"), unit === "Bytes" ? `${(value / 1_048_576).toFixed(1)} MiB` : unit ? `${value} ms`
    : [value].flat().map(plain).join(", ")];
}
const YES = { true: "yes", false: "no" };

export const link = (address, text) => h("a", { href: address }, text);
export const deviceLink = (name) => link(devicePath(name), theirs(name));
export const notificationLink = (number) => link(`/notifications/${number}`, `notification ${number}`);
export const setUp = () => h("a.button", { href: "/setup" }, "Set up my client");

export const total = ({ total = 0, isTotalExact = true }, noun) =>
  (isTotalExact ? "" : "over ") + counted(total, noun);

export const older = (count, fate = "were evicted") => `${count.toLocaleString("en")} older ones ${fate}.`;

export const findingMark = (count, gravest, title = counted(count, "finding")) =>
  (gravest === "warning" || gravest === "error") && h("span.findings." + gravest, { title },
    `${gravest === "error" ? "✕" : "!"} ${count}`, h("span.unseen", gravest === "error" ? " errors" : " warnings"));

export function findingCount(all) {
  const list = all.filter(({ severity }) => severity !== "info");
  const gravest = list.some(({ severity }) => severity === "error") ? "error" : "warning";
  return list.length > 0 && findingMark(list.length, gravest, list.map(({ message }) => message).join("\n"));
}

export const hasFailed = (end) => end !== undefined && end !== "answered" && end !== "cancelled";

export const isReading = () => $("main").scrollTop > 8;
