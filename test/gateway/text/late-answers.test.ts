import { createServer } from "node:http";
import { defineProvider } from "@manifold-gateway/providers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listen } from "../../support/listen.ts";
import { type Stage, startStage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";
import { asks, cellsOf } from "./scripted.ts";

let status = 200;
/** Answers byte by byte, without an end. */
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(status, { "content-type": "application/json" });
  response.write("{");
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(timer));
});
const cells = cellsOf().filter(({ name }) => name !== "native" && name !== "array");
let h: Stage;
beforeAll(async () => {
  const { origin } = await listen(server);
  const protocols = [...new Set(cells.map(({ protocol }) => protocol))];
  h = await startStage({
    models: [
      ...protocols.map((protocol) => model(`on-${protocol}`, protocol)),
      model("embedding", "chatstyle", { outputModalities: ["embedding"] }),
    ],
    providers: new Map(
      protocols.map((protocol) => [protocol, defineProvider(protocol, { origin, speaks: [protocol] })]),
    ),
    limits: { generation: 100 },
    routing: { circuit: { failures: 1_000_000 } },
  });
});
afterAll(async () => {
  expect(await h.store.money.audit()).toEqual([]);
  await h.close();
  server.closeAllConnections();
  server.close();
});

it.each(cells)(
  "an answer that takes longer than a generation may is given up: $name on $protocol",
  async ({ name, protocol }) => {
    const before = await h.balance();
    const response = await h.call(...asks[name](`on-${protocol}`, false));
    expect([response.status, (await response.json()).errors]).toEqual([
      502,
      [expect.stringMatching(/in time/)],
    ]);
    await h.settled();
    expect(await h.balance()).toEqual(before);
  },
);

it("so is one of an embedding", async () => {
  const response = await h.call("/api/chatstyle/v1/embeddings", { model: "embedding", input: "Hello" });
  expect([response.status, (await response.json()).errors]).toEqual([
    502,
    [expect.stringMatching(/in time/)],
  ]);
});

it.each(cells)("so is an error that takes so long: $name on $protocol", async ({ name, protocol }) => {
  status = 400;
  const response = await h.call(...asks[name](`on-${protocol}`, false)).finally(() => {
    status = 200;
  });
  expect(response.status).toBe(502);
});
