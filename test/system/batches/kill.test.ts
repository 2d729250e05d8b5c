import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createSimulator } from "@manifold-gateway/simulator";
import { createLinks, type Objects, openDisk, type Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../gateway/jobs/stage.ts";
import type { Database } from "../../store/databases/database.ts";
import { PLACE } from "../../store/databases/place.ts";
import { makeCaller } from "../../store/fixtures.ts";
import type { Json } from "../../support/caller.ts";
import { programOf } from "../../support/program.ts";
import { until } from "../../support/until.ts";
import { setting } from "../money/places.ts";

const CHILD = await programOf("test/system/batches/child.ts");
/** `BATCH_LINES=10000 BATCH_KILLS=3` is the long trial. */
const LINES = setting("BATCH_LINES", 60);
const KILLS = setting("BATCH_KILLS", 1);
const LEASE = setting("BATCH_LEASE", 1_000);
/** Between two looks, which count all lines. */
const PAUSE = Math.max(15, LINES / 20);
const CREDIT = 100_000_000_000;
/** The lines that a worker runs at the same time. */
const AT_ONCE = 16;

describe.each(databases)("batches of killed workers on %s", (_, make) => {
  const simulator = createSimulator({ ledgerSize: 4 * LINES + 1_000 });
  const folder = mkdtempSync(join(PLACE, "manifold-batches-"));
  const living = new Set<ChildProcess>();
  let database: Database;
  let store: Store;
  let objects: Objects;
  let input = "";
  beforeAll(async () => {
    database = await make();
    store = await database.open();
    const links = createLinks({ base: "http://127.0.0.1", secrets: [{ id: "a", secret: "s".repeat(32) }] });
    objects = await openDisk({ folder, links });
    const { origin } = await simulator.listen();
    input = JSON.stringify({ origin, folder, lease: LEASE });
  });
  afterAll(async () => {
    for (const child of living) child.kill("SIGKILL");
    await simulator.close();
    await store.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a worker; `at` is called with the number of words that it has said. */
  function start(at: (words: number, child: ChildProcess) => void): {
    child: ChildProcess;
    dead: Promise<unknown>;
  } {
    const args = ["--conditions=manifold", CHILD, "worker", database.dialect, database.location, input];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    living.add(child);
    let words = 0;
    createInterface({ input: child.stdout! }).on("line", () => at(++words, child));
    return { child, dead: once(child, "exit").then(() => living.delete(child)) };
  }

  const begin = async (caller: { accountId: string; keyId: string }, mark: string) => {
    const lines = Array.from({ length: LINES }, (_, n) => ({
      custom_id: `${mark}-${n}`,
      url: "/v1/chat/completions",
      body: {
        model: "sim-chatstyle",
        max_tokens: 20,
        messages: [{ role: "user", content: `${mark}-${n} [[fault:delay=5]]` }],
      },
    }));
    const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"));
    const file = { id: `file-${randomUUID()}`, key: `asks/${randomUUID()}`, bytes: bytes.length };
    await objects.put(file.key, bytes, { mediaType: "application/jsonl" });
    const { accountId } = caller;
    const createdAt = Date.now();
    const described = { accountId, purpose: "batch", name: "lines.jsonl", createdAt };
    await store.files.add({ ...file, ...described }, Number.MAX_SAFE_INTEGER);
    const id = `batch_${randomUUID()}`;
    const batch = { id, ...caller, surface: "chatstyle", endpoint: "/v1/chat/completions", input: file.id };
    const times = { createdAt, expiresAt: createdAt + 24 * 3_600_000 };
    await store.batches.create({ ...batch, ...times, terms: { headers: {} } }, { most: 9 });
    return { id, accountId };
  };
  const linesOf = async (accountId: string, id: string | undefined): Promise<Json[]> => {
    if (id === undefined) return [];
    const stored = await objects.get((await store.files.get({ id, accountId }))!.key);
    const text = await new Response(stored!.stream as ReadableStream<Uint8Array<ArrayBuffer>>).text();
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };

  it(
    `a batch of ${LINES} lines through ${KILLS} kills, a stop and a cancel: every line has one outcome, and one charge for its answer`,
    async () => {
      const caller = await makeCaller(store, { credit: CREDIT });
      const whole = await begin(caller, "whole");
      const part = await begin(caller, "part");
      for (let kill = 0; kill < KILLS; kill++) {
        const moment = 1 + Math.floor(Math.random() * 3 * LINES);
        await start((words, child) => void (words === moment && child.kill("SIGKILL"))).dead;
      }
      await start((words, child) => void (words === LINES && child.kill("SIGTERM"))).dead;
      const { child, dead } = start(() => {});
      const countsOf = ({ id }: { id: string }) => store.batchLines.counts(id);
      await until(
        () => countsOf(part),
        ({ succeeded }) => succeeded > LINES / 2,
        PAUSE,
      );
      await store.batches.cancel(part, Date.now());
      const [first, second] = await Promise.all(
        [whole, part].map((ref) =>
          until(
            async () => (await store.batches.get(ref))!,
            ({ phase }) => phase === "swept",
            PAUSE,
          ),
        ),
      );
      child.kill("SIGTERM");
      await dead;

      const truths = new Map(
        simulator.ledger.entries.map((entry) => [
          /(?:whole|part)-\d+/.exec(JSON.stringify(entry.request))?.[0],
          entry,
        ]),
      );
      let due = 0;
      let answered = 0;
      for (const [mark, batch] of [
        ["whole", first],
        ["part", second],
      ] as const) {
        const output = await linesOf(caller.accountId, batch?.output);
        const errors = await linesOf(caller.accountId, batch?.errors);
        const names = [...output, ...errors].map(({ custom_id: name }) => name);
        expect(names.sort()).toEqual(Array.from({ length: LINES }, (_, n) => `${mark}-${n}`).sort());
        for (const { custom_id: name, response } of output) {
          // A line that was run again is answered alike.
          const { usage } = truths.get(name)!;
          expect(response.body.usage).toMatchObject({
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
          });
          expect(response.body.choices[0].message.content).toContain(name);
          due += usage.input + 2 * usage.output;
        }
        answered += output.length;
        expect(new Set(errors.map(({ error }) => error.code)).size).toBe(errors.length > 0 ? 1 : 0);
        expect(batch?.counts).toMatchObject({ succeeded: output.length, cancelled: errors.length });
      }
      expect([first?.outcome, second?.outcome]).toEqual(["completed", "cancelled"]);
      expect(first?.counts?.succeeded).toBe(LINES);
      await store.money.recall(caller.accountId);
      const account = await store.accounts.get(caller.accountId);
      expect([account?.balance, account?.held]).toEqual([CREDIT - due, 0]);
      expect(await store.money.audit()).toEqual([]);
      const { accountId } = caller;
      const charged = await store.generations.list(
        { accountId, status: "succeeded" },
        { offset: 0, limit: 1 },
      );
      expect(charged.total).toBe(answered);
      // What the provider made in vain is what was running when a worker was killed.
      const lost = simulator.ledger.entries.length - answered;
      expect(lost).toBeLessThanOrEqual(KILLS * AT_ONCE);
    },
    60_000 + 120 * LINES,
  );
});
