import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
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
  const file = join(folder, "manifold.json");
  const entries = [{ provider: "one", name: "n", price: { input: 1, output: 2 } }];
  writeFileSync(
    file,
    JSON.stringify({
      server: { port: 0, grace: 1 },
      store: `sqlite:${join(folder, "store.db")}`,
      providers: { one: { protocol: "chatstyle", origin, key: "k" } },
      models: { m1: { entries } },
    }),
  );
  host = await startHost({
    config: loadConfig(file, {}),
    env: {},
    log: silent,
    prepare: (store) => addPayer(store, KEY),
  });
});
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
