/**
 * The gateway inside a server of your own: your routes beside its surfaces, on one port. Everything here is in
 * memory, with the simulator as the provider; swap the store, the catalog and the providers for real ones.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createCatalog, createGateway } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import { addCaller, openSqlite } from "@manifold-gateway/store";

const simulator = createSimulator();
const { origin } = await simulator.listen();
const store = await openSqlite({ path: ":memory:" });
const key = await addCaller(store, { account: "me", credit: 5_000_000 }); // micro-USD

const gateway = createGateway({
  store,
  providers: [defineProvider("sim", { origin, speaks: ["msgstyle"], key: "any" })],
  catalog: createCatalog([
    {
      id: "my-model",
      entries: [
        { provider: "sim", name: "sim-messages", price: { input: 1_000_000, output: 2_000_000 } }, // micro-USD
      ],
    },
  ]),
});

// A thread writes that this process lives. What it owes and what dead processes held is looked after here, as long as
// it runs.
store.startHeartbeat();
const beat = setInterval(() => {
  const now = Date.now();
  store.money
    .heartbeat(now)
    .then(() => store.money.recover(now))
    .catch(console.error);
}, 5_000);

const server = createServer((req, res) => {
  if (req.url === "/hello") res.end("my own route");
  else gateway.node(req, res);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

assert.equal(await (await fetch(`${base}/hello`)).text(), "my own route");
const response = await fetch(`${base}/api/chatstyle/v1/chat/completions`, {
  method: "POST",
  headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
  body: JSON.stringify({
    model: "my-model",
    messages: [{ role: "user", content: "Hello from a server of mine" }],
  }),
});
const reply = (await response.json()) as { choices: { message: { content: string } }[] };
assert.equal(response.status, 200);
console.log(reply.choices[0]?.message.content);
const account = await store.accounts.get("me");
console.log(`left of 5 USD: ${(account?.balance ?? 0) / 1e6}`);
assert.ok((account?.balance ?? 0) < 5_000_000);

gateway.markNotReady();
await gateway.drain();
server.close();
clearInterval(beat);
await gateway.close();
await store.close();
await simulator.close();
