// The views that are tables of what the gateway answers. Each is a function of its place (app.js).

import { h, json, time } from "./dom.js";
import { ask, query } from "./api.js";
import { failure as failed, fill as fillWith } from "./words.js";

const page = (title, text, ...children) => h("section.page", h("h1", title), text ? h("p.lead", text) : null, ...children);

export function requests(place, app) {
  const body = h("tbody"), detail = h("div"), from = h("select", { "aria-label": "From", onchange: () => load() }, h("option", { value: "providers" }, "from providers"), h("option", { value: "all" }, "pushes by hand, too")), only = h("select", { "aria-label": "Status", onchange: () => load() }, [["", "all answers"], ["400", "400"], ["403", "403"], ["410", "410"], ["413", "413"], ["429", "429"], ["503", "503"], ["200", "200"]].map(([value, text]) => h("option", { value }, text)));
  const load = async () => {
    try {
      const { requests: all } = await ask(`/requests${query({ limit: 1000, status: only.value })}`), list = all.filter((r) => from.value === "all" || r.authentication !== "admin");
      body.replaceChildren(...list.slice(-200).reverse().map((r) => h("tr", h("td.tight", h("a", { href: `/requests/${r.number}` }, r.number)), h("td.tight", time(r.receivedAt)), h("td.tight", h("span.status-code." + (r.status === 200 ? "good" : "bad"), r.status ?? "none")), h("td", h("strong", r.reason ?? ""), r.diagnosis ? h("p.soft", r.diagnosis.message) : null), h("td.tight", r.topic ?? "—", h("p.soft", r.token ? h("code", `${r.token.slice(0, 12)}…`) : "")), h("td.tight", r.notification ? h("a", { href: `/notifications/${r.notification}` }, `notification ${r.notification}`) : ""))));
      if (!list.length) body.replaceChildren(h("tr", h("td", { colspan: 6 }, "Nobody has pushed yet.")));
    } catch (error) { body.replaceChildren(h("tr", h("td", { colspan: 6 }, failed(error)))); }
  };
  app.count("requests", 0);
  return {
    element: page("Requests", "What your back end asked, what APNs would have answered, and what that word means.", h("p.line", from, only), detail, h("table", h("thead", h("tr", ["No.", "When", "Answer", "Reason, and what it means", "Topic, token", "Became"].map((t) => h("th", { scope: "col" }, t)))), body)),
    update({ rest: [number] }) {
      load();
      detail.replaceChildren();
      if (number) fillWith(detail, ask(`/requests/${number}`), (r) => [h("h2", `Request ${number}: ${r.status ?? "no answer"} ${r.reason ?? ""}`), r.diagnosis ? h("div.finding.error", h("p", r.diagnosis.message), h("p.source", r.diagnosis.id)) : null, json(r)]);
    },
    requests: load, reload: load,
  };
}

export function lint() {
  const body = h("div");
  return { element: page("Lint", ["The rules that payloads are held against; a finding changes no delivery. ", h("a", { href: "/send" }, "Check a payload as you write it"), "."], body), update: () => fillWith(body, ask("/lint"), ({ rules }) => h("table", h("thead", h("tr", ["Rule", "Says", "Source"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", rules.map((r) => h("tr", h("td", h("code", r.id), h("p.soft", r.severity)), h("td", r.sentence, r.fix ? h("p", h("code", r.fix)) : null), h("td.soft", r.source)))))) };
}

export function clock() {
  const body = h("div"), load = () => fillWith(body, ask("/clock"), (c) => {
    const put = (path, method, value) => async () => { try { await ask(path, { method, body: value }); } catch (error) { alert(error.message); } load(); };
    return [h("p.big", h("time", { datetime: c.now }, c.now.replace("T", "  ").slice(0, 20))), h("p", c.mode === "manual" ? "The clock is stopped: it moves when you move it." : "The clock follows real time."), c.nextDue ? h("p.soft", `Next something is due: ${c.nextDue}`) : null,
      h("p.line", c.mode === "manual" ? [["1 minute", "PT1M"], ["30 seconds", "PT30S"], ["1 hour", "PT1H"], ["1 day", "PT24H"]].map(([t, by]) => h("button", { type: "button", onclick: put("/clock/advance", "POST", { by }) }, `+ ${t}`)) : h("button.primary", { type: "button", onclick: put("/clock", "PUT", { mode: "manual" }) }, "Stop the clock"), c.mode === "manual" && c.nextDue ? h("button.primary", { type: "button", onclick: put("/clock/advance", "POST", { to: c.nextDue }) }, "To what is due next") : null, c.mode === "manual" ? h("button", { type: "button", onclick: put("/clock", "PUT", { mode: "real" }) }, "Follow real time") : null)];
  });
  return { element: page("Clock", "Gateway and devices go by one clock. Stop it, and move on: summaries, Focus schedules, expirations and budgets happen in order.", body), update: load, clock: load };
}

export function faults() {
  const active = h("div"), all = h("div"), load = () => {
    fillWith(active, ask("/faults"), ({ faults }) => [faults.length ? h("table", h("tbody", faults.map((f) => h("tr", h("td", h("strong", f.name)), h("td", `${f.fired} of ${f.matched} fired`), h("td", h("button.small", { type: "button", onclick: async () => { await ask(`/faults/${encodeURIComponent(f.name)}`, { method: "DELETE" }); load(); } }, "Stop")))))) : h("p.soft", "No fault is on: everything works.")]);
    fillWith(all, ask("/fault-scenarios"), ({ scenarios }) => h("table", h("tbody", scenarios.map((s) => h("tr", h("td", h("code", s.id)), h("td", h("strong", s.name), h("p.soft", s.summary)), h("td", h("button.small", { type: "button", onclick: async () => { await ask("/faults", { method: "POST", body: { scenario: s.id } }); load(); } }, "Start")))))));
  };
  return { element: page("Faults", "Days on which APNs went wrong. Start one, and see what your back end makes of it.", h("h2", "On now"), active, h("h2", "Scenarios"), all), update: load };
}

export function connections() {
  const body = h("div"), load = (number) => fillWith(body, ask(number ? `/connections/${number}` : "/connections"), (answer) => number ? json(answer) : answer.connections.length ? h("table", h("thead", h("tr", ["No.", "Kind", "Protocol", "TLS", "Accepted", "Refused", "Streams"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", answer.connections.slice(-200).reverse().map((c) => h("tr", h("td", h("a", { href: `/connections/${c.number}` }, c.number)), h("td", c.traffic), h("td", c.httpVersion ?? "—"), h("td", c.tls ? `${c.tls.version} ${c.tls.serverName ?? "no SNI"}` : "clear text"), h("td", c.accepted), h("td", c.refused), h("td", c.streamLimit))))) : h("p.soft", "No provider has connected yet."));
  return { element: page("Connections", "What each client is: TLS, SETTINGS, streams, PINGs, provider tokens.", body), update: ({ rest: [number] }) => load(number) };
}
