// Send: a push being written, with its findings and preview.

import { copyButton, counted, h, seldom, swap, theirs, words } from "./dom.js";
import { ask, curl, devicePath, query } from "./api.js";
import {
  failure, field, findings, notificationLink, offer, page, PUSH_TYPES, Reply, suggest as suggestDevices, verdict,
} from "./page.js";
import { figure } from "./notification.js";

const alert = (aps) => ({ pushType: "alert", priority: 10, payload: { aps } });
const TEMPLATES = {
  Alert: alert({ alert: { title: "Table for two", body: "Tonight at 19:00, by the window." }, sound: "default" }),
  "Time Sensitive": alert({
    alert: { title: "The courier is near", body: "Be at the door in 5 minutes." }, sound: "default",
    "interruption-level": "time-sensitive",
  }),
  Message: alert({
    alert: { title: "Mia Chen", body: "Dinner at eight?" }, sound: "default", "thread-id": "mia", category: "MESSAGE",
    "mutable-content": 1,
  }),
  Background: { pushType: "background", priority: 5, payload: { aps: { "content-available": 1 } } },
};

let draft;

export function send() {
  const names = h("datalist", { id: "devices" }), topics = h("datalist", { id: "topics" });
  const written = (more) => h("input", { autocomplete: "off", spellcheck: "false", ...more });
  const inputs = {
    device: written({ list: "devices", required: true }), topic: written({ list: "topics", required: true }),
    pushType: offer(h("select"), [...Object.keys(PUSH_TYPES).map((type) => [type]), ["", "(none)"]]),
    priority: offer(h("select"), [["10"], ["5"], ["1"]]),
    environment: offer(h("select"), [["", "(the gateway's)"], ["sandbox"], ["production"]]),
    collapseId: written({ placeholder: "none" }),
  };
  const text = h("textarea", {
    name: "payload", spellcheck: "false", rows: 18, "aria-label": "Payload", "aria-describedby": "bytes",
    onkeydown: (event) => {
      if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      if (!event.repeat) form.requestSubmit();
    },
  });
  const bytes = h("span.soft", { id: "bytes" }), reply = new Reply(), judged = h("div"), advice = h("div");
  const template = h("select", { "aria-label": "Template", onchange: () => put(TEMPLATES[template.value] ?? {}) });
  offer(template, [["", "Template…"], ...Object.keys(TEMPLATES).map((name) => [name])]);
  const file = h("input", { type: "file", accept: ".apns,.json", onchange: openFile });
  const form = h("form", { onsubmit: push, oninput: (event) => wasChanged(event.target) },
    h("div.fields", Object.entries(inputs).map(([name, input]) => field(words(name), input))),
    h("div.line", template, h("label.button.small", "Open .apns…", file),
      copyButton(() => curl(call(), { method: "POST", body: text.value }), "Copy as curl"), bytes),
    text, h("p.line", h("button.primary", "Send"), h("kbd", "Ctrl ⏎")), reply.element, names, topics);

  const values = () => Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value]));
  const call = () => {
    const { device, ...rest } = values();
    return devicePath(device, "/push") + query(rest);
  };

  function put({ payload, ...given }) {
    for (const [name, value] of Object.entries(given)) if (value !== undefined) inputs[name].value = value;
    if (payload !== undefined) text.value = typeof payload === "string" ? payload : JSON.stringify(payload, null, 2);
    wasChanged();
  }

  async function openFile() {
    const payload = await file.files[0].text();
    file.value = "";
    put({ payload, topic: appOf(payload) });
  }

  function wasChanged(control) {
    if (control === template || control === file) return;
    isSent = false;
    draft = { ...values(), payload: text.value };
    bytes.textContent = counted(new TextEncoder().encode(text.value).length, "byte");
    clearTimeout(form.timer);
    form.timer = setTimeout(preview, control ? 250 : 0);
    if (control === inputs.device) suggest();
  }

  // What was sent stays beside the form until it changes.
  let turn = 0, isSent = false;
  async function preview() {
    if (isSent) return;
    const mine = ++turn, { device, topic, pushType, priority, environment, collapseId } = values();
    if (!device || !topic) return;
    const given = { payload: text.value };
    for (const [name, value] of Object.entries({ pushType, environment, collapseId })) if (value) given[name] = value;
    const orError = (answer) => answer.catch((error) => ({ error }));
    const [lint, { outcomes, error }] = await Promise.all([
      orError(ask(`/lint${query({ topic, pushType, collapseId })}`, { method: "POST", body: text.value })),
      orError(ask("/preview", { method: "POST", body: { device, topic, priority: Number(priority), ...given } })),
    ]);
    if (mine !== turn) return;
    const [shown] = outcomes ?? [], found = shown?.findings?.length ? shown.findings : lint.findings;
    swap(judged, error && failure(error), shown && [verdict(shown), shown.displayed && card(shown.displayed),
      h("p.soft", "On ", theirs(device), " as it is now; nothing has been sent.")]);
    swap(advice, lint.error && failure(lint.error), found && advised(found));
  }

  async function push(event) {
    event.preventDefault();
    const sent = ({ id }) => h("p", "Sent: ", notificationLink(id));
    clearTimeout(form.timer);
    [isSent, turn] = [true, turn + 1];
    const result = ask(call(), { method: "POST", body: text.value });
    isSent = await reply.to(result, sent);
    if (!isSent) return preview();
    const [number, device] = [(await result).id, values().device];
    const n = await ask(`/notifications/${number}`).catch(() => undefined);
    if (!n || !isSent) return;
    swap(judged, verdict(n), figure(n), h("p.soft", "As it arrived on ", theirs(device), "."));
    swap(advice, advised(n.findings));
  }

  async function suggest() {
    const devices = await suggestDevices(inputs.device, names);
    const registered = new Set(devices.flatMap((device) => device.registrations.map((one) => one.topic)));
    swap(topics, [...registered].map((topic) => h("option", { value: topic })));
    return devices[0];
  }

  const previewSoon = seldom(preview);
  return {
    element: page({ title: "Send a push" }, h("div.columns.send", form,
      h("section.side", { "aria-label": "Findings and preview" }, judged, advice))),
    async update({ query: { device, topic, from } }) {
      put(draft ?? TEMPLATES.Alert);
      if (from) await reply.to(ask(`/notifications/${encodeURIComponent(from)}`), (n) => put(again(n)));
      put({ device, topic });
      const first = await suggest(), registered = first?.registrations[0]?.topic; // The user may type meanwhile.
      if (!inputs.device.value || !inputs.topic.value) put({
        device: inputs.device.value || first?.name || "phone",
        topic: inputs.topic.value || registered || "com.example.app",
      });
    },
    devices: previewSoon, clock: previewSoon, reload: preview,
  };
}

const again = (n) => ({
  device: n.device, topic: n.topic, pushType: n.pushType ?? "", priority: n.priority, environment: n.environment,
  collapseId: n.collapseId ?? "",
  payload: indented(n.request.payloadText ?? ""),
});

function parsed(text) {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

// Not if it would change: large numbers, duplicate names.
function indented(text) {
  const value = parsed(text), withoutSpace = text.replace(/("(?:\\.|[^"\\])*")|\s+/g, "$1");
  return JSON.stringify(value) === withoutSpace ? JSON.stringify(value, null, 2) : text;
}

const appOf = (text) => parsed(text)?.["Simulator Target Bundle"]?.toString();

const advised = (found) => (found.length ? findings(found) : h("p.soft", "No findings."));

const card = ({ appName, label, title, subtitle, body }) =>
  h("div.card", { role: "group", "aria-label": "As the person reads it" },
    h("p.soft", theirs(appName), label && [" · ", theirs(label)]), title && h("p", h("strong", theirs(title))),
    subtitle && h("p", h("strong", theirs(subtitle))), body && h("p", theirs(body)));
