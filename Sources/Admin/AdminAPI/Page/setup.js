// Setup code for a client library, with this gateway's addresses and keys.

import { code, facts, h, swap } from "./dom.js";
import { ask } from "./api.js";
import { fill, page } from "./page.js";

export function setup() {
  let snippets, id;
  const addresses = h("div"), clients = h("nav.clients", { "aria-label": "Clients" }), lines = h("section.lines");
  const chosen = () => snippets?.find((snippet) => (id ? snippet.id === id : true));

  function show() {
    swap(clients, menu(snippets, chosen()));
    return chosen() ? snippet(chosen()) : h("p.strip.bad", `There is no client “${id}”. Choose one above.`);
  }

  function load() {
    fill(addresses, ask("/info"), gateway);
    return fill(lines, ask("/snippets"), (answer) => {
      snippets = answer.snippets;
      return show();
    });
  }

  return {
    element: page({
      title: "Set up a client", lead: "Setup code for your library, with this gateway's addresses and keys.",
      path: () => `/snippets${id ? `/${encodeURIComponent(id)}` : ""}`,
    }, lines, clients, addresses),
    title: ({ rest }) => snippets?.find((snippet) => snippet.id === rest[0])?.name ?? "Set up a client",
    update({ rest }) {
      id = rest[0];
      if (!snippets) return load();
      swap(lines, show());
      lines.scrollIntoView({ block: "start" });
    },
    reload: load,
  };
}

const menu = (snippets, chosen) => h("dl.facts",
  [...Map.groupBy(snippets, (snippet) => snippet.language ?? "any client")].map(([language, list]) => [
    h("dt", language),
    h("dd.line", list.map(({ id, name }) => h("a", {
      href: `/setup/${encodeURIComponent(id)}`, "aria-current": id === chosen?.id && "true",
    }, name))),
  ]));

const snippet = ({ name, way, trust, checked, texts }) => [
  h("h2", name), facts([["way", way], ["trust", trust], ["checked", checked]]),
  texts.map(({ code: language, text }) => (language ? code(text) : h("p", text))),
];

const gateway = ({ addresses, certificate, demonstrationKey: key }) => {
  const listeners = [["Provider API", "https", addresses.provider], ["Clear text", "http", addresses.clearText],
    ["CONNECT proxy", "http", addresses.proxy]].filter(([, , list]) => list?.length);
  return facts([
    ...listeners.map(([name, scheme, list]) =>
      [name, h("code", list.map((address) => `${scheme}://${address}`).join(", "))]),
    ["Authority", certificate && h("span", h("code", certificate.caFile), ", or ",
      h("a", { href: "/ca.pem", download: "pushcote-ca.pem" }, "download ca.pem"))],
    ["Signing key", key && h("span", h("code", key.file), `, key ID ${key.keyId}, team ID ${key.teamId}`)],
  ]);
};
