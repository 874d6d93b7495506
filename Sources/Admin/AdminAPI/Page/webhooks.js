// Webhooks: events that the gateway sends to a back end.

import { code, counted, h, seldom, theirs, words } from "./dom.js";
import { curl } from "./api.js";
import { answerView, deviceLink, empty, link, list, members, single } from "./page.js";

// Did my back end get the event?
export const webhooks = (place, app) => (place.rest.length
  ? single("webhook", place.rest[0], app, one, (load) => ({ notifications: seldom(load) })) : all());

function all() {
  const heads = ["Webhook", "Sends", "To", "Delivered", "Waiting", "Given up", "Latest error"];
  const again = () => view.element.isConnected && view.reload();
  let timer;
  const view = answerView({
    title: "Webhooks", path: "/webhooks", lead: "Events of devices that the gateway sends on, and what came of them.",
  }, ({ webhooks }) => {
    clearTimeout(timer);
    // A delivery ends without a message of the stream.
    if (webhooks.some(({ pending }) => pending)) timer = setTimeout(again, 1000);
    return webhooks.length ? list("Webhooks", heads, webhooks.map(row)) : none();
  }, (load) => ({ notifications: seldom(load), devices: seldom(load) }));
  return view;
}

const row = (w) => [
  link(`/webhooks/${encodeURIComponent(w.name)}`, theirs(w.name)),
  theirs(w.events.map(words).join(", ") || "all events"),
  h("code", theirs(w.url)), w.delivered, w.pending, w.failed, w.lastError && theirs(w.lastError),
];

const none = () => empty("No webhooks yet", h("p", "A webhook tells your back end what happens on devices:"),
  code(curl("/webhooks", { method: "POST", body: { name: "events", url: "http://localhost:8080/events" } })));

const one = ({ deliveries = [], lastError, dropped, ...rest }) => [
  lastError && h("p.strip.bad", "The latest attempt that failed: ", theirs(lastError)),
  dropped > 0 && h("p.strip", `${counted(dropped, "event")} did not fit into the queue.`),
  members(rest), h("h2", "Latest deliveries"),
  deliveries.length
    ? list("Deliveries", ["Event", "Device", "Attempts", "Result"], deliveries.toReversed().map(delivery))
    : h("p.soft", "None is finished yet."),
];

const delivery = ({ event, device, attempts, error }) => [
  words(event), deviceLink(device), attempts,
  error ? h("span.bad", theirs(error)) : h("span.good", "delivered"),
];
