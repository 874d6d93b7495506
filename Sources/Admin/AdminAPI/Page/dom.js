// Creates all elements. Text stays text, so nothing in a push can become markup.

/** An element: `h("a.link", { href, onclick }, "text", child)`. Null, undefined and false are omitted. */
export function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  const hasAttributes = attributes?.constructor === Object;
  if (classes.length) element.className = classes.join(" ");
  if (hasAttributes) Object.entries(attributes).forEach(([key, value]) => set(element, key, value));
  element.append(...present(hasAttributes ? children : [attributes, ...children]));
  return element;
}

export const present = (children) =>
  [children].flat(5).filter((child) => child !== undefined && child !== null && child !== false);

/** Replaces the content. The focus stays on a control of the same name. */
export function swap(element, ...content) {
  clearTimeout(element.swapping);
  // Replacing a control while it is pressed would lose the click.
  if (element.querySelector(":active")) return (element.swapping = setTimeout(swap, 50, element, ...content));
  const focused = element.contains(document.activeElement) ? nameOf(document.activeElement) : undefined;
  element.replaceChildren(...present(content));
  const controls = focused === undefined ? [] : [...element.querySelectorAll("a, button, input, select, summary")];
  return controls.find((control) => nameOf(control) === focused)?.focus({ preventScroll: true });
}

const nameOf = (control) => [control.localName, control.name, control.getAttribute("href"),
  control.getAttribute("aria-label") ?? control.textContent].join(" ");

function set(element, key, value) {
  if (value === undefined || value === null || value === false) return;
  if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
  else if (["value", "checked", "selected", "disabled", "hidden"].includes(key)) element[key] = value;
  else element.setAttribute(key, value === true ? "" : value);
}

export const $ = (selector, root = document) => root.querySelector(selector);

export function icon(d) {
  const [svg, line] = ["svg", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
  Object.entries({ class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }).forEach((pair) =>
    svg.setAttribute(...pair));
  line.setAttribute("d", d);
  svg.append(line);
  return svg;
}

/** Untrusted text, cut, that cannot change the direction of the text around it. */
export const theirs = (text) => h("bdi", String(text).replace(/^(.{2048}).+$/s, "$1…"));

export const counted = (number, word) =>
  `${number.toLocaleString("en")} ${word}${number === 1 ? "" : /sh$/.test(word) ? "es" : "s"}`;

const TERMS = ["ALPN", "APNs", "CarPlay", "File Provider", "Focus", "GOAWAY", "HTTP", "ID", "Live Activities",
  "Live Activity", "MDM", "Notification Center", "OS", "PING", "Push to Start", "Push to Talk", "StandBy",
  "Time Sensitive", "URL", "VoIP"];
const SHORT = { nse: "extension", ptt: "pushToTalk", p2s: "pushToStart" };
const joined = (text) => text.replaceAll(" ", "").toLowerCase();
const TERM = RegExp(`\\b(${TERMS.map((term) => [...joined(term)].join(" ?")).join("|")})(?=s?\\b)`, "gi");

export function words(name) {
  const spoken = String(name).replace(/^(nse|ptt|p2s)(?=[A-Z])/, (short) => SHORT[short]);
  const text = spoken.replaceAll(/([a-z])([A-Z])(?=[a-z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return (text[0].toUpperCase() + text.slice(1))
    .replaceAll(TERM, (found) => TERMS.find((term) => joined(term) === joined(found)));
}

export function seldom(act, milliseconds = 1000) {
  let timer, next;
  return function again(...words) {
    next = words;
    if (timer) return;
    act(...next);
    next = undefined;
    timer = setTimeout(() => {
      timer = undefined;
      if (next) again(...next);
    }, milliseconds);
  };
}

export const say = seldom((text) => ($("#live").textContent = text), 2000);

/** A button; `about` names its subject for screen readers, which read it outside its row. */
export const button = (text, onclick, { kind = "small", about, title } = {}) =>
  h("button." + kind, { type: "button", onclick, title, "aria-label": about && `${text} ${about}` }, text);

export const copyButton = (text, label = "Copy", kind = "small") => button(label, async ({ currentTarget: button }) => {
  await copy(typeof text === "function" ? text() : text);
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = label), 1500);
}, { kind });

/** `navigator.clipboard` exists on localhost and over HTTPS only. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = h("textarea.unseen", { value: text, "aria-hidden": "true" });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export const code = (text, label) =>
  h("div.code.wraps", copyButton(text, label), h("pre", { tabindex: 0 }, h("code", text)));

export const facts = (pairs) =>
  h("dl.facts", pairs.filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [h("dt", name), h("dd", value instanceof Node ? value : theirs(value))]));

/** Resolves to `undefined` if cancelled, else to true, or to the field's text. */
export function choose(title, { text, button = "OK", field, isRed = false }) {
  return new Promise((resolve) => {
    const input = field === undefined ? undefined : h("input", { "aria-label": title, placeholder: field });
    const dialog = h("dialog", { "aria-label": title },
      h("form", { method: "dialog" }, h("h2", title), text && h("p", text), input,
        h("p.line", h("button." + (isRed ? "red" : "primary"), { value: "yes" }, button),
          h("button", { value: "", formnovalidate: true, autofocus: isRed }, "Cancel"))));
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" ? input?.value ?? true : undefined));
    openDialog(dialog);
  });
}

export function openDialog(dialog) {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });

/** The gateway's time, which may be stopped or far ahead of this machine's. */
export const gateway = { now: () => Date.now() };

export function ago(iso, now = gateway.now()) {
  const seconds = Math.round((Date.parse(iso) - now) / 1000);
  if (Math.abs(seconds) < 10) return "now";
  if (Math.abs(seconds) < 60) return relative.format(seconds, "second");
  if (Math.abs(seconds) < 3600) return relative.format(Math.round(seconds / 60), "minute");
  const date = new Date(iso), isToday = new Date(now).toDateString() === date.toDateString();
  const time = date.toTimeString().slice(0, 5);
  return isToday ? time : `${date.toLocaleDateString("sv")} ${time}`;
}

export const time = (iso, text) => h("time", { datetime: iso, title: iso, "data-ago": !text }, text ?? ago(iso));

export function retellTimes() {
  for (const one of document.querySelectorAll("time[data-ago]")) one.textContent = ago(one.dateTime);
}

const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function json(value, copied) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
  const parts = text.length > 65536 ? text : coloured(text);
  return h("div.code", copyButton(copied ?? text), h("pre", { tabindex: 0 }, h("code", parts)));
}

export const headersOf = ({ headers }, heading = "h3") =>
  [h(heading, "Headers"), facts(headers.map(({ name, value }) => [name, h("code", theirs(value))]))];

export function payloadOf({ payload, payloadText, payloadBase64, payloadByteCount }) {
  const sent = payloadText ?? payloadBase64 ?? "", count = counted(payloadByteCount, "byte");
  return payload === undefined ? [h("p.soft", `${count}.`), code(sent)]
    : [h("p.soft", `${count}, formatted.`), json(payload, sent)];
}

function coloured(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = match[2] ? "key" : match[1] ? "string" : "literal";
    parts.push(text.slice(end, match.index), h("span." + kind, match[1] ?? match[0]), match[2]);
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}
