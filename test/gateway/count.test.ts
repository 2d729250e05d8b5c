import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defineProvider } from "@manifold/providers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Harness, model, startHarness } from "./harness.ts";

let answer: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  request.resume();
  answer(response);
});
let harness: Harness;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  harness = await startHarness({
    models: [model("counted", "p")],
    providers: new Map([["p", defineProvider("p", { origin, speaks: ["msgstyle"] })]]),
  });
});
afterAll(async () => {
  await harness.close();
  server.closeAllConnections();
  server.close();
});

const count = async () => {
  const messages = [{ role: "user", content: "How many tokens may this be?" }];
  const response = await harness.call("/api/msgstyle/v1/messages/count_tokens", {
    model: "counted",
    messages,
  });
  return { status: response.status, body: await response.json() };
};

it("tokens are counted by the provider", async () => {
  answer = (response) => response.end(JSON.stringify({ input_tokens: 4_711 }));
  expect(await count()).toEqual({ status: 200, body: { input_tokens: 4_711 } });
});

it.each<[string, (response: ServerResponse) => void]>([
  ["breaks off before its answer", (response) => void response.destroy()],
  ["breaks off within it", (response) => void response.write('{"input_', () => response.destroy())],
  ["answers with no JSON", (response) => void response.end("busy")],
  ["sends the call elsewhere", (response) => void response.writeHead(307, { location: "/" }).end()],
  ["answers with more than any count is", (response) => void response.end(" ".repeat(2 * 1024 * 1024))],
  ["cannot count", (response) => void response.writeHead(404).end("{}")],
])("tokens are estimated where the provider %s", async (_, how) => {
  answer = how;
  const { status, body } = await count();
  expect(status).toBe(200);
  expect(body.input_tokens).toBeGreaterThan(0);
  expect(body.input_tokens).toBeLessThan(100);
});
