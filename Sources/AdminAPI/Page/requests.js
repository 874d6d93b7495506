// Requests: what providers asked, what the answer was, and what its one word means.

import { $, facts, h, payloadOf, swap, theirs, time } from "./dom.js";
import { ask, query } from "./api.js";
import { fill, findings } from "./words.js";
import {
  button, deviceLink, empty, findingCount, isReading, link, list, nothingFits, notificationLink, offer, page, seldom,
  setUp, single, total, words,
} from "./page.js";

const FILTERS = ["source", "status", "reason", "topic", "device", "connection", "fault"];
const SOURCES = [["", "from providers"], ["hand", "by hand"], ["all", "all requests"]];
const STATUSES = [["", "all answers"], ["200"], ["400"], ["403"], ["404"], ["405"], ["410"], ["413"], ["429"],
  ["500"], ["503"], ["none", "no answer"]];
const HEADS = ["No.", "When", "Answer", "Reason, and what it means", "Topic, token", "Became"];

export const requests = (place, app) => (place.rest.length ? single("request", place.rest[0], app, one) : log(app));

function log(app) {
  let filters = {}, rows = [], fresh = 0;
  const body = h("div"), others = h("span.line"), count = h("span.soft");
  const pill = h("button.pill", { type: "button", hidden: true, onclick: showFresh });
  const older = button("Show older ones", () => load(rows.at(-1).number), { kind: "more" });
  const source = h("select", { "aria-label": "From", onchange: () => filter({ source: source.value }) });
  const status = h("select", { "aria-label": "Answer", onchange: () => filter({ status: status.value }) });
  const typed = ["reason", "topic", "device"].map((name) => h("input", {
    type: "search", name, placeholder: name, "aria-label": words(name), autocomplete: "off", spellcheck: "false",
    onchange: () => filter({}),
  }));

  const filter = (change) => {
    const written = Object.fromEntries(typed.map((input) => [input.name, input.value.trim()]));
    app.go(`/requests${query({ ...filters, ...written, ...change })}`, { replace: true });
  };
  const call = (before) => {
    const source = filters.source === "all" ? "" : filters.source ?? "provider";
    return `/requests${query({ ...filters, source, order: "newest", before })}`;
  };

  function load(before) {
    app.count("requests", 0);
    pill.hidden = true;
    fresh = 0;
    return fill(body, ask(call(before)), (answer) => {
      rows = before ? [...rows, ...answer.requests] : answer.requests;
      older.hidden = !answer.hasMore;
      count.textContent = total(answer, "request");
      if (!rows.length) return Object.keys(filters).length ? nothingFits("/requests", "Show all requests") : none();
      const isTruncated = answer.dropped > 0 && !answer.hasMore;
      return [list("Requests", HEADS, rows.map(cells)),
        isTruncated && h("p.soft", `${answer.dropped.toLocaleString("en")} older ones made room.`)];
    });
  }

  function showFresh() {
    $("main").scrollTop = 0;
    load();
  }

  const loadSoon = seldom(() => load());
  older.hidden = true;
  return {
    element: page({
      title: "Requests", path: () => call(),
      lead: "What your back end asked, what APNs would have answered, and what that word means.",
    }, h("div.line.filters", source, status, typed, others, count), pill, body, h("p.line", older)),
    fits: (place) => !place.rest.length,
    update({ query: wanted }) {
      filters = Object.fromEntries(FILTERS.filter((name) => wanted[name]).map((name) => [name, wanted[name]]));
      offer(source, SOURCES, filters.source);
      offer(status, STATUSES, filters.status);
      for (const input of typed) input.value = filters[input.name] ?? "";
      swap(others, ["connection", "fault"].filter((name) => filters[name]).map((name) =>
        button(`${name} ${filters[name]} ×`, () => filter({ [name]: "" }), { about: "(remove)" })));
      load();
    },
    requests({ accepted, refused }) {
      if (!isReading() && rows.length <= 100) return loadSoon();
      fresh += accepted + refused;
      pill.hidden = false;
      pill.textContent = `↑ ${fresh.toLocaleString("en")} new`;
    },
    reload: () => load(),
  };
}

const none = () => empty("No requests yet", h("p", "Point your back end at this gateway."), setUp());

const answer = (r) => h("span.status-code." + (r.status === 200 ? "good" : "bad"), r.status ?? "none");

const cells = (r) => [
  link(`/requests/${r.number}`, r.number),
  time(r.receivedAt),
  answer(r),
  [r.reason && h("strong", theirs(r.reason)), " ", r.fault && h("span.badge", "fault ", theirs(r.fault)), " ",
    findingCount(r.findings), r.diagnosis && h("p.soft", theirs(r.diagnosis.message))],
  [theirs(r.topic ?? "—"), r.token && h("p.soft", h("code", theirs(`${r.token.slice(0, 12)}…`)))],
  r.notification && notificationLink(r.notification),
];

// ── One request ──────────────────────────────────────────────────────────────────────────────────────────────────────

const one = (r) => [
  h("div.verdict." + (r.status === 200 ? "alerted" : "dropped"),
    h("span", answer(r), " ", h("strong", theirs(r.reason ?? ""))), h("p", theirs(r.diagnosis?.message ?? r.summary))),
  findings(r.findings),
  facts([
    ["received", time(r.receivedAt, r.receivedAt)],
    ["became", r.notification && notificationLink(r.notification)],
    ["device", r.device && deviceLink(r.device)],
    ["diagnosis", r.diagnosis && h("code", r.diagnosis.id)],
    ["fault rule", r.fault && link("/faults", theirs(r.fault))],
    ["the answer was", r.answer && `${r.answer.outcome}, ${r.answer.at}`],
    ["connection", r.connection ? link(`/connections/${r.connection}`, `no. ${r.connection}`) : "by hand"],
    ["environment", r.environment], ["authentication", words(r.authentication)], ["topic", r.topic],
    ["token", r.token && h("code", theirs(r.token))], ["apns-id", h("code", theirs(r.apnsId))],
  ]),
  h("h2", "Headers"),
  facts(r.headers.map(({ name, value }) => [name, h("code", theirs(value))])),
  h("h2", "Payload"), payloadOf(r),
];
