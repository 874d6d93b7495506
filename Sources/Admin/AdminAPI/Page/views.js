// Lint, hygiene, clock, faults, connections.

import { button, counted, h, present, seldom, theirs, time, words } from "./dom.js";
import { ask } from "./api.js";
import {
  answerView, cited, empty, field, fill, findingCount, findings, isReading, link, list, members, page, Reply, sentence,
  setUp, single,
} from "./page.js";

export const lint = () => answerView({
  title: "Lint", path: "/lint",
  lead: ["The rules that payloads are checked against; a finding changes no delivery. ",
    link("/send", "Check a payload as you write it"), "."],
}, ({ rules }) => list("Rules", ["Rule", "Says", "Source"], rules.map(rule)));

const rule = ({ id, severity, isSilenced, needs, sentence: text, fix, source }) => [
  [h("code", id), h("p.soft",
    present([words(severity), isSilenced && "silenced", needs.length > 0 && `needs ${needs.join(", ")}`]).join(" · "))],
  [sentence(text), fix && h("p.fix", "Right: ", h("code", fix))],
  h("span.soft", cited(source)),
];

export const hygiene = () => answerView({
  title: "Hygiene", path: "/hygiene", lead: "How your back end uses APNs, and what lint says about its pushes.",
}, ({ findings: found }) => (found.length ? found.map(habit) : empty("No findings", setUp())));

const habit = ({ who, count, exampleRequests, exampleConnections, ...finding }) => [
  findings([finding]), h("p.soft", theirs([counted(count, "time"), ...Object.values(who)].join(" · ")), " ",
    exampleRequests.map((number) => [link(`/requests/${number}`, `request ${number}`), " "]),
    exampleConnections.map((number) => [link(`/connections/${number}`, `connection ${number}`), " "])),
];

const STEPS = [["+ 30 seconds", "PT30S"], ["+ 1 minute", "PT1M"], ["+ 1 hour", "PT1H"], ["+ 1 day", "PT24H"]];

export function clock() {
  const body = h("div"), reply = new Reply();
  const by = h("input", { name: "by", placeholder: "such as 90s or PT2H", required: true, autocomplete: "off" });
  const moveBy = async (event) => {
    event.preventDefault();
    if (await change("/clock/advance", "POST", { by: by.value })) by.value = "";
  };
  const set = (text, mode, kind = "step") => button(text, () => change("/clock", "PUT", { mode }), { kind });
  const moves = h("div", { hidden: true },
    h("form.line", { onsubmit: moveBy }, field("Move on by", by), h("button", "Move on")),
    h("p.line", set("Follow real time", "real"),
      button("Reset to real time", () => change("/clock/reset", "POST"), { kind: "step" })));

  async function change(path, method, body) {
    const isDone = await reply.to(ask(path, { method, body }), ({ devices: count }) =>
      count !== undefined && h("p", `Something was due on ${counted(count, "device")}.`));
    await load();
    return isDone;
  }

  const load = () => fill(body, ask("/clock"), ({ mode, now, nextDue, scale }) => {
    const isStopped = mode === "manual";
    const step = (text, way, kind = "step") => button(text, () => change("/clock/advance", "POST", way), { kind });
    moves.hidden = !isStopped;
    return [
      h("p.big", time(now, readable(now))),
      h("p", isStopped ? "The clock is stopped: it moves only when you advance it."
        : scale ? `The clock runs ${scale} times as fast as real time.` : "The clock follows real time."),
      h("p.soft", nextDue ? ["The next event is due at ", time(nextDue, readable(nextDue)), "."] : "Nothing is due."),
      isStopped
        ? h("p.line", nextDue && step("To the next event", { to: nextDue }, "primary"),
          STEPS.map(([text, by]) => step(text, { by })))
        : h("p.line", set("Stop the clock", "manual", "primary")),
    ];
  });

  return {
    element: page({
      title: "Clock", path: "/clock",
      lead: "The gateway and its devices share one clock. Stop and advance it: summaries, Focus schedules, expirations "
        + "and budgets happen in order.",
    }, body, moves, reply.element),
    update: load, clock: load, reload: load,
  };
}

const readable = (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

export function faults() {
  const body = h("div"), reply = new Reply();
  const device = h("input", { name: "device", placeholder: "all devices", autocomplete: "off" });
  const count = h("input", { name: "count", type: "number", min: 1, placeholder: "no limit" });
  const settings = h("div.line.filters", field("Only for device", device), field("Times", count));
  const change = (path, method, body) => reply.to(ask(path, { method, body })).then(load);
  const stop = (name = "") => change(`/faults${name && "/"}${encodeURIComponent(name)}`, "DELETE");
  const start = (scenario) => change("/faults", "POST", {
    scenario, match: device.value ? { device: device.value } : undefined,
    count: count.value ? Number(count.value) : undefined,
  });

  const running = ({ faults }) => faults.length === 0 ? h("p.soft", "No fault is active.") : [
    list("Rules", ["Rule", "When", "Effect", "Fired", "Act"], faults.map((fault) => [
      h("strong", theirs(fault.name)), h("code", theirs(`${fault.stage} ${stated(fault.match)}`)),
      h("code", theirs(stated(fault.effect))),
      `${fault.fired} of ${fault.matched} matched${fault.count ? `, at most ${fault.count}` : ""}`,
      button("Stop", () => stop(fault.name), { about: fault.name }),
    ])),
    faults.length > 1 && h("p.line", button("Stop all", () => stop())),
  ];

  const offered = ({ faults }, { scenarios }) => {
    const names = new Set(faults.map((fault) => fault.name));
    return list("Scenarios", ["No.", "Scenario", "Act"], scenarios.map(({ id, name, summary, rules }) => [
      id && h("code", id), [h("strong", name), h("p.soft", summary)],
      button(rules.some((rule) => names.has(rule.name)) ? "Start again" : "Start", () => start(name), { about: name }),
    ]));
  };

  const load = () => fill(body, Promise.all([ask("/faults"), ask("/fault-scenarios")]), ([rules, list]) => [
    h("h2", "On now"), running(rules), h("h2", "Scenarios"), settings, offered(rules, list),
  ]);

  return {
    element: page({
      title: "Faults", path: "/faults",
      lead: "Failures that APNs has had. Start one, and see how your back end reacts.",
    }, reply.element, body),
    update: load, faults: seldom(load), reload: load,
  };
}

function stated(value) {
  const isEmpty = (member) => member === false || (typeof member === "object" && Object.keys(member).length === 0);
  return JSON.stringify(value, (key, member) => (isEmpty(member) ? undefined : member)) ?? "";
}

export const connections = (place, app) => (place.rest.length
  ? single("connection", place.rest[0], app, oneConnection, (load) => ({ requests: seldom(load) }))
  : allConnections());

const allConnections = () => answerView({
  title: "Connections", lead: "Each client's TLS, SETTINGS, streams, PINGs and provider tokens.",
  path: "/connections",
}, ({ connections }) => connections.length
  ? list("Connections", ["No.", "From", "Protocol", "Opened", "Accepted", "Refused", "Stream limit", "Ended by"],
    connections.slice(-200).reverse().map(row))
  : empty("No connections yet", h("p", "No provider has connected."), h("p", setUp())), (load) => ({
  requests: seldom(() => !isReading() && load()),
}));

const row = (c) => [
  link(`/connections/${c.number}`, c.number), h("code", c.remoteAddress),
  [c.httpVersion ?? words(c.traffic), " ", findingCount(c.findings),
    h("p.soft", c.tls ? [c.tls.version, " ", theirs(c.tls.serverName ?? "no SNI")] : "clear text")],
  time(c.openedAt), c.accepted, c.refused, c.streamLimit,
  c.closedAt ? words(c.ending ?? "closed") : h("span.good", "open"),
];

function oneConnection({ tls, settings, tokens, faults, goAways, findings: found, refusal, ...rest }) {
  const part = (title, values) => values.length > 0 && [h("h2", title), values.map(members)];
  return [
    refusal && h("div.verdict.dropped", h("strong", refusal.reason), h("p", theirs(refusal.diagnosis.message))),
    findings(found), members(rest), h("p", link(`/requests?connection=${rest.number}`, "Its requests")),
    h("h2", "TLS"), tls ? members(tls) : h("p.soft", "Clear text."),
    h("h2", "SETTINGS"), Object.keys(settings).length > 0 ? members(settings) : h("p.soft", "None came."),
    part("Provider tokens", tokens), part("Faults that fired", faults), part("GOAWAYs sent", goAways),
  ];
}
