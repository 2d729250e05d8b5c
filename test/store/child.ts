import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Store } from "@manifold-gateway/store";
import { openers } from "./databases/open.ts";
import { makeReservation, priced } from "./fixtures.ts";
import { migrateWith, STEP } from "./schema/step.ts";

/**
 * One of several processes on one database: `child.ts <job> <dialect> <location> <json>`. It says `ready`, starts
 * at the first line it reads, and reports in lines.
 */
export interface Contest {
  accountId: string;
  keyId: string;
  amount: number;
  policy: "threshold" | "strict";
}

const CONCURRENCY = 8;
const [, , job, dialect, location, json] = process.argv as string[];
const store = await openers[dialect as keyof typeof openers](location!);
const say = (...words: unknown[]) => process.stdout.write(`${words.join(" ")}\n`);
const jobs: Record<string, (store: Store) => Promise<void>> = { spend, work, hold, recover, fill, migrate };

say("ready");
for await (const _ of createInterface({ input: process.stdin })) break;
await jobs[job!]!(store);
await store.close();
process.exit();

/** Reserves and settles in every contest until it is refused; says how often it was let in. */
async function spend(): Promise<void> {
  for (const contest of JSON.parse(json!) as Contest[]) {
    let admitted = 0;
    const race = async () => {
      for (;;) {
        const reservation = makeReservation(contest, contest.amount, { policy: contest.policy });
        const reserved = await store.money.reserve(reservation);
        if (!reserved.ok) return;
        admitted++;
        await store.money.settle({
          id: reservation.generation.id,
          cost: contest.amount,
          status: "succeeded",
        });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, race));
    say("admitted", admitted);
  }
}

/** Works without end, saying what it was told is settled. Half of what is sent writes checkpoints. */
async function work(): Promise<void> {
  const caller = JSON.parse(json!) as { accountId: string; keyId: string };
  const toil = async () => {
    for (let turn = 0; ; turn++) {
      const reservation = priced(makeReservation(caller, 10, { dispatched: true }));
      const { id } = reservation.generation;
      await store.money.reserve(reservation);
      if (turn % 2 === 0) await store.money.checkpoint(id, { output: 4 });
      await store.money.settle({ id, cost: 7, status: "succeeded", usage: { output: 7 } });
      say("settled", id);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, toil));
}

/** Reserves once, says so and stays. */
async function hold(): Promise<void> {
  await store.money.reserve(makeReservation(JSON.parse(json!), 5));
  say("held");
  await once(process, "never");
}

/** Recovers what others left, again and again. */
async function recover(): Promise<void> {
  for (;;) {
    const counts = await store.money.recover(Date.now() + 60_000);
    say("recovered", counts.settled + counts.released);
  }
}

/** Writes while nothing but its writes keeps the process alive. */
async function fill(): Promise<void> {
  process.stdin.destroy();
  for (let turn = 0; turn < 1_000; turn++) {
    const reservation = makeReservation(JSON.parse(json!), 5);
    await store.money.reserve(reservation);
    await store.money.settle({ id: reservation.generation.id, cost: 1, status: "succeeded" });
  }
}

/** Migrates as a newer program would. */
async function migrate(): Promise<void> {
  await migrateWith({ dialect: dialect as keyof typeof openers, location: location! }, STEP);
  say("migrated");
}
