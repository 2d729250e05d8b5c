import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { type Stage, startStage } from "../../support/stage.ts";

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

const options = {
  method: "POST",
  path: "/api/chatstyle/v1/chat/completions",
  headers: { "x-api-key": KEY, "content-type": "application/json" },
};
const body = JSON.stringify({ model: "sim-chatstyle", messages: [{ role: "user", content: "hi" }] });

/** A server that does something with each request before the gateway gets it. */
async function behind(first: (req: IncomingMessage, res: ServerResponse) => Promise<void>) {
  const server = createServer((req, res) => void first(req, res));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, server };
}

it("a body that something else has already read is reported as such", async () => {
  const { port, server } = await behind(async (req, res) => {
    await once(req.resume(), "end");
    h.gateway.node(req, res);
  });
  const response = await fetch(`http://127.0.0.1:${port}${options.path}`, { ...options, body });
  expect(response.status).toBe(500);
  expect((await response.json()).errors).toEqual([expect.stringMatching(/read before .* mount/)]);
  server.close();
});

it("the gateway does not wait for the body of a client that has disconnected", async () => {
  const handed = Promise.withResolvers<void>();
  const { port, server } = await behind(async (req, res) => {
    await once(req.socket, "close");
    h.gateway.node(req, res);
    handed.resolve();
  });
  const asked = request({ ...options, port }).on("error", () => {});
  asked.end(body, () => asked.destroy());
  await handed.promise;
  await h.gateway.drain();
  expect(await h.balance()).toMatchObject({ held: 0 });
  server.close();
});
