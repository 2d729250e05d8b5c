import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lookupHash, type Store } from "@manifold-gateway/store";
import { launch } from "../launch.ts";
import { configOf, keyOf, openStore } from "../servers/seed.ts";
import { questionsAt } from "./questions.ts";
import { ACCOUNTS } from "./shape.ts";

const ADMIN = "admin-key-of-the-years-0123456789abcdef";
/** The accounts of questions: the one with the most records, and one with few. */
const NUMBERS = { busy: 0, quiet: Math.floor(ACCOUNTS / 2) } as const;
/** The requests whose holds and ends are measured, and those at a time. */
const ENDS = 500;
const AT_ONCE = [1, 32];
/** A question is asked so often; the median counts, and the first is told apart. */
const ASKED = 4;

const MAIN = join(import.meta.dirname, "../../../apps/server/src/main.ts");
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;

/** Holds and ends requests of accounts by chance. Resolves to the ms of each pair, and the whole rate. */
async function holdAndEnd(store: Store, atOnce: number) {
  const durations: number[] = [];
  let left = ENDS;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const number = Math.floor(ACCOUNTS ** Math.random()) - 1;
      const accountId = `acc-${number}`;
      const at = Date.now();
      const id = at.toString(16).padStart(12, "0") + randomBytes(10).toString("hex");
      const price = { input: 1_000_000, output: 2_000_000 };
      const generation = {
        id,
        accountId,
        keyId: `key-${number}`,
        modality: "text",
        model: "bench",
        price,
      } as const;
      const began = performance.now();
      await store.money.reserve({ generation, amount: 1_700, at, policy: "threshold", dispatched: true });
      const usage = { requests: 1, input: 500, output: 180 };
      await store.money.settle({ id, accountId, status: "succeeded", durationMs: 12, usage, cost: 860 });
      durations.push(performance.now() - began);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: atOnce }, work));
  return { ms: median(durations), rate: ENDS / ((performance.now() - began) / 1_000) };
}

/** Measures a filled database, and prints a row for each figure. */
export async function measure(url: string): Promise<void> {
  const row = (...cells: string[]): void => console.log(`| ${cells.join(" | ")} |`);
  const began = performance.now();
  const store = await openStore({ store: url, records: "none" });
  row("open", ms(performance.now() - began));
  for (const name of Object.values(NUMBERS)) {
    const [key] = await store.keys.list(`acc-${name}`);
    const hash = lookupHash(keyOf(name));
    if (key && !(await store.keys.find(hash)))
      await store.keys.create({
        ...key,
        id: `bench-${name}`,
        accountId: `acc-${name}`,
        hash,
        at: 1,
      } as never);
  }
  for (const atOnce of AT_ONCE) {
    await holdAndEnd(store, atOnce);
    const { ms: each, rate } = await holdAndEnd(store, atOnce);
    row(`hold and end, ${atOnce} at a time`, ms(each), `${rate.toFixed(0)}/s`);
  }
  const [{ id } = { id: "" }] = (
    await store.generations.list({ accountId: "acc-0" }, { offset: 0, limit: 1 })
  ).results;
  await store.close();

  const folder = mkdtempSync(join(tmpdir(), "manifold-years-"));
  const config = configOf({ upstream: "http://127.0.0.1:9", store: url, records: "none" }, 1);
  const file = join(folder, "config.json");
  writeFileSync(file, JSON.stringify({ ...config, server: { port: 0, processes: 1, adminKey: ADMIN } }));
  const server = await launch("gateway", [MAIN, "--config", file]);
  for (const { title, by, path } of questionsAt(Date.now(), id)) {
    const headers: Record<string, string> =
      by === "operator" ? { "x-admin-key": ADMIN } : { "x-api-key": keyOf(NUMBERS[by]) };
    const times: number[] = [];
    let status = 0;
    for (let asked = 0; asked < ASKED; asked++) {
      const asks = performance.now();
      const answer = await fetch(server.origin + path, { headers });
      const text = await answer.text();
      status = answer.status;
      if (status !== 200 && asked === 0) console.log(text.slice(0, 300));
      times.push(performance.now() - asks);
    }
    row(
      title,
      ms(median(times.slice(1))),
      `${ms(times[0]!)} at first`,
      ...(status === 200 ? [] : [String(status)]),
    );
  }
  server.child.kill();
  rmSync(folder, { recursive: true, force: true });
}
