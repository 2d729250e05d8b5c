import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Config, configSchema } from "../../../apps/server/src/config/schema.ts";
import { startHost } from "../../../apps/server/src/host.ts";
import { silent } from "../../support/log.ts";
import { addPayer } from "../commands/payer.ts";

const KEY = "socket-key-0123456789-0123456789abcdef";
const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

const start = (server: object) =>
  startHost({
    config: configSchema.parse({
      server: { port: 0, grace: 50, ...server },
      store: "sqlite::memory:",
    }) as Config,
    env: {},
    log: silent,
    prepare: (store) => addPayer(store, KEY),
  });

function connect(origin: string): WebSocket {
  const url = `${origin.replace("http", "ws")}/api/chatstyle/v1/responses`;
  const socket = new WebSocket(url, { headers: { "x-api-key": KEY } });
  socket.on("error", () => {});
  sockets.push(socket);
  return socket;
}

it("WebSockets are open by default, and closed properly at a stop", async () => {
  const host = await start({});
  const socket = connect(host.origin);
  await once(socket, "open");
  const deaf = connect(host.origin);
  await once(deaf, "open");
  deaf.pause();
  const closed = once(socket, "close");
  await host.stop();
  expect(await closed).toEqual([1012, expect.anything()]);
});

it("WebSockets are refused at once where they are switched off", async () => {
  const host = await start({ webSockets: false });
  const [, response] = await once(connect(host.origin), "unexpected-response");
  expect(response.statusCode).toBe(426);
  response.resume();
  await host.stop();
});
