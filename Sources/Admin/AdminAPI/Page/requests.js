// Requests of providers, their answers, and what each reason means.

import { $, facts, h, headersOf, payloadOf, theirs, time, words } from "./dom.js";
import { query } from "./api.js";
import {
  deviceLink, empty, findingCount, findings, Fresh, link, listView, notificationLink, offer, older, search, setUp,
  single,
} from "./page.js";

const SOURCES = [["", "from providers"], ["hand", "by hand"], ["all", "all requests"]];
const STATUSES = [["", "all answers"], ["200"], ["400"], ["403"], ["404"], ["405"], ["410"], ["413"], ["429"],
  ["500"], ["503"], ["none", "no answer"]];
const HEADS = ["No.", "When", "Answer", "Reason, and what it means", "Topic, token", "Became"];

export const requests = (place, app) => (place.rest.length ? single("request", place.rest[0], app, one) : log(app));

function log(app) {
  const fresh = new Fresh(() => {
    $("main").scrollTop = 0;
    view.reload();
  });
  const view = listView(app, {
    noun: "requests", lead: "Your back end's requests, the answers that APNs would give, and what each reason means.",
    controls: {
      source: offer(h("select", { "aria-label": "From" }), SOURCES),
      status: offer(h("select", { "aria-label": "Answer" }), STATUSES),
      reason: search("Reason"), topic: search("Topic"), device: search("Device"),
    },
    heads: HEADS, cells, none, older: "Show older ones", above: fresh.element,
    call: ({ source = "provider", ...others }, last) => `/requests${query({
      ...others, source: source === "all" ? "" : source, order: "newest", before: last?.number,
    })}`,
    loading() {
      app.count("requests", 0);
      fresh.clear();
    },
    note: ({ dropped, hasMore }) =>
      dropped > 0 && !hasMore && h("p.soft", older(dropped)),
  });
  const requests = ({ accepted, refused }) => (view.isAtTop() ? view.loadSoon() : fresh.add(accepted + refused));
  return { ...view, requests };
}

const none = () => empty("No requests yet", h("p", "Point your back end at this gateway."), h("p", setUp()));

const answer = (r) => h("span.status-code." + (r.status < 300 ? "good" : "bad"), r.status ?? "none");

const cells = (r) => [
  link(`/requests/${r.number}`, r.number), time(r.receivedAt), answer(r),
  [r.reason && h("strong", theirs(r.reason)), " ", r.fault && h("span.badge", "fault ", theirs(r.fault)), " ",
    findingCount(r.findings), r.diagnosis && h("p.soft", theirs(r.diagnosis.message))],
  [theirs(r.topic ?? "—"), r.token && h("p.soft", h("code", theirs(`${r.token.slice(0, 12)}…`)))],
  r.notification && notificationLink(r.notification),
];

const one = (r) => [
  h("div.verdict." + (r.status < 300 ? "alerted" : "dropped"),
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
  headersOf(r, "h2"), h("h2", "Payload"), payloadOf(r),
];
