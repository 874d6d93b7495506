// The gateway's one-word answers as a mark, a label and a colour; in sentences the gateway says them itself (`why`).

import { h, swap, theirs } from "./dom.js";

const TIMINGS = {
  now: ["alerted", "Alerted"],
  quiet: ["quiet", "Quietly listed"],
  foreground: ["other", "Left to the app"],
  silencedByFocus: ["quiet", "Silenced by Focus"],
  deferredToSummary: ["deferred", "For the summary"],
  notAllowed: ["dropped", "Not shown"],
  nothingToShow: ["other", "Nothing to show"],
};
const MARKS = { alerted: "●", quiet: "☾", deferred: "≡", waiting: "‖", dropped: "✕", other: "○" };
const LEVELS = {
  "time-sensitive": ["ts", "Time Sensitive"], critical: ["critical", "Critical"], passive: ["", "Passive"],
};

/** `{ tone, label }` of a notification, of a row of the list, or of an outcome of a preview. */
export function outcome(n) {
  const [tone, label] = ofState(n.state) ?? TIMINGS[n.timing] ?? ["other", n.timing ?? "Not an alert"];
  return { tone, label };
}

function ofState(state) {
  if (state === "discarded") return ["dropped", "Dropped"];
  if (state === "stored") return ["waiting", "Waiting"];
  return state === "accepted" ? ["waiting", "With the extension"] : undefined;
}

/** Mark and word, in their colour. */
export function chip(n) {
  const { tone, label } = outcome(n);
  return h("span.chip." + tone, h("span", { "aria-hidden": "true" }, MARKS[tone]), label);
}

export function level(n) {
  const found = LEVELS[n.level];
  return found && h("span.level" + (found[0] && "." + found[0]), found[1]);
}

/** What stands first for a notification: the sender, its title, its text, or what kind of push it is. */
export const headline = (n) =>
  n.sender || n.title || n.body || (n.pushType === "background" ? "Background push" : `${n.pushType ?? "Silent"} push`);

const SEVERITIES = { error: "Error", warning: "Warning", info: "Hint" };

/** Findings, the gravest first, each with its fix and its source. */
export function findings(list) {
  const order = Object.keys(SEVERITIES);
  return [...list].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity)).map((finding) =>
    h("div.finding." + finding.severity,
      h("p", h("strong", SEVERITIES[finding.severity] ?? finding.severity), " ", theirs(sentence(finding.message)), " ",
        finding.path && h("code", theirs(finding.path))),
      finding.fix && h("p.fix", "Right: ", h("code", theirs(finding.fix))),
      h("p.source", [finding.id, finding.source].filter(Boolean).join(" · "))));
}

/** With a full stop, and a capital letter unless it begins with a name such as apns-topic. */
export const sentence = (text) =>
  text.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase()) + (/[.?!]$/.test(text) ? "" : ".");

/** The gateway's sentence in the place of what it refused. */
export const failure = (error) => h("p.strip.bad", { role: "alert" }, error.message);

/**
 * Puts into `element` what `draw` makes of the answer, or the gateway's sentence; "asking…" if that takes longer than
 * `patience`, in milliseconds. The answer to an earlier call is dropped.
 */
export async function fill(element, answer, draw, { patience = element.hasChildNodes() ? 2000 : 150 } = {}) {
  const run = (element.run = (element.run ?? 0) + 1);
  const show = (...children) => element.run === run && swap(element, ...children);
  const timer = setTimeout(() => show(h("p.soft", "asking…")), patience);
  try {
    const value = await answer;
    if (element.run === run) show(draw(value));
  } catch (error) {
    show(failure(error));
  } finally {
    clearTimeout(timer);
  }
}
