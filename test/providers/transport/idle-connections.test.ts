import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, expect, it } from "vitest";
import { createConnections } from "../../../packages/providers/src/transport/idle-connections.ts";
import { type Listening, listen } from "../../support/listen.ts";

let listening: Listening | undefined;
afterEach(() => listening?.close());

it("connections that are not needed any more are closed above a number, and the others serve again", async () => {
  const waiting: ServerResponse[] = [];
  const sockets = new Set<IncomingMessage["socket"]>();
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    sockets.add(request.socket.once("close", () => sockets.delete(request.socket)));
    waiting.push(response);
  });
  listening = await listen(server);
  const { origin } = listening;
  const agent = createConnections(5_000, 4);
  const send = async () => {
    const { statusCode, body } = await agent.request({ origin, path: "/", method: "GET" });
    return [statusCode, await body.text()];
  };
  for (let round = 0; round < 3; round++) {
    const sent = Array.from({ length: 20 }, send);
    await expect.poll(() => waiting.length).toBe(20);
    expect(sockets.size).toBe(20);
    for (const response of waiting.splice(0)) response.end("whole");
    expect(await Promise.all(sent)).toEqual(sent.map(() => [200, "whole"]));
    await expect.poll(() => sockets.size).toBe(4);
  }
  await agent.destroy();
});
