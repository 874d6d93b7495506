// The frame: routes, keys, login, and the connection's state. CONTRIBUTING.md describes views.
// Addresses are the API's without /api/v1.

import { $, facts, gateway, h, icon, openDialog, retellTimes, say } from "./dom.js";
import { ask } from "./api.js";
import { Feed } from "./feed.js";
import { inbox } from "./inbox.js";
import { failure, link, page } from "./page.js";

const tables = () => import("./views.js");

const VIEWS = {
  notifications: [() => ({ notifications: inbox }), "Inbox", "i",
    "M2 9.5V13h12V9.5M2 9.5 4 3h8l2 6.5M2 9.5h3.5l1 2h3l1-2H14"],
  requests: [() => import("./requests.js"), "Requests", "r", "M2.5 5h11M10.5 2l3 3-3 3M13.5 11h-11M5.5 8l-3 3 3 3"],
  devices: [() => import("./device.js"), "Devices", "d",
    "M5 1.5h6a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1zM7 12.3h2"],
  timeline: [() => import("./timeline.js"), "Timeline", "t", "M2 4h6M5 8h8M9 12h5"],
  apps: [() => import("./apps.js"), "Apps", "a", "M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h4v4h-4z"],
  channels: [() => import("./channels.js"), "Channels", "b",
    "M8 7.2v.1M5.5 10a3.5 3.5 0 0 1 0-5M10.5 5a3.5 3.5 0 0 1 0 5M8 9.5V14"],
  webhooks: [() => import("./webhooks.js"), "Webhooks", "w", "M2.5 8h9M8.5 4.5 12 8l-3.5 3.5M14 2.5v11"],
  recordings: [() => import("./recordings.js"), "Recordings", "e",
    "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z"],
  send: [() => import("./send.js"), "Send", "s", "M14 2 7 9M14 2l-4.5 12L7 9 2 6.5z"],
  lint: [tables, "Lint", "l", "M2.5 8.5l3.5 3.5 7.5-8.5"],
  hygiene: [tables, "Hygiene", "y", "M8 1.8 13 4v4c0 3-2 5-5 6.2C5 13 3 11 3 8V4zM5.8 8l1.6 1.6L10.4 6"],
  clock: [tables, "Clock", "c", "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.5V8l2.4 1.6"],
  faults: [tables, "Faults", "f", "M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1"],
  connections: [tables, "Connections", "o",
    "M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7"],
  setup: [() => import("./setup.js"), "Set up a client", "u", "M2 3.5h12v9H2zM4.5 6.5l2 1.5-2 1.5M8 10h3"],
};

const app = { go, count };
let view, shown = 0;

const main = h("main", { id: "main" });
const links = new Map(Object.entries(VIEWS).map(([name, [, word, letter, path]]) =>
  [name, h("a", { href: `/${name}`, title: `g ${letter}` }, icon(path), word, h("span.count"))]));
const status = h("p.status", h("span.dot", { "aria-hidden": "true" }), h("span", "connecting…"));
const clockLink = h("a.clock", { href: "/clock" }, "real time");

const views = h("nav", { "aria-label": "Views", id: "views" }, [...links.values()]);
const menu = h("button.menu", { type: "button", "aria-expanded": "false", "aria-controls": "views",
  onclick: () => openMenu(!views.classList.contains("is-open")) }, "Views");

/** On a narrow screen, the views are behind a button. */
function openMenu(isOpen) {
  views.classList.toggle("is-open", isOpen);
  menu.ariaExpanded = isOpen;
}

$("#app").append(
  h("header.bar",
    h("a.brand", { href: "/notifications" }, h("img", { src: "/icon.svg", alt: "", width: 24, height: 24 }),
      "Pushcote"),
    menu, views, h("div.foot", clockLink, status)),
  main);

function go(address, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  show();
}

function placeOf({ pathname, search }) {
  const [name = "", ...rest] = pathname.split("/").filter(Boolean).map((part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  });
  const asked = new URLSearchParams(search);
  return { name, rest, query: { ...Object.fromEntries(asked), where: asked.getAll("where") } };
}

async function show() {
  const place = placeOf(location), run = ++shown;
  if (!place.name) return go("/notifications", { replace: true });
  for (const [name, link] of links) link.ariaCurrent = name === place.name ? "page" : null;
  openMenu(false);
  const isNew = view?.name !== place.name || view.fits?.(place) === false;
  if (isNew) {
    const made = await makeView(place);
    if (run !== shown) return;
    view?.leave?.();
    view = made;
    main.replaceChildren(view.element);
  }
  document.title = `${view.title?.(place) ?? VIEWS[place.name]?.[1] ?? "Nothing"} · Pushcote`;
  view.update?.(place);
  if (isNew) focusTitle();
}

async function makeView(place) {
  const [load, word] = VIEWS[place.name] ?? [];
  if (!load) return { element: page({ title: "There is nothing here" }, h("p", link("/", "To the inbox"))) };
  try {
    return Object.assign((await load())[place.name](place, app), { name: place.name });
  } catch {
    const sorry = { message: "The gateway is not reachable. This view opens when it is back." };
    return { element: page({ title: word }, failure(sorry)), isMissing: true };
  }
}

function focusTitle() {
  const title = $("h1", main);
  title?.setAttribute("tabindex", -1);
  title?.focus({ preventScroll: true });
}

addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const isView = link.origin === location.origin && placeOf(link).name in VIEWS;
  if (!isView || link.target || link.hash || link.hasAttribute("download")) return;
  event.preventDefault();
  go(link.pathname + link.search);
});

const STATES = {
  live: "live", connecting: "connecting…", reconnecting: "reconnecting…", closed: "gateway not reachable",
  busy: "no live updates: too many streams",
};

const counts = {};

function count(name, number) {
  counts[name] = number;
  $(".count", links.get(name)).textContent = number > 999 ? "999+" : number || "";
}

function setClock({ mode, now, scale = 1 }) {
  const at = Date.parse(now), since = Date.now(), isStopped = mode === "manual";
  gateway.now = isStopped ? () => at : () => at + (Date.now() - since) * scale;
  clockLink.replaceChildren(...(isStopped ? [h("span.words", "stopped at "), `${now.slice(11, 16)} UTC`]
    : [mode === "real" ? "real time" : `×${scale}`]));
  clockLink.classList.toggle("stopped", isStopped);
  retellTimes();
}

const readClock = () => ask("/clock").then(setClock, () => {});

function listen() {
  let run;
  const acts = {
    hello(hello) {
      if (run && view?.isMissing) return location.reload();
      if (hello.now) setClock(hello);
      if (run && run !== hello.run) view?.reload?.();
      run = hello.run;
    },
    clock: setClock,
    requests: ({ refused }) => count("requests", (counts.requests ?? 0) + refused),
    gap() {
      readClock();
      view?.reload?.();
    },
  };
  const take = (kind, data) => {
    acts[kind]?.(data);
    if (kind !== "hello") view?.[kind]?.(data);
  };
  new Feed(take, (state) => {
    status.className = `status ${state}`;
    status.lastChild.textContent = STATES[state];
    say(state === "live" ? "Connected." : STATES[state]);
  });
}

let wasG = false;
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable], dialog");
  if (isTyping || event.metaKey || event.ctrlKey || event.altKey) return;
  const next = wasG && Object.entries(VIEWS).find(([, [, , letter]]) => letter === event.key);
  wasG = event.key === "g";
  if (next) go(`/${next[0]}`);
  else if (event.key === "?") help();
  else if (event.key === "n") go("/send");
  else return view?.key?.(event);
  event.preventDefault();
});

function help() {
  const keys = [
    ["j k ↓ ↑", "next, previous notification"], ["1 … 7", "a notification's tabs"], ["Esc", "close it"],
    ["/", "search"], ["n", "send a push"], ["Ctrl ⏎", "send the push"], ["x", "clear the inbox"],
    ...Object.values(VIEWS).map(([, word, letter]) => [`g ${letter}`, word]), ["?", "this"],
  ];
  openDialog(h("dialog", { "aria-label": "Keys" }, h("h2", "Keys"),
    facts(keys.map(([key, text]) => [h("kbd", key), text])), h("form", { method: "dialog" }, h("button", "Close"))));
}

const login = async () => (await import("./login.js")).login();
addEventListener("pushcote:login", login);
addEventListener("popstate", show);
setInterval(retellTimes, 10_000);

const { isLoginNeeded, isLoggedIn } = await ask("/session").catch(() => ({}));
if (isLoginNeeded) {
  await login();
} else {
  if (isLoggedIn) (await import("./login.js")).addSignOut($(".foot"));
  readClock();
  show();
  listen();
  // So that every view opens while the gateway is away.
  setTimeout(() => Object.values(VIEWS).forEach(([load]) => Promise.resolve().then(load).catch(() => {})), 1000);
}
