// Everything that the page asks the gateway, and what the gateway reports by itself.

import { copyButton, h } from "./dom.js";

const BASE = "/api/v1";

export class APIError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Asks the gateway. Throws an `APIError` with the gateway's own sentence. */
export async function ask(path, { method = "GET", body, signal } = {}) {
  const response = await send(path, { method, body, signal });
  if (response.status === 401 && path !== "/session") dispatchEvent(new Event("pushcote:login"));
  const isJSON = response.headers.get("content-type")?.startsWith("application/json");
  if (response.ok) return isJSON ? response.json() : response.text();
  const problem = isJSON ? await response.json().catch(() => ({})) : {};
  throw new APIError(response.status, problem.error ?? `The gateway answered ${response.status} without a reason.`);
}

async function send(path, { method, body, signal }) {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  try {
    return await fetch(BASE + path, { method, headers, signal, body: body === undefined ? undefined : asText(body) });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new APIError(0, "The gateway does not answer. Is `pushcote serve` running?");
  }
}

const asText = (body) => (typeof body === "string" ? body : JSON.stringify(body));

/** `?a=1&b=2`, without what has no value. */
export function query(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== "" && value !== null);
  const text = new URLSearchParams(pairs).toString();
  return text && "?" + text;
}

/** The path of a device, and of what is below it. */
export const devicePath = (name, below = "") => `/devices/${encodeURIComponent(name)}${below}`;

// ── The same from elsewhere ──────────────────────────────────────────────────────────────────────

/** The call for a terminal. */
export function curl(path, { method = "GET", body } = {}) {
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    "curl", method === "GET" ? "" : `-X ${method}`, quoted(location.origin + BASE + path),
    body === undefined ? "" : `-d ${quoted(asText(body))}`,
  ].filter(Boolean).join(" ");
}

/** *Copy as curl* and, for GET, *JSON*, which every view shows for what it asked; `path` may be a function. */
export function sources(path, { classes = "small", method = "GET", body } = {}) {
  const current = () => (typeof path === "function" ? path() : path);
  const copy = copyButton(() => curl(current(), { method, body }), "Copy as curl", classes);
  if (method !== "GET") return h("span.sources", copy);
  const link = h("a.button." + classes, { href: BASE + current() }, "JSON");
  // The address is the one of the moment when somebody follows the link.
  for (const event of ["pointerdown", "focus"]) link.addEventListener(event, () => (link.href = BASE + current()));
  return h("span.sources", copy, link);
}

// ── Pictures ─────────────────────────────────────────────────────────────────────────────────────

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => document.querySelectorAll(".picture").forEach((one) => one.refresh()));

/**
 * A picture that the gateway draws, in the page's colours; `path` may have a query. If there is none, the gateway's
 * sentence stands in its place. `element.refresh(path)` asks anew.
 */
export function picture(path, alt, { width, height } = {}) {
  const image = h("img", { alt, width, height, decoding: "async" }), problem = h("p.soft.problem", { hidden: true });
  const element = h("div.picture", image, problem);
  let asked = 0;
  // Under its own address a browser asks for an image once per document, so its text is asked for.
  async function show() {
    const mine = ++asked, appearance = dark.matches ? "dark" : "light";
    const answer = ask(`${path}${path.includes("?") ? "&" : "?"}appearance=${appearance}`);
    const [text, error] = await answer.then((text) => [text], (error) => [undefined, error]);
    if (mine !== asked) return;
    if (!error) image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
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
