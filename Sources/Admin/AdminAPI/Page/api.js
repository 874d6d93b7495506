// Requests to the gateway, and how to send them from elsewhere.

import { copyButton, h } from "./dom.js";

const BASE = "/api/v1";

/** Throws an error with the gateway's message and the `status`, 0 without an answer. */
export async function ask(path, { method = "GET", body } = {}) {
  const failure = (status, message) => Object.assign(new Error(message), { status });
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(BASE + path, { method, headers, body: asText(body) }).catch(() => {
    throw failure(0, "The gateway does not answer. Is `pushcote serve` running?");
  });
  if (response.status === 401 && path !== "/session") dispatchEvent(new Event("pushcote:login"));
  const isJSON = response.headers.get("content-type")?.startsWith("application/json");
  if (response.ok) return isJSON ? response.json() : response.text();
  const problem = isJSON ? await response.json().catch(() => ({})) : {};
  throw failure(response.status, problem.error ?? `The gateway answered ${response.status} without a reason.`);
}

/** Resolves to the answer, or to undefined and the error. */
export const settled = (answer) => answer.then((value) => [value], (error) => [undefined, error]);

const asText = (body) => (body === undefined || typeof body === "string" ? body : JSON.stringify(body));

export function query(values) {
  const pairs = Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    .filter(([, value]) => value !== undefined && value !== "" && value !== null);
  const text = new URLSearchParams(pairs).toString();
  return text && "?" + text;
}

export const devicePath = (name, below = "") => `/devices/${encodeURIComponent(name)}${below}`;

export const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

export function curl(path, { method = "GET", body } = {}) {
  return [
    "curl", method === "GET" ? "" : `-X ${method}`, quoted(location.origin + BASE + path),
    body === undefined ? "" : `-d ${quoted(asText(body))}`,
  ].filter(Boolean).join(" ");
}

/** *Copy as curl* and *JSON* for a view's request; `path` may be a function. */
export function sources(path, { classes = "small", method = "GET", body } = {}) {
  const current = () => (typeof path === "function" ? path() : path);
  const copy = copyButton(() => curl(current(), { method, body }), "Copy as curl", classes);
  if (method !== "GET") return h("span.sources", copy);
  const renew = ({ currentTarget }) => (currentTarget.href = BASE + current());
  const link = { href: BASE + current(), onpointerdown: renew, onfocus: renew };
  return h("span.sources", copy, h("a.button." + classes, link, "JSON"));
}

const address = (svg) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** A picture that an answer contains; none without words for it. */
export const drawing = (svg, alt) =>
  svg && alt && h("img.drawing", { src: address(svg), alt, width: 414, height: 868 });

const dark = matchMedia("(prefers-color-scheme: dark)");
export const appearance = () => (dark.matches ? "dark" : "light");
dark.addEventListener("change", () => document.querySelectorAll(".picture").forEach((one) => one.refresh()));

/**
 * A picture drawn by the gateway, in the page's colours, or the gateway's message. `element.refresh(path)` loads it
 * again; `drawn(text)` gets it.
 */
export function picture(path, alt, { width, height, drawn = () => {} } = {}) {
  const image = h("img", { alt, width, height, decoding: "async" }), problem = h("p.soft.problem", { hidden: true });
  const element = h("div.picture", image, problem);
  let asked = 0;
  // A browser requests an image address once per document, so this fetches the text.
  async function show() {
    const mine = ++asked, answer = ask(`${path}${path.includes("?") ? "&" : "?"}appearance=${appearance()}`);
    const [text, error] = await settled(answer);
    if (mine !== asked) return;
    if (!error) image.src = address(text);
    if (!error) drawn(text);
    image.hidden = error !== undefined;
    problem.hidden = !image.hidden;
    problem.textContent = error?.message ?? "";
  }
  element.refresh = (next = path) => {
    path = next;
    show();
  };
  show();
  return element;
}
