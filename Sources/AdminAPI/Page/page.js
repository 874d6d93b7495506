// What the views beside the inbox share: their frame, answers in place, and tables that fold on a phone.

import { $, h, present, swap, theirs } from "./dom.js";
import { ask, devicePath, sources } from "./api.js";
import { failure, fill } from "./words.js";

/** A view: its title and what it is for, the view above it, the call that answers the same, and its parts. */
export const page = ({ title, lead, back, path }, ...parts) =>
  h("section.page",
    h("header.top",
      h("div", back && h("p", link(...back)), h("h1", title), lead && h("p.lead", lead)), path && sources(path)),
    parts);

/** A view of what `head.path` answers; `more(load)` has what else the view does. */
export function answerView(head, draw, more = () => ({})) {
  const body = h("div"), load = () => fill(body, ask(head.path), draw);
  return { element: page(head, body), update: load, reload: load, ...more(load) };
}

/** The view of one `noun`, below the list of all. */
export function single(noun, number, app, draw, more = () => ({})) {
  const all = `/${noun}s`, title = `${words(noun)} ${number}`;
  const head = { title, back: [all, `‹ ${words(noun)}s`], path: `${all}/${encodeURIComponent(number)}` };
  return answerView(head, draw, (load) => ({
    title: () => title,
    fits: (place) => place.rest[0] === number,
    key: (event) => event.key === "Escape" && app.go(all),
    ...more(load),
  }));
}

/** What came of an act, in its place: a word about it, or the gateway's sentence. */
export class Reply {
  element = h("div.reply", { role: "status" });

  /** Whether it was done; `said` makes a word about it of the answer. */
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

/** A button; `about` says to those who hear it out of its row what it is about. */
export const button = (text, onclick, { kind = "small", about } = {}) =>
  h("button." + kind, { type: "button", onclick, "aria-label": about && `${text} ${about}` }, text);

/** Acts at once, and then at most once a second for as long as it is called. */
export function seldom(act) {
  let timer, isWanted;
  return function again() {
    isWanted = timer !== undefined;
    if (isWanted) return;
    act();
    timer = setTimeout(() => {
      timer = undefined;
      if (isWanted) again();
    }, 1000);
  };
}

/** A table whose rows are lists of cells. On a phone a row is a block, and a cell has its heading beside it. */
export function list(label, heads, rows) {
  const isThere = (content) => present([content]).length > 0;
  const cell = (content, index) =>
    h("td", { role: "cell", "data-head": heads[index] }, isThere(content) && h("div", content));
  return h("table.list", { role: "table", "aria-label": label },
    h("thead", { role: "rowgroup" },
      h("tr", { role: "row" }, heads.map((head) => h("th", { role: "columnheader", scope: "col" }, head)))),
    h("tbody", { role: "rowgroup" }, rows.map((cells) => h("tr", { role: "row" }, cells.map(cell)))));
}

export const empty = (title, ...children) => h("div.empty", h("h2", title), children);
export const nothingFits = (address, text) => empty("Nothing fits", h("p", h("a", { href: address }, text)));

/** A word of the API for people: `timeSensitiveIntro` is “Time sensitive intro”. */
export function words(name) {
  const text = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return text === text.toUpperCase() ? name : text[0].toUpperCase() + text.slice(1).toLowerCase();
}

export const field = (label, control) => h("label.field", label, control);

/** Gives a menu these choices, as `[value, text]`; one that is open stays so while they are the same. */
export function offer(select, choices, value = "") {
  const known = JSON.stringify(choices);
  if (select.known !== known) {
    select.replaceChildren(...choices.map(([value, text = value]) => h("option", { value }, text)));
    select.known = known;
  }
  select.value = value;
  return select;
}

export const link = (address, text) => h("a", { href: address }, text);
export const deviceLink = (name) => link(devicePath(name), theirs(name));
export const notificationLink = (number) => link(`/notifications/${number}`, `notification ${number}`);
export const setUp = () => h("p", h("a.button", { href: "/setup" }, "Set up my client"));

/** How many match, as the gateway counts them. */
export const total = ({ total = 0, isTotalExact = true }, noun) =>
  `${isTotalExact ? "" : "over "}${total.toLocaleString("en")} ${noun}${total === 1 ? "" : "s"}`;

/** How many findings, and which. */
export const findingCount = (findings) => findings.length > 0
  && h("span.findings", { title: findings.map((one) => one.message).join("\n") }, `! ${findings.length}`);

/** Whether somebody has scrolled away from the beginning of the view, so that nothing may move. */
export const isReading = () => $("main").scrollTop > 8;
