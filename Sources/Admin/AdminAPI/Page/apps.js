// Apps: what the gateway knows of each.

import { code, h, present, seldom, theirs, words } from "./dom.js";
import { curl } from "./api.js";
import { answerView, empty, link, list, members, single } from "./page.js";

// What may this app do, and what runs for its pushes?
export const apps = (place, app) => (place.rest.length ? single("app", place.rest[0], app, one) : all());

const all = () => answerView({
  title: "Apps", path: "/apps", lead: "What each app may do, and what runs for its pushes.",
}, ({ apps }) => (apps.length
  ? list("Apps", ["App", "Extension", "Entitlements", "Categories", "Live Activities"], apps.map(row)) : none()),
(load) => ({ devices: seldom(load), notifications: seldom(load) }));

const row = (a) => [
  [link(`/apps/${encodeURIComponent(a.bundleId)}`, theirs(a.displayName)), h("p.soft", theirs(a.bundleId))],
  ran(a), a.entitlements.map((key) => h("p", theirs(plain(key)))),
  a.categories.map(({ identifier }) => h("p", theirs(identifier))),
  a.liveActivities?.types.map(({ name }) => h("p", theirs(name))),
];

/** `com.apple.developer.usernotifications.time-sensitive` is “Time sensitive”. */
const plain = (key) => words(key.split(".").at(-1).replaceAll("-", " "));

const ran = ({ extension, hasServiceExtension }) =>
  (extension ? words(extension.kind ?? "runs") : hasServiceExtension && h("span.soft", "has one, not run here"));

const none = () => empty("No apps yet", h("p", "An app exists from its first registration. To say what it may do:"),
  code(curl("/apps/com.example.app", { method: "PUT", body: {
    entitlements: ["com.apple.developer.usernotifications.time-sensitive"],
  } })));

function one(app) {
  const { extension, categories, liveActivities, settings, entitlements, localizations, widgets, controls, ...a } = app;
  const part = (title, rows, ...heads) => rows?.length > 0 && [h("h2", title), list(title, heads, rows)];
  return [
    members(a), h("p", link(`/notifications?topic=${encodeURIComponent(a.bundleId)}`, "Its notifications")),
    part("Entitlements", entitlements.map((key) => [plain(key), h("code", theirs(key))]), "May", "Key"),
    h("h2", "Service extension"),
    extension ? members(extension) : h("p.soft", a.hasServiceExtension
      ? "The app has one, but nothing runs for it here." : "None: pushes are shown as they come."),
    part("Categories", categories.map((one) => [theirs(one.identifier),
      theirs(one.actions.map(({ title, textInput }) => title + (textInput ? " (with text)" : "")).join(", "))]),
    "Category", "Buttons"),
    part("Live Activities", liveActivities?.types.map((type) => [theirs(type.name), typed(type.attributes),
      typed(type.contentState)]), "Type", "Attributes", "Content"),
    part("Widgets and controls", [...(widgets ?? []), ...(controls ?? [])].map(({ kind, push }) =>
      [theirs(kind), push ? "has a push handler" : "no push handler"]), "Kind", "Pushes"),
    part("Localizations", Object.entries(localizations).map(([language, texts]) =>
      [theirs(language), Object.keys(texts).length]), "Language", "Texts"),
    h("h2", "Settings on a new device"), members(settings),
  ];
}

const typed = (shape) =>
  present(Object.entries(shape).map(([name, type]) =>
    h("p", h("code", theirs(`${name}: ${typeof type === "string" ? type : JSON.stringify(type)}`)))));

/** A device's tokens, to paste into a request. */
export const tokenList = (registrations) => list("Tokens", ["Topic", "Environment", "Status", "Token"],
  registrations.map(({ topic, environment, status, kind, token }) => [
    theirs(topic), environment, [words(status), kind !== "app" && h("p.soft", words(kind))], h("code.token", token),
  ]));
