// One notification: its outcome, what the person saw, and tabs for why, what if, and the request.

import { button, choose, facts, h, payloadOf, theirs, time, words } from "./dom.js";
import { ask, devicePath, picture, sources } from "./api.js";
import { copies } from "./copies.js";
import { chip, deviceLink, fill, findings, headline, level, link, list, members, Reply } from "./page.js";

/** `address(id, tab)` is the page's address of a notification; `reread()` loads it again. */
export function notification(n, tab, { address, app, reread }) {
  // By more than a minute, as with the summary or after a Focus.
  const isLater = n.shownAt && Date.parse(n.shownAt) - Date.parse(n.receivedAt) > 60_000;
  return h("article",
    h("header.head",
      h("a.back", { href: address() }, "‹ Inbox"),
      h("div", h("h2.headline", { tabindex: -1 }, theirs(headline(n))),
        h("p.soft", theirs(n.circumstances?.app?.displayName ?? n.topic), " on ", deviceLink(n.device), " · ",
          time(n.receivedAt), ` · no. ${n.id}`, isLater && [" · shown ", time(n.shownAt)])),
      h("span.sources", h("a.button.small", { href: `/send?from=${n.id}` }, "Send again…"),
        sources(`/notifications/${n.id}`))),
    h("div.verdict." + n.outcome, { role: "group", "aria-label": "Outcome" }, chip(n.outcome), level(n), h("p", n.why)),
    h("div.columns", seen(n, { address, app, reread }), h("div.side", side(n, tab, { address }))));
}

export function side(n, tab = "", { address }) {
  const { draw } = TABS.find(({ name }) => name === tab) ?? TABS[0], ran = n.extension?.verdict;
  const mark = hasFailed(n.extension) ? h("span.chip.dropped", { title: "An extension failed" }, " ✕")
    : h("span.chip.alerted", { title: "An extension ran" }, " ●");
  return [
    h("nav.tabs", { "aria-label": "About this notification" }, TABS.map(({ name, word }) =>
      h("a", { href: address(n.id, name), "aria-current": name === tab && "true" }, word,
        name === "extension" && ran && mark))),
    h("div.tab", draw(n)),
  ];
}

/** Ways in which an extension's run may end without being a failure. */
const ENDS = ["answered", "cancelled"];
const hasFailed = (extension) => extension?.run && !ENDS.includes(extension.run.end);

const PLACES = [
  ["banner", "A banner over what the person was doing"], ["lockScreen", "On the lock screen"],
  ["notificationCenter", "In Notification Center only; the lock screen stayed as it was"],
];

/** Where a Live Activity's alert appeared: the form of its picture, and the words. */
const ACTIVITY_PLACES = {
  lockScreen: ["liveActivity", "A Live Activity that alerted on the lock screen"],
  expanded: ["islandExpanded", "A Live Activity that alerted in the Dynamic Island"],
  banner: ["liveActivity", "A Live Activity that alerted in a banner"],
};

const seen = (n, context) => figure(n, acts(n, context));

/** What the person saw, as a picture with its caption. */
export function figure(n, ...more) {
  const alert = n.timeline.findLast(({ details }) => ACTIVITY_PLACES[details?.presentation])?.details;
  const [form, activity] = ACTIVITY_PLACES[alert?.presentation] ?? [];
  const caption = activity ?? PLACES.find(([place]) => n.presentation?.includes(place))?.[1] ?? "Nothing was shown";
  const path = form ? devicePath(n.device, `/screen.svg?form=${form}`) : `/notifications/${n.id}/picture.svg`;
  const size = form ? {} : { width: 414, height: 868 };
  return h("figure.phone", picture(path, `${caption}: ${headline(n)}`, size),
    h("figcaption", caption, form && "; the picture shows it as it is now"), more);
}

/** Acts that are still possible; the gateway rejects others. */
function acts(n, { address, app, reread }) {
  if (!n.places?.length || n.places[0] === "nextSummary") return null;
  const reply = new Reply();
  const act = (word, made) => button(theirs(word), async () => {
    const chosen = await made(), body = { notification: n.id, ...chosen };
    if (!chosen || !(await reply.to(ask(devicePath(n.device, "/actions"), { method: "POST", body })))) return;
    app.go(address(n.id, "timeline"));
    reread();
  });
  const category = n.circumstances?.app?.categories?.find((one) => one.identifier === n.content?.categoryIdentifier);
  return h("div.acts", act("Tap", () => ({ action: "tap" })),
    (category?.actions ?? []).map((action) => act(action.title, () => performed(action))),
    act("Dismiss", () => ({ action: "dismiss" })), reply.element);
}

async function performed({ identifier, title, textInput }) {
  const act = { action: "perform", actionIdentifier: identifier };
  if (!textInput) return act;
  const text = await choose(title, { field: textInput.placeholder ?? "", button: textInput.buttonTitle });
  return text === undefined ? undefined : { ...act, text };
}

function why({ findings: found, trace, decidedBy, outcome }) {
  const isFree = outcome === "alerted";
  const none = "No rules were tried: it is not an alert, or never reached the device.";
  const stages = [...Map.groupBy(trace ?? [], (rule) => rule.stage)];
  return [findings(found), isFree && h("p.soft", "Nothing stopped it."),
    trace ? h("h3", "Rules, in the order tried") : h("p.soft", none),
    trace && h("ol.trace", stages.map(([name, rules]) =>
      stage(name, rules, !isFree && rules.includes(trace[decidedBy]))))];
}

function stage(name, rules, decides) {
  const answers = rules.filter((rule) => rule.answer), last = answers.at(-1);
  const others = rules.filter((rule) => !rule.answer);
  return h("li" + (decides ? ".decides" : ""), h("details", { open: decides },
    h("summary", h("span.stage", words(name)),
      h("span.answer", last ? words(last.answer) : "passed on", decides && h("span.unseen", " (decided)")),
      h("span.rule", last?.rule ?? `${rules.length} tried`)),
    h("ul", answers.map(ruleLine)), others.length > 0 && h("details.others",
      h("summary", `${others.length} that did not apply`), h("ul", others.map(ruleLine)))));
}

const ruleLine = ({ rule, facts, answer, source }) => h("li." + (answer ? "yes" : "no"),
  h("span.mark", answer ? "✓" : "–"),
  h("span", h("code", rule), " ", facts && theirs(facts), " ", h("strong", answer ? `→ ${words(answer)}` : "no"),
    h("span.source", source)));

/** Other policy inputs, as changes for `POST /preview`. */
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
  if (n.pushType === "liveactivity") {
    return h("p.soft", "Not simulated: what an update of a Live Activity becomes depends on the activity as it was.");
  }
  const rows = situations(n), body = { notification: n.id, changes: rows.map(([, change]) => change) };
  const result = h("div"), call = { method: "POST", body };
  const isSame = (one, other) => one !== other && one.why === other.why && one.outcome === other.outcome;
  fill(result, ask("/preview", call), ({ outcomes }) => list("What if", ["If", "Then"], outcomes.map((one, index) => [
    isSame(one, outcomes[0]) ? h("span.soft", rows[index][0]) : h("strong", rows[index][0]),
    [chip(one.outcome), h("p.soft", one.why)],
  ])));
  return [
    h("p.soft", "The outcome of the same push under other conditions. Nothing is sent, and the device is unchanged."), result,
    h("p.line", sources("/preview", call)),
  ];
}

const payload = ({ request, displayed }) =>
  [payloadOf(request), displayed && [h("h3", "As the person reads it"), members(displayed)]];

function request(n) {
  const { connection, headers } = n.request;
  if (n.origin === "local") return h("p.soft", "No request: an app on the device scheduled this local notification.");
  return [
    facts([
      ["apns-id", n.apnsId], ["apns-unique-id", n.apnsUniqueId], ["environment", n.environment],
      ["priority", n.priority], ["expiration", n.expiration ?? "none"], ["collapse id", n.collapseId ?? "none"],
      ["token", n.token],
      ["connection", connection ? link(`/connections/${connection}`, `no. ${connection}`) : "by hand"],
    ]),
    h("h3", "Headers"), facts(headers.map(({ name, value }) => [name, value])),
  ];
}

function extension(n) {
  if (!n.extension) return h("p.soft", "No service extension: the app has none, and the push does not ask for one.");
  const { verdict, state, message, rule, changes, run } = n.extension;
  const text = (value) => (value === undefined ? "—" : theirs(JSON.stringify(value)));
  const log = (lines) => h("div.code", h("pre", { tabindex: 0 }, lines.map((line) => [theirs(line), "\n"])));
  const { findings: found, log: logged = [], output, ...facets } = run ?? {};
  return [
    h("p", hasFailed(n.extension) && h("span.chip.dropped", "✕ Failed "),
      h("strong", words(verdict ?? state)), message && [" — ", theirs(message)]), rule && h("p.source", rule),
    changes?.length > 0 && [h("h3", "What it changed"), list("Changes", ["Member", "Before", "After"],
      changes.map(({ member, before, after }) => [member, h("del", text(before)), h("ins", text(after))]))],
    run && [h("h3", "Its run"), members(facets), findings(found)],
    logged.length > 0 && [h("h3", "Its log"), log(logged.map(({ level, message }) => `${level}  ${message}`))],
    output && [h("h3", "Other output"), log([output])],
  ];
}

function timeline(n) {
  const told = ([key, value]) => `${words(key)}: ${typeof value === "object" ? JSON.stringify(value) : value}`;
  return list("Timeline", ["At", "Event"], n.timeline.map(({ at, event, details }) => [
    time(at, at.slice(11, 23)),
    [h("strong", words(event)), details && h("p.soft", theirs(Object.entries(details).map(told).join(" · ")))],
  ]));
}

/** In the order of their keys, 1 to 7. */
export const TABS = [
  { name: "", word: "Why", draw: why }, { name: "what-if", word: "What if", draw: whatIf },
  { name: "payload", word: "Payload", draw: payload }, { name: "request", word: "Request", draw: request },
  { name: "extension", word: "Extension", draw: extension }, { name: "timeline", word: "Timeline", draw: timeline },
  { name: "copy", word: "Copy", draw: copies },
];
