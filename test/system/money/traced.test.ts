import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../store/databases/database.ts";
import { makePostgres } from "../../store/databases/postgres.ts";
import { listen } from "../../support/listen.ts";
import { createClient } from "./client.ts";
import { storeOf, untilAlone } from "./places.ts";
import { startGateways } from "./process.ts";

const KEY = "key-of-the-payer-0123456789abcdef";
const AT_ONCE = 16;
const PATH = "/api/chatstyle/v1/chat/completions";
const USAGE = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
const message = { role: "assistant", content: "Hello" };
const ANSWER = JSON.stringify({
  ...{ id: "c", object: "chat.completion", created: 1, model: "m", usage: USAGE },
  choices: [{ index: 0, finish_reason: "stop", message }],
});

describe("calls that are under way when a gateway is killed", () => {
  let database: Database;
  let calls: string;
  beforeEach(async () => {
    database = await makePostgres();
    calls = mkdtempSync(join(tmpdir(), "manifold-calls-"));
  });
  afterEach(async () => {
    await database.drop();
    rmSync(calls, { recursive: true, force: true });
  });

  it("each have a record, and those without an end have an event, after the next start", async () => {
    /** The users of the calls that the provider has received. */
    const received: string[] = [];
    let onCall: (() => void) | undefined;
    const provider = await listen(async (request, response) => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      received.push(JSON.parse(text).user);
      if (onCall) onCall();
      else response.writeHead(200, { "content-type": "application/json" }).end(ANSWER);
    });
    const receiver = await listen((request, response) => {
      request.resume();
      response.writeHead(500).end();
    });
    const config = {
      ...{ store: storeOf(database), calls },
      providers: { p: { protocol: "chatstyle", origin: provider.origin, key: "secret-of-upstream" } },
      models: { m: { entries: [{ provider: "p", name: "m", price: { input: 1, output: 2 } }] } },
      accounts: { payer: { balance: 1_000, keys: { only: KEY } } },
      webhooks: [
        {
          ...{ name: "orphans", url: receiver.origin, events: ["generation.orphaned"] },
          secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
        },
      ],
    };
    const client = createClient(AT_ONCE);
    try {
      const [gateway] = await startGateways(1, config);
      let sent = 0;
      const send = () =>
        client.post(gateway!.origin + PATH, KEY, {
          ...{ model: "m", user: `user-${sent++}`, max_tokens: 9 },
          messages: [{ role: "user", content: "Hello" }],
        });
      const hasLease = async () => (await database.execute("SELECT id FROM leases")).length > 0;
      while (!(await hasLease())) await Promise.all(Array.from({ length: AT_ONCE }, send));
      // The kill comes with the first call of many at once: none of them is a millisecond old.
      const killed = new Promise<void>((resolve) => {
        onCall = () => resolve(gateway!.kill());
      });
      const begun = sent;
      const replies = Promise.all(Array.from({ length: AT_ONCE }, send));
      await Promise.all([killed, replies]);
      await untilAlone(database);
      const [restarted] = await startGateways(1, config);
      await restarted!.stop();

      const rows = await database.execute("SELECT id, end_user, status, cost, usage FROM generations");
      const of = new Map(rows.map((row) => [String(row.end_user), row]));
      expect(of.size).toBe(rows.length);
      expect(received.filter((user) => !of.has(user))).toEqual([]);
      expect(received.filter((user) => Number(user.slice(5)) >= begun).length).toBeGreaterThan(0);
      const left = rows.filter(({ status }) => status !== "succeeded");
      expect(left.length).toBeGreaterThan(0);
      for (const { status, cost, usage } of left)
        expect([status, Number(cost), JSON.parse(String(usage))]).toEqual(["failed", 0, { recovered: true }]);
      const events = await database.execute("SELECT data FROM outbox WHERE type = 'generation.orphaned'");
      expect(events.map(({ data }) => JSON.parse(String(data)).generationId).sort()).toEqual(
        left.map(({ id }) => id).sort(),
      );
      const store = await database.open();
      expect(await store.money.audit()).toEqual([]);
      await store.close();
      const folders = readdirSync(calls, { recursive: true }).filter((name) =>
        String(name).includes(".calls"),
      );
      expect(folders).toEqual([]);
    } finally {
      client.close();
      await Promise.all([provider.close(), receiver.close()]);
    }
  }, 60_000);
});
