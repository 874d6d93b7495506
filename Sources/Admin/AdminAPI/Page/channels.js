// Channels: broadcasts to Live Activities.

import { code, h, theirs, time } from "./dom.js";
import { curl, query } from "./api.js";
import { empty, listView, search } from "./page.js";

// Who listens to this broadcast, and has it reached them?
export function channels(place, app) {
  const view = listView(app, {
    noun: "channels", lead: "Broadcast channels of Live Activities: who listens, and what has reached them.",
    controls: { app: search("App") }, cells, none, older: "Show more",
    heads: [
      "Channel", "App", "Kept for offline devices", "Subscribers", "Broadcasts", "Delivered", "Waiting", "Created",
    ],
    call: (filters, last) => `/channels${query({ ...filters, cursor: last?.id })}`,
  });
  const changed = () => view.isAtTop() && view.loadSoon();
  return { ...view, requests: changed, devices: changed };
}

const cells = (c) => [
  h("code.token", theirs(c.id)), [theirs(c.app), h("p.soft", c.environment)],
  c.messageStoragePolicy ? "the latest" : "none", c.subscribers, c.published, c.delivered, c.pending, time(c.createdAt),
];

const none = () => empty("No channels yet", h("p", "Your back end creates them, or:"),
  code(curl("/channels", { method: "POST", body: { app: "com.example.app" } })));
