/**
 * A protocol that the library does not have, from its codec to a gateway that serves it: as a surface for callers, and
 * as the protocol of a provider. Nothing in the packages is touched. Its laws are in test/examples.
 */
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { codecs, createProtocols } from "@manifold-gateway/core";
import { createCatalog, createGateway, textSurface } from "@manifold-gateway/gateway";
import { defineProvider, type UpstreamProtocol } from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import { addCaller, openSqlite } from "@manifold-gateway/store";
import { blockstyle } from "./codec.ts";
import { createProvider } from "./provider.ts";

const upstream = createProvider();
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
const { port } = upstream.address() as AddressInfo;
const simulator = createSimulator();
const { origin } = await simulator.listen();

const store = await openSqlite({ path: ":memory:" });
const key = await addCaller(store, { account: "me", credit: 5_000_000 }); // micro-USD

const model = (id: string, provider: string, name: string) => ({
  id,
  entries: [{ provider, name, price: { input: 1_000_000, output: 2_000_000 } }],
});
const gateway = createGateway({
  store,
  protocols: createProtocols([...Object.values(codecs), blockstyle]),
  surfaces: [textSurface({ codec: blockstyle, about: "Blocks: the sixth protocol.", path: "/v1/chat" })],
  providers: [
    defineProvider("echo", {
      origin: `http://127.0.0.1:${port}`,
      speaks: [blockstyle.protocol as UpstreamProtocol],
      key: "s3cret",
    }),
    defineProvider("sim", { origin, speaks: ["msgstyle"], key: "any" }),
  ],
  catalog: createCatalog([model("echo", "echo", "echo-1"), model("other", "sim", "sim-messages")]),
});

async function ask(path: string, body: object): Promise<string> {
  const response = await gateway.fetch(
    new Request(`http://localhost${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}
const messages = [{ role: "user", content: "Good morning" }];

// The surface before the provider of the same protocol: bytes pass, whole and streamed.
const own = JSON.parse(await ask("/api/blockstyle/v1/chat", { model: "echo", messages }));
assert.equal(own.message.content[0].text, "You said: Good morning");
const stream = await ask("/api/blockstyle/v1/chat", { model: "echo", messages, stream: true });
assert.match(stream, /event: message-end/);

// A client of another protocol before that provider.
const chat = JSON.parse(await ask("/api/chatstyle/v1/chat/completions", { model: "echo", messages }));
assert.equal(chat.choices[0].message.content, "You said: Good morning");
assert.equal(chat.usage.prompt_tokens, 10);

// A client of the sixth protocol before a provider of another.
const other = JSON.parse(await ask("/api/blockstyle/v1/chat", { model: "other", messages }));
assert.equal(other.finish_reason, "COMPLETE");
const events = await ask("/api/blockstyle/v1/chat", { model: "other", messages, stream: true });
assert.match(events, /event: content-delta[\s\S]*event: message-end/);

// Errors have the protocol's shape beside the envelope, and the reference has its path.
const refused = await gateway.fetch(
  new Request("http://localhost/api/blockstyle/v1/chat", { method: "POST" }),
);
assert.equal(refused.status, 401);
assert.equal(typeof ((await refused.json()) as { message: unknown }).message, "string");
const document = await (await gateway.fetch(new Request("http://localhost/openapi.json"))).json();
assert.ok("/api/blockstyle/v1/chat" in (document as { paths: object }).paths);

// Everything was charged as it is on any other surface.
const { balance = 0 } = (await store.accounts.get("me")) ?? {};
console.log(own.message.content[0].text, "- left of 5 USD:", balance / 1e6);
assert.ok(balance < 5_000_000);

await gateway.drain();
await gateway.close();
await store.close();
await simulator.close();
upstream.close();
