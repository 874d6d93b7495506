// Compose a push, with what the linter says and what would become of it.

import { copyButton, h } from "./dom.js";
import { ask, curl, query } from "./api.js";
import { chip, failure as failed, findings, outcome } from "./words.js";

const TEMPLATES = {
  Alert: { aps: { alert: { title: "Table for two", body: "Tonight at 19:00, by the window." }, sound: "default" } },
  "Time Sensitive": { aps: { alert: { title: "The courier is near", body: "Be at the door in 5 minutes." }, sound: "default", "interruption-level": "time-sensitive" } },
  Message: { aps: { alert: { title: "Mia Chen", body: "Dinner at eight?" }, sound: "default", "thread-id": "mia", category: "MESSAGE", "mutable-content": 1 } },
  Passive: { aps: { alert: "New recipes are in.", "interruption-level": "passive", "relevance-score": 0.4 } },
  Badge: { aps: { badge: 3 } },
  Background: { aps: { "content-available": 1 } },
};

export function send(place, app) {
  const field = (label, input, hint) => h("label.field", label, input, hint ? h("span.soft", hint) : null);
  const device = h("input", { name: "device", value: "phone", list: "devices", required: true }), topic = h("input", { name: "topic", value: "com.example.app", list: "topics", required: true });
  const pushType = h("select", ["alert", "background", "voip", "liveactivity", "location", "complication", "fileprovider", "mdm", "pushtotalk", "widgets", "controls", ""].map((t) => h("option", { value: t }, t || "(none)"))), priority = h("select", ["10", "5", "1"].map((p) => h("option", p))), collapse = h("input", { name: "collapse", placeholder: "none" });
  const text = h("textarea", { spellcheck: "false", rows: 16, "aria-label": "Payload", "aria-describedby": "bytes" }), bytes = h("span.soft", { id: "bytes" }), lintList = h("div.lint", { "aria-live": "polite" }), picture = h("figure.phone"), said = h("div.verdict.other", h("p", "…")), sent = h("p", { role: "status" });
  const names = h("datalist", { id: "devices" }), topics = h("datalist", { id: "topics" });
  const template = h("select", { "aria-label": "Template", onchange: () => { if (template.value) { text.value = JSON.stringify(TEMPLATES[template.value], null, 2); pushType.value = template.value === "Background" ? "background" : "alert"; priority.value = template.value === "Background" ? "5" : "10"; check(); } } }, h("option", { value: "" }, "Template…"), Object.keys(TEMPLATES).map((t) => h("option", t)));
  const file = h("input", { type: "file", accept: ".apns,.json", onchange: async () => { text.value = await file.files[0].text(); check(); } });
  const path = () => `/devices/${encodeURIComponent(device.value)}/push${query({ topic: topic.value, pushType: pushType.value, priority: priority.value, collapseId: collapse.value })}`;
  let timer, run = 0;
  const check = () => { bytes.textContent = `${new TextEncoder().encode(text.value).length} of 4096 bytes`; clearTimeout(timer); timer = setTimeout(preview, 250); };

  async function preview() {
    const mine = ++run;
    let payload;
    try { payload = JSON.parse(text.value); } catch (error) { lintList.replaceChildren(h("div.finding.error", h("p", h("strong", "Not JSON"), " ", error.message))); return; }
    const [lint, what] = await Promise.all([ask(`/lint${query({ topic: topic.value, pushType: pushType.value })}`, { method: "POST", body: text.value }).catch((e) => ({ findings: [{ severity: "error", message: e.message, id: "request", source: "" }] })), ask("/preview", { method: "POST", body: { device: device.value, topic: topic.value, pushType: pushType.value, priority: priority.value, payload } }).catch((error) => ({ error }))]);
    if (mine !== run) return;
    const shown = what.outcomes?.[0], list = shown?.findings?.length ? shown.findings : lint.findings;
    lintList.replaceChildren(...(list.length ? findings(list) : [h("p.soft", "Nothing to complain about.")]));
    if (!shown) { said.className = "verdict dropped"; said.replaceChildren(h("p", what.error?.message ?? "No preview.")); return; }
    said.className = `verdict ${outcome(shown).tone}`;
    said.replaceChildren(chip(shown), h("p", shown.why ?? outcome(shown).sentence));
  }

  async function push(event) {
    event?.preventDefault();
    try { const { id } = await ask(path(), { method: "POST", body: text.value }); sent.replaceChildren("Sent: ", h("a", { href: `/notifications/${id}` }, `notification ${id}`)); } catch (error) { sent.replaceChildren(failed(error)); }
  }

  text.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) push(event); });
  const form = h("form", { onsubmit: push, oninput: check }, h("div.fields", field("Device", device), field("Topic", topic), field("Push type", pushType), field("Priority", priority), field("Collapse id", collapse)), h("div.line", template, h("label.button.small", "Open .apns…", file), copyButton(() => curl(path(), { method: "POST", body: text.value }), "Copy as curl"), bytes), text, h("p.line", h("button.primary", "Send"), h("kbd", "Ctrl ⏎"), sent), names, topics);
  const element = h("section.page.full", h("h1", "Send a push"), h("div.columns.send", form, h("div.side", said, lintList), picture));
  return {
    element,
    async update({ query: wanted }) {
      text.value ||= JSON.stringify(TEMPLATES.Alert, null, 2);
      if (wanted.device) device.value = wanted.device;
      if (wanted.topic) topic.value = wanted.topic;
      if (wanted.from) { const n = await ask(`/notifications/${wanted.from}`).catch(() => undefined); if (n) { device.value = n.device; topic.value = n.topic; pushType.value = n.pushType ?? ""; priority.value = String(n.priority); text.value = JSON.stringify(n.request.payload, null, 2); } }
      const { devices } = await ask("/devices?limit=200").catch(() => ({ devices: [] }));
      names.replaceChildren(...devices.filter((d) => !d.name.startsWith("~")).map((d) => h("option", { value: d.name })));
      topics.replaceChildren(...[...new Set(devices.flatMap((d) => d.registrations.map((r) => r.topic)))].map((t) => h("option", { value: t })));
      check();
    },
  };
}
