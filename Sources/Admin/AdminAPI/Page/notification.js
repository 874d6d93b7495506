// One notification: its outcome, what the person saw, and tabs.

import { button, choose, facts, h, headersOf, payloadOf, theirs, time, words } from "./dom.js";
import { appearance, ask, devicePath, drawing, picture, query, sources } from "./api.js";
import {
  chip, cited, deviceLink, field as labelled, fill, findings, hasFailed, headline, link, list, members, Reply, told,
  verdict,
} from "./page.js";

export function notification(n, tab, context) {
  const isLater = n.shownAt && Date.parse(n.shownAt) - Date.parse(n.receivedAt) > 60_000;
  return h("article",
    h("header.head",
      h("a.back", { href: context.address() }, "‹ Inbox"),
      h("div", h("h2.headline", { tabindex: -1 }, theirs(headline(n))),
        h("p.soft", theirs(n.circumstances?.app?.displayName ?? n.topic), " on ", deviceLink(n.device), " · ",
          time(n.receivedAt), ` · no. ${n.id}`, isLater && [" · shown ", time(n.shownAt)])),
      h("span.sources", h("a.button.small", { href: `/send?from=${n.id}` }, "Send again…"),
        sources(`/notifications/${n.id}`))),
    verdict(n),
    h("div.columns", figure(n, acts(n, context)), h("div.side", side(n, tab, context))));
}

export function side(n, tab = "", context) {
  const { draw } = TABS.find(({ name }) => name === tab) ?? TABS[0], ran = n.extension?.verdict;
  const mark = hasFailed(n.extension?.run?.end) ? h("span.chip.dropped", { title: "An extension failed" }, "✕")
    : h("span.chip.alerted", { title: "An extension ran" }, "●");
  return [
    h("nav.tabs", { "aria-label": "About this notification" }, TABS.map(({ name, word }) =>
      h("a", { href: context.address(n.id, name), "aria-current": name === tab && "true" }, word,
        name === "extension" && ran && [" ", mark]))),
    h("div.tab", draw(n, context)),
  ];
}

const PLACES = [
  ["banner", "A banner over what the person was doing"], ["lockScreen", "On the lock screen"],
  ["notificationCenter", "In Notification Center only; the lock screen stayed as it was"],
];

const ACTIVITY_PLACES = {
  lockScreen: "A Live Activity that alerted on the lock screen",
  expanded: "A Live Activity that alerted in the Dynamic Island",
  banner: "A Live Activity that alerted in a banner",
  inApp: "A Live Activity that alerted while its app was in front",
};
const ACTIVITY_FORMS = {
  liveActivity: "Lock screen", islandExpanded: "Island, expanded", islandCompact: "Compact", islandMinimal: "Minimal",
  standBy: "StandBy",
};
const FORMS = {
  lockScreen: "Lock screen", banner: "Banner", expanded: "Expanded", notificationCenter: "Center", watch: "Watch",
  carPlay: "CarPlay", homeIcon: "Icon",
};

const FACES = {
  background: "Nothing is shown: the app ran in the background", widgets: "Only the app's widgets changed",
  controls: "Only the app's control changed", complication: "Only the watch face changed",
  voip: "Nothing is shown: the app was woken for a call", pushtotalk: "Nothing is shown: the app lets people talk",
  fileprovider: "Nothing is shown: the app's files may have changed",
  mdm: "Nothing is shown: the device asks its server",
  location: "Nothing is shown: the app's extension reports the location",
  liveactivity: "A Live Activity, without an alert",
};

function face(n) {
  if (n.outcome === "waiting") return "Nothing is shown while it waits";
  const told = (kind) => n.timeline.find(({ event }) => event === kind), talk = told("pttResult")?.details;
  if (told("callReported")) return "An incoming call";
  if (talk?.reply === "participant" && !talk.error) return "Push to Talk: who speaks";
  if (n.outcome === "deferred" && n.shownAt) return "In the scheduled summary";
  return (n.state === "delivered" && FACES[n.pushType]) || "Nothing was shown";
}

export function figure(n, ...more) {
  const alert = n.timeline.findLast(({ event }) => event === "activityAlert")?.details;
  const isActivity = n.pushType === "liveactivity" && n.state === "delivered";
  const isInApp = alert && alert.presentation === "none" && !alert.suppressedBy;
  const shown = PLACES.find(([place]) => n.presentation?.includes(place))?.[1];
  const caption = ACTIVITY_PLACES[isInApp ? "inApp" : alert?.presentation] ?? shown ?? face(n);
  const path = `/notifications/${n.id}/picture.svg`, said = h("figcaption", caption);
  const size = isActivity ? {} : { width: 414, height: 868 };
  const image = picture(path, `${caption}: ${headline(n)}`, size);
  const forms = isActivity ? ACTIVITY_FORMS : n.presentation?.length > 0 && FORMS;
  const show = (name) => button(forms[name], ({ currentTarget }) => {
    for (const one of currentTarget.parentNode.children) one.ariaPressed = one === currentTarget;
    image.classList.toggle("is-small", !isActivity && ["watch", "carPlay", "homeIcon"].includes(name));
    image.refresh(path + query({ form: name }));
  }, { kind: "plain.small" });
  return h("figure.phone", image, said,
    forms && h("p.forms", { role: "group", "aria-label": "Drawn as" }, Object.keys(forms).map(show)), more);
}

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

function why({ findings: found, trace, decidedBy, outcome, timing }) {
  // No single rule decided what is delivered at once.
  const isFree = outcome === "alerted" || timing === "now";
  const none = "No rules were tried: it is no alert, or has not reached the device.";
  const stages = [...Map.groupBy(trace ?? [], (rule) => rule.stage)];
  return [findings(found), outcome === "alerted" && h("p.soft", "Nothing stopped it."),
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
    h("span.source", cited(source))));

function situations(n) {
  const { focus, isOnline } = n.circumstances?.device ?? {};
  const others = (focus?.modes ?? []).filter((mode) => mode.id !== focus.active);
  const focusOn = (active, more) => ({ device: { focus: { active, ...more } } });
  return [
    ["As it was", {}],
    ...(focus?.active ? [["Without the Focus", focusOn(null)]] : []),
    ...others.map((mode) => [`In the Focus “${mode.name || mode.id}”`, focusOn(mode.id)]),
    ["In Do Not Disturb", focusOn("dnd", { modes: [{ id: "dnd", name: "Do Not Disturb" }] })],
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

// What would she see in Do Not Disturb?
function whatIf(n, { address, app }) {
  if (n.pushType === "liveactivity") {
    return h("p.soft", "Not simulated: what an update of a Live Activity becomes depends on the activity as it was.");
  }
  const own = new URLSearchParams(location.search).get("if") ?? "", rows = situations(n);
  if (own) rows.splice(1, 0, [["Yours: ", h("code", theirs(own))], changeOf(own)]);
  const body = { notification: n.id, changes: rows.map(([, change]) => change) }, call = { method: "POST", body };
  const asked = { ...body, pictures: appearance() };
  const result = h("div"), isSame = (one, other) =>
    one !== other && one.why === other.why && one.outcome === other.outcome;
  fill(result, ask("/preview", { method: "POST", body: asked }), ({ outcomes }) =>
    list("What if", ["If", "Then", "Seen"], outcomes.map((one, index) => [
      isSame(one, outcomes[0]) ? h("span.soft", rows[index][0]) : h("strong", rows[index][0]),
      [chip(one.outcome), h("p.soft", one.why)],
      drawing(one.picture, isSame(one, outcomes[0]) ? "" : one.why),
    ])));
  const field = h("input", { name: "if", value: own, list: "conditions", autocomplete: "off", spellcheck: "false",
    placeholder: "such as isLocked=false, ringSwitch=silent" });
  const onsubmit = (event) => {
    event.preventDefault();
    const at = address(n.id, "what-if"), more = query({ if: field.value.trim() }).slice(1);
    app.go(at + (more && (at.includes("?") ? "&" : "?") + more));
  };
  return [
    h("p.soft", "The outcome of the same push under other conditions. Nothing is sent, and the device is unchanged."),
    h("form.line", { onsubmit }, labelled("Your own conditions", field), h("button", "Add a row"),
      h("a.button", { href: `/send?from=${n.id}` }, "Change the payload…")),
    h("datalist", { id: "conditions" }, conditions(n).map((value) => h("option", { value }))),
    result, h("p.line", sources("/preview", call)),
  ];
}

/** `isLocked=false, settings.sound=disabled` for `POST /preview`. */
function changeOf(text) {
  const change = {};
  for (const [, path, value] of text.matchAll(/([\w.]+)\s*=\s*([^,]*)/g)) {
    const names = path.split("."), isSetting = names[0] === "settings" || names[0] === "app";
    const parts = isSetting ? names : ["device", ...names], last = parts.pop();
    const place = parts.reduce(
      (object, name) => Object.hasOwn(object, name) ? object[name] : (object[name] = {}), change);
    try { place[last] = JSON.parse(value); } catch { place[last] = value.trim(); }
  }
  return change;
}

const conditions = ({ circumstances: { device, settings } }) => [["", device], ["settings.", settings]].flatMap(
  ([prefix, object]) => Object.entries(object).filter(([, value]) => typeof value !== "object")
    .map(([name, value]) => `${prefix}${name}=${typeof value === "boolean" ? !value : ""}`));

function beforeAndAfter(n) {
  const body = h("div"), asked = { notification: n.id, pictures: appearance() };
  const half = (extension) => ask("/preview", { method: "POST", body: { ...asked, extension } });
  fill(body, Promise.all(["original", "after"].map(half)), (answers) =>
    h("div.screens", answers.map(({ outcomes: [one] }, index) => h("figure", drawing(one.picture, one.why),
      h("figcaption", index ? "With the extension" : "Without the extension")))));
  return body;
}

const payload = ({ request, displayed }) =>
  [payloadOf(request), displayed && [h("h3", "As the person reads it"), members(displayed)]];

function request(n) {
  const { connection } = n.request;
  if (n.origin === "local") return h("p.soft", "No request: an app on the device scheduled this local notification.");
  return [
    facts([
      ["apns-id", n.apnsId], ["apns-unique-id", n.apnsUniqueId], ["environment", n.environment],
      ["priority", n.priority], ["expiration", n.expiration ?? "none"], ["collapse id", n.collapseId ?? "none"],
      ["token", n.token],
      ["connection", connection ? link(`/connections/${connection}`, `no. ${connection}`) : "by hand"],
    ]),
    headersOf(n.request),
  ];
}

function extension(n) {
  if (!n.extension) return h("p.soft", "No service extension: the app has none, and the push does not ask for one.");
  const { verdict, state, message, rule, changes, run } = n.extension;
  const text = (value) => (value === undefined ? "—" : theirs(JSON.stringify(value)));
  const log = (lines) => h("div.code", h("pre", { tabindex: 0 }, lines.map((line) => [theirs(line), "\n"])));
  const { findings: found, log: logged = [], output, ...facets } = run ?? {};
  return [
    h("p", hasFailed(run?.end) && [h("span.chip.dropped", "✕ Failed"), " "],
      h("strong", words(verdict ?? state)), message && [" — ", theirs(message)]), rule && h("p.source", rule),
    changes?.length > 0 && beforeAndAfter(n),
    changes?.length > 0 && [h("h3", "What it changed"), list("Changes", ["Member", "Before", "After"],
      changes.map(({ member, before, after }) => [member, h("del", text(before)), h("ins", text(after))]))],
    run && [h("h3", "Its run"), members(facets), findings(found)],
    logged.length > 0 && [h("h3", "Its log"), log(logged.map(({ level, message }) => `${level}  ${message}`))],
    output && [h("h3", "Other output"), log([output])],
  ];
}

/** Details whose values are the gateway's own names. */
const SPOKEN = /^(choices|kind|presentation|reason|section|why)$/;

function timeline(n) {
  const said = ([name, value]) => told(name, SPOKEN.test(name) ? [value].flat().map(words) : value).join(": ");
  return list("Timeline", ["At", "Event"], n.timeline.map(({ at, event, details }) => [
    time(at, at.slice(11, 23)),
    [h("strong", words(event)), details && h("p.soft", theirs(Object.entries(details).map(said).join(" · ")))],
  ]));
}

function copy(n) {
  const body = h("div");
  fill(body, import("./copies.js"), ({ copies }) => copies(n));
  return body;
}

export const TABS = [
  { name: "", word: "Why", draw: why }, { name: "what-if", word: "What if", draw: whatIf },
  { name: "payload", word: "Payload", draw: payload }, { name: "request", word: "Request", draw: request },
  { name: "extension", word: "Extension", draw: extension }, { name: "timeline", word: "Timeline", draw: timeline },
  { name: "copy", word: "Copy", draw: copy },
];
