// What to configure in a client library, with this gateway's addresses.

import { code, h } from "./dom.js";
import { ask } from "./api.js";
import { fill as fillWith } from "./words.js";

const page = (title, text, ...children) => h("section.page", h("h1", title), text ? h("p.lead", text) : null, ...children);

const CLIENTS = {
  curl: (c) => `DEVICE=$(curl -s -X PUT ${c.admin}/api/v1/devices/phone -d '{"registrations":[{"topic":"com.example.app"}]}' | grep -o '"token":"[^"]*' | cut -d'"' -f4)\ncurl -i --http2 --cacert ${c.ca} \\\n     -H "authorization: bearer $(pushcote token)" \\\n     -H "apns-topic: com.example.app" -H "apns-push-type: alert" \\\n     -d '{"aps":{"alert":"It works"}}' https://${c.host}:${c.port}/3/device/$DEVICE`,
  "Go · sideshow/apns2": (c) => `key, err := token.AuthKeyFromFile("${c.key}")\nclient := apns2.NewTokenClient(&token.Token{AuthKey: key, KeyID: "${c.keyId}", TeamID: "${c.teamId}"})\nclient.Host = "https://${c.host}:${c.port}"\n// trust: SSL_CERT_FILE=${c.ca} in the environment`,
  "Node · @parse/node-apn": (c) => `const provider = new apn.Provider({\n  token: { key: "${c.key}", keyId: "${c.keyId}", teamId: "${c.teamId}" },\n  address: "${c.host}", port: ${c.port},\n  ca: fs.readFileSync("${c.ca}"),\n});`,
  "Java · Pushy": (c) => `ApnsClient client = new ApnsClientBuilder()\n    .setApnsServer("${c.host}", ${c.port})\n    .setTrustedServerCertificateChain(new File("${c.ca}"))\n    .setSigningKey(ApnsSigningKey.loadFromPkcs8File(new File("${c.key}"), "${c.teamId}", "${c.keyId}"))\n    .build();`,
  "Python · httpx": (c) => `client = httpx.AsyncClient(http2=True, verify="${c.ca}",\n                           base_url="https://${c.host}:${c.port}")`,
  "docker compose": () => `services:\n  pushcote:\n    image: pushcote\n    networks:\n      default:\n        aliases: [api.push.apple.com, api.sandbox.push.apple.com]\n    volumes: ["certs:/certs"]\n    ports: ["127.0.0.1:8197:8197"]\n  backend:\n    environment: {SSL_CERT_FILE: /certs/bundle.pem, NODE_EXTRA_CA_CERTS: /certs/ca.pem}\n    volumes: ["certs:/certs:ro"]\nvolumes: {certs: {}}`,
};

export function setup() {
  const body = h("div");
  return { element: page("Set up a client", "The lines for your library, with this gateway's addresses and keys in them.", body), update: ({ rest: [slug] }) => fillWith(body, ask("/info"), (info) => {
    const [host, port] = (info.addresses.provider[0] ?? "127.0.0.1:2197").split(/:(?=\d+$)/), c = { host: host === "127.0.0.1" ? "localhost" : host, port, admin: location.origin, ca: info.certificate.caFile, key: info.demonstrationKey.file, keyId: info.demonstrationKey.keyId, teamId: info.demonstrationKey.teamId };
    const name = Object.keys(CLIENTS).find((k) => k.toLowerCase().includes(slug ?? "curl")) ?? "curl";
    return [h("dl.facts", [["Provider API", `https://${c.host}:${port}`], ["Clear text", `http://${info.addresses.clearText[0]}`], ["Proxy", `http://${info.addresses.proxy[0]}`], ["Authority", c.ca], ["Key", `${c.key} (${c.keyId}, team ${c.teamId})`]].map(([k, v]) => [h("dt", k), h("dd", h("code", v))]), h("dt", "Trust"), h("dd", h("a", { href: "/ca.pem", download: "pushcote-ca.pem" }, "ca.pem"))),
      h("nav.tabs", { "aria-label": "Client" }, Object.keys(CLIENTS).map((k) => h("a", { href: `/setup/${k.toLowerCase().split(" ").at(-1)}`, "aria-current": k === name ? "true" : null }, k))), code(CLIENTS[name](c))];
  }) };
}
