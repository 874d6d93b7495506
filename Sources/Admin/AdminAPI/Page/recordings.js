// Recordings: a run as one file, saved from here or opened.

import { button, choose, counted, h, swap, theirs, time } from "./dom.js";
import { ask } from "./api.js";
import { failure, fill, list, page, Reply } from "./page.js";

// How do I hand this run on, and what is in a file that I was handed?
export function recordings() {
  const body = h("div"), reply = new Reply(), opened = h("section", { "aria-label": "Opened recording" });
  const file = h("input", { type: "file", accept: ".json", onchange: () => file.files[0] && open(file.files[0]) });
  const change = (path, options) => reply.to(ask(path, options)).then((isDone) => isDone && load());

  const load = () => fill(body, ask("/recordings"), ({ recordings: [now] }) => (now ? [
    h("p", h("strong", theirs(now.name)), " records since ", time(now.startedAt), "."),
    h("p.line", h("a.button.primary", { href: `/api/v1/recordings/${encodeURIComponent(now.name)}`,
      download: `${now.name}.json` }, "Save the run so far"),
    button("Stop…", () => stop(now.name))),
  ] : [
    h("p", "Nothing is recorded now. A recording holds every push and change from its start."),
    h("p.line", button("Record from now on", () => change("/recordings", { method: "POST", body: {} }),
      { kind: "primary" })),
  ]));

  async function stop(name) {
    const text = "What was not saved is lost.";
    if (!(await choose("Stop recording?", { text, button: "Stop and delete it", isRed: true }))) return;
    await change(`/recordings/${encodeURIComponent(name)}`, { method: "DELETE" });
  }

  async function open(chosen) {
    try {
      swap(opened, shown(chosen.name, JSON.parse(await chosen.text())));
    } catch {
      swap(opened, failure({ message: `${chosen.name} is not a recording of Pushcote.` }));
    }
  }

  const element = page({
    title: "Recordings", path: "/recordings",
    lead: ["A run as one file, which ", h("code", "pushcote replay"), " runs again."],
  }, body, reply.element, h("h2", "Open a file"),
  h("p.line.drop", h("label.button", "Open…", file), h("span.soft", "or drop it anywhere on this view")), opened);
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
  });
  return { element, update: load, reload: load };
}

function shown(file, { name, startedAt, endedAt, requests, inputs, pushcote }) {
  return [
    h("h2", theirs(name)),
    h("p.soft", theirs(file), ` · ${pushcote.version} · `, time(startedAt, startedAt), " to ", time(endedAt, endedAt),
      ` · ${counted(requests.length, "request")}, ${counted(inputs.length, "input")}`),
    list("Requests in the recording", ["No.", "When", "Answer"], requests.slice(0, 1000).map((one) => [
      one.number, time(one.receivedAt, one.receivedAt.slice(11, 23)),
      [one.answer.status ?? "none", " ", theirs(answered(one))],
    ])),
    requests.length > 1000 && h("p.soft", "The first 1,000 are shown."),
  ];
}

const answered = ({ answer }) => (typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? ""));
