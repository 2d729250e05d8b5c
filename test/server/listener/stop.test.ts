import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "@manifold-gateway/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadConfig } from "../../../apps/server/src/config/load.ts";
import { type Host, startHost } from "../../../apps/server/src/host.ts";
import { silent } from "../../support/log.ts";
import { addPayer } from "../commands/payer.ts";

const KEY = "stop-key-0123456789-0123456789abcdef";
const FIRST =
  'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hello"}}]}';
let folder: string;
let upstream: Server;
let file: string;
let host: Host;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "manifold-stop-"));
  // It begins and never ends.
  upstream = createServer((req, res) => {
    req.resume();
    req.on("end", () => res.writeHead(200, { "content-type": "text/event-stream" }).write(`${FIRST}\n\n`));
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  file = join(folder, "manifold.json");
  const entries = [{ provider: "one", name: "n", price: { input: 1, output: 2 } }];
  writeFileSync(
    file,
    JSON.stringify({
      server: { port: 0 },
      store: `sqlite:${join(folder, "store.db")}`,
      providers: { one: { protocol: "chatstyle", origin, key: "k" } },
      models: { m1: { entries } },
    }),
  );
});
async function start(grace: number): Promise<void> {
  const config = loadConfig(file, {});
  host = await startHost({
    config: { ...config, server: { ...config.server, grace } },
    env: {},
    log: silent,
    prepare: (store) => addPayer(store, KEY),
  });
}
afterEach(() => {
  upstream.closeAllConnections();
  upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ["chatstyle/v1/chat/completions", { messages: [{ role: "user", content: "hi" }] }, /"error":/],
  ["msgstyle/v1/messages", { max_tokens: 9, messages: [{ role: "user", content: "hi" }] }, /event: error/],
] as const)(
  "a stop tells a stream that its grace period is over, and settles it: %s",
  async (path, body, error) => {
    await start(1);
    const response = await fetch(`${host.origin}/api/${path}`, {
      method: "POST",
      headers: { "x-api-key": KEY, "content-type": "application/json" },
      body: JSON.stringify({ model: "m1", stream: true, ...body }),
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader.read()).value ?? "";
    const stopped = host.stop();
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
    expect(text).toContain("Hello");
    expect(text).toMatch(error);
    await stopped;

    const store = await openSqlite({ path: join(folder, "store.db") });
    const id = response.headers.get("x-generation-id")!;
    expect(await store.generations.get({ id, accountId: "acc" })).toMatchObject({ status: "failed" });
    expect(await store.accounts.get("acc")).toMatchObject({ held: 0 });
    await store.close();
  },
);

it("requests that kept connections send as a stop begins are answered by a 503, and their connections end", async () => {
  await start(30_000);
  const { hostname, port } = new URL(host.origin);
  const body = JSON.stringify({ model: "m1", messages: [{ role: "user", content: "hi" }] });
  const head = `POST /api/chatstyle/v1/chat/completions HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const clients = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const client = connect(Number(port), hostname);
      client.write("GET /health HTTP/1.1\r\nhost: x\r\n\r\n");
      await once(client, "data");
      return client;
    }),
  );
  const stopped = host.stop();
  const answers = await Promise.all(
    clients.map(async (client, index) => {
      let text = "";
      client.on("data", (chunk) => {
        // Many clients send the head and the body by themselves.
        if (text === "" && index % 2 === 1) client.write(body);
        text += chunk;
      });
      client.write(index % 2 === 0 ? head + body : head);
      // A reset is an error, by which this rejects.
      await once(client, "end");
      client.end();
      await once(client, "close");
      return text;
    }),
  );
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nconnection: close\r\n/i);
    expect(answer).toContain('"code":"shutting_down"');
  }
  await stopped;
});
