/**
 * A guard: an address that the gateway asks about the texts of requests and replies. This one masks personal data by the
 * rules of an existing library. What it masks reaches neither the provider nor the records.
 */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createCatalog, createGateway } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { createSimulator } from "@manifold-gateway/simulator";
import { addCaller, openSqlite } from "@manifold-gateway/store";
import { Redactor } from "@redactpii/node";
import { Webhook } from "standardwebhooks";

interface Question {
  texts: { place: string; text: string }[];
}

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const redactor = new Redactor();

const guard = createServer(async (request, response) => {
  // Throws for a call that is not the gateway's.
  const { texts } = new Webhook(secret).verify(
    await read(request),
    request.headers as Record<string, string>,
  ) as Question;
  const masked = texts
    .map(({ place, text }) => ({ place, text: redactor.redact(text), before: text }))
    .filter(({ text, before }) => text !== before)
    .map(({ place, text }) => ({ place, text }));
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify(masked.length > 0 ? { decision: "mask", texts: masked } : { decision: "allow" }),
  );
});

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) text += piece;
  return text;
}

await new Promise<void>((resolve) => guard.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(guard.address() as AddressInfo).port}/check`;

const simulator = createSimulator();
const { origin } = await simulator.listen();
const store = await openSqlite({ path: ":memory:" });
const key = await addCaller(store, { account: "me", credit: 5_000_000 }); // micro-USD

const price = { input: 1_000_000, output: 2_000_000 };
const gateway = createGateway({
  store,
  providers: [defineProvider("sim", { origin, speaks: ["msgstyle"], key: "any" })],
  catalog: createCatalog([{ id: "my-model", entries: [{ provider: "sim", name: "sim-messages", price }] }]),
  guards: [
    {
      id: "personal-data",
      url,
      secrets: [secret],
      phases: ["request", "reply"],
      timeout: 2_000,
      onFailure: "refuse",
    },
  ],
});

const response = await gateway.fetch(
  new Request("http://gateway.test/api/chatstyle/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "my-model",
      messages: [
        { role: "user", content: "[[text:Write to bob@example.com.]] I am ada@example.com. And you?" },
      ],
    }),
  }),
);
const reply = (await response.json()) as { choices: { message: { content: string } }[] };
const sent = JSON.stringify(simulator.ledger.entries[0]?.request);
assert(sent.includes("I am EMAIL_ADDRESS. And you?") && !sent.includes("ada@example.com"));
assert.equal(reply.choices[0]?.message.content, "Write to EMAIL_ADDRESS.");
console.log(`${response.headers.get("x-guard")}\n${reply.choices[0]?.message.content}`);

await gateway.close();
await store.close();
await simulator.close();
guard.close();
