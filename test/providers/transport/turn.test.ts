import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { createTurn } from "@manifold-gateway/providers";
import { expect, it } from "vitest";

it("goes on with what arrived in one turn together, each in its own context", async () => {
  const endOfTurn = createTurn();
  const context = new AsyncLocalStorage<string>();
  const steps: string[] = [];
  const stages = async (): Promise<void> => {
    await endOfTurn();
    steps.push(`first ${context.getStore()}`);
    await undefined;
    steps.push(`second ${context.getStore()}`);
  };
  await Promise.all([context.run("a", stages), context.run("b", stages)]);
  expect(steps).toEqual(["first a", "first b", "second a", "second b"]);
});

it("ends a turn once every socket that is ready was read, and begins another for what comes later", async () => {
  const endOfTurn = createTurn();
  const order: string[] = [];
  const ended = Promise.withResolvers<void>();
  const server = createServer((socket) =>
    socket.on("data", (bytes) => {
      order.push(`read ${bytes}`);
      void endOfTurn().then(() => {
        order.push(`went on with ${bytes}`);
        if (order.length === 4) ended.resolve();
      });
    }),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const clients = [];
  for (let i = 0; i < 2; i++) {
    const client = connect(port, "127.0.0.1");
    await Promise.all([once(server, "connection"), once(client, "connect")]);
    clients.push(client);
  }
  // Both have arrived before the event loop looks again.
  for (const [i, client] of clients.entries()) client.write(String(i));
  await ended.promise;
  expect(order.slice(0, 2).sort()).toEqual(["read 0", "read 1"]);
  for (const client of clients) client.destroy();
  server.close();
  const later = endOfTurn();
  expect(endOfTurn()).toBe(later);
  await later;
  expect(endOfTurn()).not.toBe(later);
});
