// Timeline: the pushes of all devices, from the request to what the person saw.

import { $, button, counted, h, seldom, swap, theirs, time } from "./dom.js";
import { ask, query } from "./api.js";
import { chip, deviceLink, empty, fill, headline, link, page, setUp } from "./page.js";

const COUNT = 100;

// Where has the time gone between my request and the phone?
export function timeline(place, app) {
  const body = h("div"), tools = h("p.line"), path = `/notifications${query({ order: "newest", limit: COUNT })}`;
  let pushes = [], span, chosen;

  function show() {
    span = chosen ?? whole(pushes);
    const length = span.to - span.from;
    const go = (from, to) => app.go(`/timeline${query({ from: iso(from), to: iso(to) })}`, { replace: true });
    const middle = (span.from + span.to) / 2;
    const move = (text, label, by, size) => button(text, () =>
      go(middle + by * length - (size * length) / 2, middle + by * length + (size * length) / 2), { about: label });
    swap(tools, move("+", "(zoom in)", 0, 0.5), move("−", "(zoom out)", 0, 2), move("‹", "(earlier)", -0.5, 1),
      move("›", "(later)", 0.5, 1), button("All", () => app.go("/timeline", { replace: true })),
      h("span.soft", `${duration(length)} from `, time(iso(span.from), clock(span.from))));
    const rows = pushes.filter((push) => push.end >= span.from && push.start <= span.to);
    return rows.length ? h("ol.timeline", rows.map((push) => row(push, span)))
      : empty("Nothing here", h("p", "No push was on its way then."));
  }

  const load = () => fill(body, ask(path).then(({ notifications }) => Promise.all(notifications.map(measured))),
    (found) => {
      pushes = found;
      return pushes.length ? show() : empty("No pushes yet", h("p", setUp()));
    });
  const loadSoon = seldom(load);
  return {
    element: page({ title: "Timeline", path,
      lead: `The newest ${COUNT} pushes of all devices: request and answer, at one time (line), service extension `
        + "(thin), until it was shown." }, tools, body),
    fits: () => true,
    update({ query: { from, to } }) {
      chosen = from && to && { from: Date.parse(from), to: Date.parse(to) };
      if (pushes.length) swap(body, show());
      else load();
    },
    notifications: () => !$(".timeline:hover, .timeline :focus") && loadSoon(), removed: loadSoon, reload: load,
  };
}

const iso = (instant) => new Date(instant).toISOString();
const clock = (instant) => iso(instant).slice(11, 23);

const UNITS = [[3_600_000, "h"], [60_000, "min"], [1000, "s"], [1, "ms"]];
const duration = (length) => {
  const [size, unit] = UNITS.find(([size]) => length >= size) ?? [1, "ms"];
  return `${+(length / size).toFixed(1)} ${unit}`;
};

/** The run of an extension is only in a notification's details. */
async function measured(n) {
  const start = Date.parse(n.receivedAt), end = Date.parse(n.shownAt ?? n.settledAt);
  const events = n.extensionEnd ? (await ask(`/notifications/${n.id}`)).timeline : [];
  const at = (kind) => Date.parse(events.find(({ event }) => event === kind)?.at);
  return { n, start, end: Math.max(start, end), run: n.extensionEnd && [at("nseStarted"), at("nseFinished")] };
}

function whole(pushes) {
  const from = Math.min(...pushes.map(({ start }) => start)), to = Math.max(...pushes.map(({ end }) => end));
  const margin = Math.max(50, (to - from) / 20);
  return { from: from - margin, to: to + margin };
}

const shown = ({ outcome, shownAt }, length) =>
  outcome === "waiting" ? "waiting" : `${shownAt ? "shown" : "settled"} after ${duration(length)}`;

function row({ n, start, end, run }, span) {
  const inside = (instant) => Math.min(Math.max(instant, span.from), span.to);
  const share = (instant) => (100 * (inside(instant) - span.from)) / (span.to - span.from);
  const bar = (name, from, to) => {
    const element = h("span." + name);
    [element.style.left, element.style.width] = [`${share(from)}%`, `max(4px, ${share(to) - share(from)}%)`];
    return element;
  };
  const ran = run && ` (${duration(run[1] - run[0])} in the extension)`;
  return h("li." + n.outcome, h("span.who", link(`/notifications/${n.id}`, theirs(headline(n))),
    h("span.soft", deviceLink(n.device), " ", chip(n.outcome))),
  h("span.track", { "aria-hidden": "true" }, bar("way", start, end), run && bar("run", ...run),
    bar("request", start, start)),
  h("span.soft", `${clock(start)}, ${shown(n, end - start)}${ran || ""}`));
}
