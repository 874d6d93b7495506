// Copies of one push: the provider's request, and tests in several languages.

import { code, h } from "./dom.js";
import { ask, devicePath, query, quoted } from "./api.js";
import { fill } from "./page.js";

// How do I send this again from a terminal, or from my test suite?
export function copies(n) {
  if (n.origin === "local") return h("p.soft", "No request: an app on the device scheduled this local notification.");
  // An update or end of a Live Activity goes to its token.
  const isRepeatable = n.pushType !== "liveactivity" || n.request.payload?.aps?.event === "start";
  const body = h("div");
  fill(body, ask("/info"), (info) => {
    const parts = [["As the provider, with curl", provider(n, info)]];
    if (isRepeatable) {
      parts.push(...Object.entries(TESTS).map(([name, text]) => [`A test in ${name}`, text(testOf(n))]));
    }
    return parts.map(([title, text]) => text && [h("h3", title), code(text)]);
  });
  return [h("p.soft", isRepeatable ? "A test passes while the device and its settings are as they were then."
    : "A test needs the activity's own token, which is another for each activity."), body];
}

const LEFT_OUT = ["authorization", "content-length", "user-agent", "accept", "accept-encoding", "host"];

/** Apple's host names an environment that is not the gateway's default. */
const HOSTS = { sandbox: "api.sandbox.push.apple.com", production: "api.push.apple.com" };

function provider({ request, token, environment }, { addresses, certificate, environment: ours }) {
  const [address] = addresses.provider ?? [];
  if (!address || request.payloadText === undefined) return undefined;
  const port = address.split(":").at(-1);
  const headers = request.headers.filter(({ name }) => !name.startsWith(":") && !LEFT_OUT.includes(name));
  const isOurs = environment === ours, host = isOurs ? `localhost:${port}` : HOSTS[environment];
  return [
    "curl --http2", !isOurs && `--connect-to ${host}:443:localhost:${port}`,
    certificate && `--cacert ${quoted(certificate.caFile)}`,
    `-H "authorization: bearer $(pushcote token --admin ${location.origin})"`,
    ...headers.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${quoted(request.payloadText)}`, `https://${host}/3/device/${token}`,
  ].filter(Boolean).join(" \\\n  ");
}

/** What each test needs. */
function testOf(n) {
  const { topic, environment, pushType, priority } = n;
  const path = devicePath(n.device, `/push${query({ topic, environment, pushType, priority })}`);
  const base = `${location.origin}/api/v1`;
  return { base, push: base + path, payload: n.request.payloadText ?? "{}", outcome: n.outcome };
}

/** A string literal that Python, JavaScript, Go and Java share is JSON's. */
const literal = (text) => JSON.stringify(text);
const swiftLiteral = (text) => `"${text.replace(/["\\]/g, "\\$&").replace(/[\0-\x1f]/g, (control) =>
  `\\u{${control.codePointAt().toString(16)}}`)}"`;

const TESTS = {
  Python: ({ base, push, payload, outcome }) => `import json
import os
import urllib.request

HEADERS = {"authorization": "Bearer " + os.getenv("PUSHCOTE_ADMIN_TOKEN", "")}


def ask(url, body=None):
    request = urllib.request.Request(url, body and body.encode(), HEADERS)
    return json.load(urllib.request.urlopen(request))


def test_push():
    sent = ask(${literal(push)}, ${literal(payload)})
    shown = ask(f"${base}/notifications/{sent['id']}")
    assert shown["outcome"] == ${literal(outcome)}, shown["why"]
`,
  JavaScript: ({ base, push, payload, outcome }) => `import assert from "node:assert";
import test from "node:test";

const headers = { authorization: \`Bearer \${process.env.PUSHCOTE_ADMIN_TOKEN}\` };
const ask = async (url, body) => (await fetch(url, { method: body && "POST", headers, body })).json();

test("push", async () => {
  const { id } = await ask(${literal(push)}, ${literal(payload)});
  const shown = await ask(\`${base}/notifications/\${id}\`);
  assert.equal(shown.outcome, ${literal(outcome)}, shown.why);
});
`,
  Go: ({ base, push, payload, outcome }) => `package push

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

type answer struct {
	ID           int
	Outcome, Why string
}

func ask(t *testing.T, method, url, body string) (read answer) {
	request, _ := http.NewRequest(method, url, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PUSHCOTE_ADMIN_TOKEN"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&read); err != nil {
		t.Fatal(err)
	}
	return
}

func TestPush(t *testing.T) {
	sent := ask(t, "POST", ${literal(push)}, ${literal(payload)})
	shown := ask(t, "GET", fmt.Sprintf("${base}/notifications/%d", sent.ID), "")
	if shown.Outcome != ${literal(outcome)} {
		t.Error(shown.Outcome, shown.Why)
	}
}
`,
  Java: ({ base, push, payload, outcome }) => `import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.*;
import org.junit.jupiter.api.Test;

class PushTest {
    String ask(HttpRequest.Builder request) throws Exception {
        request.header("authorization", "Bearer " + System.getenv("PUSHCOTE_ADMIN_TOKEN"));
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
    }

    @Test
    void push() throws Exception {
        String sent = ask(HttpRequest.newBuilder(URI.create(${literal(push)}))
            .POST(HttpRequest.BodyPublishers.ofString(${literal(payload)})));
        String id = sent.replaceAll("(?s)\\\\D*(\\\\d+).*", "$1");
        String shown = ask(HttpRequest.newBuilder(URI.create("${base}/notifications/" + id)));
        assertTrue(shown.contains(${literal(`"outcome":"${outcome}"`)}), shown);
    }
}
`,
  Swift: ({ base, push, payload, outcome }) => `import Foundation
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Answer: Decodable {
    var id: Int?
    var outcome, why: String?
}

func ask(_ address: String, _ payload: String? = nil) async throws -> Answer {
    var request = URLRequest(url: URL(string: address)!)
    request.httpMethod = payload == nil ? "GET" : "POST"
    let token = ProcessInfo.processInfo.environment["PUSHCOTE_ADMIN_TOKEN"] ?? ""
    request.setValue("Bearer \\(token)", forHTTPHeaderField: "authorization")
    request.httpBody = payload.map { Data($0.utf8) }
    return try JSONDecoder().decode(Answer.self, from: await URLSession.shared.data(for: request).0)
}

@Test func push() async throws {
    let sent = try await ask(${swiftLiteral(push)}, ${swiftLiteral(payload)})
    let shown = try await ask("${base}/notifications/\\(sent.id ?? 0)")
    #expect(shown.outcome == ${swiftLiteral(outcome)}, "\\(shown.why ?? "")")
}
`,
};
