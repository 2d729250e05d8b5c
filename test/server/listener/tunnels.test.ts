import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createHttpServer } from "../../../apps/server/src/listener/server.ts";
import { stopServer } from "../../../apps/server/src/listener/stop.ts";

const gateway = {
  node: (_: unknown, response: ServerResponse): void => void response.end("served"),
  drain: async () => {},
};
const CONNECT = "CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere:443\r\n\r\n";
let server: Server;
let client: Socket;
let accepted: Socket;
beforeEach(async () => {
  server = createHttpServer(gateway, {
    connections: 10,
    connectionsPerAddress: 10,
    requestsPerMinutePerAddress: 60_000,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const arrives = once(server, "connection");
  // Its own side stays open after the server's has ended.
  client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
  client.on("error", () => {});
  [accepted] = (await arrives) as [Socket];
});
afterEach(() => {
  vi.useRealTimers();
  client.destroy();
  server.close();
});

it("a client that requests a tunnel and resets the connection does no harm", async () => {
  const thrown: unknown[] = [];
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => thrown.push(error));
  try {
    const asked = once(server, "connect");
    client.write(CONNECT);
    await asked;
    const closes = new Promise((resolve) => accepted.once("close", resolve));
    client.resetAndDestroy();
    await closes;
    // An error that nobody hears is thrown before the socket says that it closed.
    expect(thrown).toEqual([]);
  } finally {
    process.removeAllListeners("uncaughtException");
    for (const listener of listeners) process.on("uncaughtException", listener);
  }
});

it("a client that requests a tunnel and stays does not keep the server from stopping", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answered = once(client, "data");
  client.write(CONNECT);
  expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 405 /);
  await once(client.resume(), "end");
  const stopped = stopServer(server, gateway as never, 60_000);
  vi.advanceTimersByTime(60_000);
  await stopped;
  expect(accepted.destroyed).toBe(true);
});
