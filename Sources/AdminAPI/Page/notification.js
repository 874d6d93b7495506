// One notification: what became of it, what the person saw, and in tabs why, what if, and what was sent.

import { choose, copyButton, facts, h, payloadOf, table, theirs, time } from "./dom.js";
import { ask, devicePath, picture, sources } from "./api.js";
import { chip, fill, findings, headline, level, outcome } from "./words.js";

/** `address(id, tab)` is the page's address of a notification; `reread()` asks for it again. */
export function notification(n, tab, { address, app, reread }) {
  return h("article",
    h("header.head",
      h("a.back", { href: address() }, "‹ Inbox"),
      h("div", h("h2.headline", { tabindex: -1 }, theirs(headline(n))),
        h("p.soft", theirs(n.circumstances?.app?.displayName ?? n.topic), " on ",
          h("a", { href: devicePath(n.device) }, theirs(n.device)), " · ", time(n.receivedAt), ` · no. ${n.id}`,
          isLater(n.shownAt, n.receivedAt) && [" · shown ", time(n.shownAt)])),
      h("details.menu", h("summary", { "aria-label": "More" }, "⋯"),
        h("div", sources(`/notifications/${n.id}`), h("a.button.small", { href: `/send?from=${n.id}` }, "Send again…"),
          copyButton(() => n.request.payloadText ?? n.request.payloadBase64, "Copy payload")))),
    h("div.verdict." + outcome(n).tone, { role: "group", "aria-label": "Outcome" }, chip(n), level(n), h("p", n.why)),
    h("div.columns", seen(n, { address, app, reread }), side(n, tab, { address })));
}

/** By more than a minute, as with the summary or after a Focus. */
const isLater = (time, other) => time !== undefined && Date.parse(time) - Date.parse(other) > 60_000;

/** The tabs, and what the chosen one shows. */
export function side(n, tab = "", { address }) {
  const { draw } = TABS.find(({ name }) => name === tab) ?? TABS[0], ran = n.extension?.verdict;
  return h("div.side",
    h("nav.tabs", { "aria-label": "About this notification" }, TABS.map(({ name, word }) =>
      h("a", { href: address(n.id, name), "data-tab": name, "aria-current": name === tab ? "true" : null }, word,
        name === "extension" && ran && h("span.dot-mark", { title: "An extension ran" })))),
    h("div.tab", draw(n)));
}

// ── What the person saw ──────────────────────────────────────────────────────────────────────────

const PLACES = [
  ["banner", "A banner over what the person was doing"], ["lockScreen", "On the lock screen"],
  ["notificationCenter", "In Notification Center only; the lock screen stayed as it was"],
];

function seen(n, context) {
  const caption = PLACES.find(([place]) => n.presentation?.includes(place))?.[1] ?? "Nothing was shown";
  const alt = `${caption}: ${headline(n)}`;
  return h("figure.phone", picture(`/notifications/${n.id}/picture.svg`, alt, { width: 414, height: 868 }),
    h("figcaption", caption), acts(n, context));
}

/** What the person can still do with it; the gateway refuses anything else. */
function acts(n, { address, app, reread }) {
  if (!n.places?.length || n.places[0] === "nextSummary") return null;
  const problem = h("p.bad", { role: "alert" });
  const button = (word, act) => h("button.small", { type: "button", onclick: async () => {
    try {
      const body = await act();
      if (!body) return;
      await ask(devicePath(n.device, "/actions"), { method: "POST", body: { notification: n.id, ...body } });
      app.go(address(n.id, "timeline"));
      reread();
    } catch (error) {
      problem.textContent = error.message;
    }
  } }, theirs(word));
  const category = n.circumstances?.app?.categories?.find((one) => one.identifier === n.content?.categoryIdentifier);
  return h("div.acts", button("Tap", () => ({ action: "tap" })),
    (category?.actions ?? []).map((action) => button(action.title, () => performed(action))),
    button("Dismiss", () => ({ action: "dismiss" })), problem);
}

async function performed({ identifier, title, textInput }) {
  const act = { action: "perform", actionIdentifier: identifier };
  if (!textInput) return act;
  const text = await choose(title, { field: textInput.placeholder ?? "", button: textInput.buttonTitle });
  return text === undefined ? undefined : { ...act, text };
}

// ── Why ──────────────────────────────────────────────────────────────────────────────────────────

/** Findings, then the rules that were tried: a stage's answer, and folded behind it what was asked. */
function why(n) {
  const stages = Map.groupBy(n.trace ?? [], (rule) => rule.stage), deciding = n.trace?.[n.decidedBy];
  return [
    findings(n.findings ?? []),
    stages.size > 0 ? h("h3", "Rules, in the order tried")
      : h("p.soft", "No rules were tried: it is no alert, or never reached the device."),
    stages.size > 0 && h("ol.trace", [...stages].map(([name, rules]) => stage(name, rules, rules.includes(deciding)))),
  ];
}

function stage(name, rules, decides) {
  const answer = rules.findLast((rule) => rule.answer);
  return h("li" + (decides ? ".decides" : ""), h("details", { open: decides },
    h("summary", h("span.stage", name),
      h("span.answer", answer?.answer ?? "passed on", decides && h("span.unseen", " (decided)")),
      h("span.rule", answer?.rule ?? `${rules.length} tried`)),
    h("ul", rules.map(({ rule, facts, answer, source }) => h("li." + (answer ? "yes" : "no"),
      h("span.mark", answer ? "✓" : "–"),
      h("span", h("code", rule), " ", facts && theirs(facts), " ", h("strong", answer ? `→ ${answer}` : "no"),
        h("span.source", source)))))));
}

// ── What if ──────────────────────────────────────────────────────────────────────────────────────

/** Other circumstances, as `POST /preview` changes them. */
function situations(n) {
  const { focus, isOnline } = n.circumstances?.device ?? {};
  const others = (focus?.modes ?? []).filter((mode) => mode.id !== focus.active);
  const focusOn = (active, more) => ({ device: { focus: { active, ...more } } });
  return [
    ["As it was", {}],
    ...(focus?.active ? [["Without the Focus", focusOn(null)]] : []),
    ...others.map((mode) => [`In the Focus “${mode.name || mode.id}”`, focusOn(mode.id)]),
    ...(focus?.modes?.length ? []
      : [["In a Focus “Work” that allows nobody", focusOn("work", { modes: [{ id: "work", name: "Work" }] })]]),
    ["Unlocked, in another app", { device: { isLocked: false, isScreenOn: true, foregroundApp: null } }],
    ["With the app in front", { device: { isLocked: false, isScreenOn: true, foregroundApp: n.topic } }],
    ["Ring switch on silent", { device: { ringSwitch: "silent" } }],
    ["Locked, with previews hidden", { device: { isLocked: true, showPreviews: "never" } }],
    ["Scheduled summary on for the app",
      { device: { summary: { isEnabled: true } }, settings: { scheduledDelivery: "enabled" } }],
    ["Notifications turned off", { settings: { authorizationStatus: "denied" } }],
    isOnline === false ? ["Online", { device: { isOnline: true } }] : ["Offline", { device: { isOnline: false } }],
  ];
}

function whatIf(n) {
  const rows = situations(n), body = { notification: n.id, changes: rows.map(([, change]) => change) };
  const result = h("div"), call = { method: "POST", body };
  const isSame = (one, other) => one !== other && one.why === other.why && outcome(one).label === outcome(other).label;
  fill(result, ask("/preview", call), ({ outcomes }) => table(["If", "Then"], outcomes.map((one, index) =>
    h("tr" + (isSame(one, outcomes[0]) ? ".same" : ""),
      h("th", { scope: "row" }, rows[index][0]), h("td", chip(one), h("p.soft", one.why)))), ".matrix"));
  return [
    h("p.soft", "What the same push would become. Nothing is sent, and the device stays as it is."), result,
    h("p.line", sources("/preview", call)),
  ];
}

// ── What was sent, and what happened ─────────────────────────────────────────────────────────────

function payload(n) {
  const texts = Object.entries(n.displayed ?? {}).filter(([, value]) => typeof value !== "object");
  return [
    payloadOf(n.request),
    texts.length ? [h("h3", "As the person reads it"), facts(texts)] : null,
  ];
}

function request(n) {
  const { connection, headers } = n.request;
  if (n.origin === "local") return h("p.soft", "No request: an app on the device scheduled this local notification.");
  return [
    facts([
      ["apns-id", n.apnsId], ["apns-unique-id", n.apnsUniqueId], ["environment", n.environment],
      ["priority", n.priority], ["expiration", n.expiration ?? "none"], ["collapse id", n.collapseId ?? "none"],
      ["token", n.token],
      ["connection", connection ? h("a", { href: `/connections/${connection}` }, `no. ${connection}`) : "by hand"],
    ]),
    h("h3", "Headers"), facts(headers.map(({ name, value }) => [name, value])),
  ];
}

const RUN = ["end", "detail", "answerSource", "startUpMilliseconds", "answerMilliseconds", "peakMemoryBytes"];

function extension(n) {
  const found = n.extension;
  if (!found) return h("p.soft", "No service extension: the app has none, and the push does not ask for one.");
  const { verdict, state, message, rule, changes, run } = found;
  const text = (value) => (value === undefined ? "—" : theirs(JSON.stringify(value)));
  const log = (lines) => h("div.code", h("pre", { tabindex: 0 }, lines.map((line) => [theirs(line), "\n"])));
  const diff = changes?.map(({ member, before, after }) =>
    h("tr", h("th", { scope: "row" }, member), h("td", h("del", text(before))), h("td", h("ins", text(after)))));
  return [
    h("p", h("strong", verdict ?? state), message && [" — ", theirs(message)]), rule && h("p.source", rule),
    diff?.length > 0 && [h("h3", "What it changed"), table(["Member", "Before", "After"], diff, ".matrix")],
    run && [h("h3", "Its run"), facts(RUN.map((key) => [key, run[key]])), findings(run.findings)],
    run?.log.length > 0 && [h("h3", "Its log"), log(run.log.map(({ level, message }) => `${level}  ${message}`))],
    run?.output && [h("h3", "Other output"), log([run.output])],
  ];
}

function timeline(n) {
  const told = ([key, value]) => `${key} ${typeof value === "object" ? JSON.stringify(value) : value}`;
  return h("ol.timeline", n.timeline.map(({ at, event, details }) => h("li",
    h("time.at", { datetime: at, title: at }, at.slice(11, 23)), h("strong", event),
    details ? h("span.soft", theirs(Object.entries(details).map(told).join(" · "))) : null)));
}

/** In the order of their keys, 1 to 6. */
export const TABS = [
  { name: "", word: "Why", draw: why }, { name: "what-if", word: "What if", draw: whatIf },
  { name: "payload", word: "Payload", draw: payload }, { name: "request", word: "Request", draw: request },
  { name: "extension", word: "Extension", draw: extension }, { name: "timeline", word: "Timeline", draw: timeline },
];
