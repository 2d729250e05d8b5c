import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createSimulator } from "@manifold-gateway/simulator";
import type { Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createJobs } from "../../../packages/gateway/src/jobs/jobs.ts";
import type { Jobs } from "../../../packages/gateway/src/ports/jobs.ts";
import { bodyNames, libraryAt, newId, orderOf } from "../../gateway/jobs/orders.ts";
import { databases } from "../../gateway/jobs/stage.ts";
import type { Database } from "../../store/databases/database.ts";
import { PLACE } from "../../store/databases/place.ts";
import { makeCaller } from "../../store/fixtures.ts";
import { silent } from "../../support/log.ts";
import { programOf } from "../../support/program.ts";

const CHILD = await programOf("test/system/jobs/child.ts");
const KILLS = Number(process.env.KILLS ?? 1);
const WORKERS = 2;
const LEASE = 600;

/** The same sequence for the same seed, so that a failure can be had again. */
function randomFrom(seed: number) {
  let state = seed;
  return (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

describe.each(databases)("killed workers on %s", (_, make) => {
  const simulator = createSimulator({ ledgerSize: 20_000 });
  const folder = mkdtempSync(join(PLACE, "manifold-kill-"));
  const living = new Set<ChildProcess>();
  let database: Database;
  let store: Store;
  let desk: Jobs;
  let origin = "";
  let input = "";
  beforeAll(async () => {
    database = await make();
    store = await database.open();
    origin = (await simulator.listen()).origin;
    input = JSON.stringify({ origin, folder, lease: LEASE });
    const unused = undefined as never;
    // Takes orders and does no work.
    desk = createJobs({
      store,
      policy: "threshold",
      objects: unused,
      probes: unused,
      client: unused,
      fetch: unused,
      service: () => undefined,
      registry: { provider: "sim", service: libraryAt(origin) },
      log: silent,
      limits: { maxLiveJobs: 10_000, pendingAssets: 10_000 },
    });
  });
  afterAll(async () => {
    for (const child of living) child.kill("SIGKILL");
    await simulator.close();
    await store.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A worker that is killed at its n-th word, or lives on. Resolves when it is dead. */
  async function work(lineOfDeath: number | undefined, progress: () => void): Promise<void> {
    const args = ["--conditions=manifold", CHILD, "worker", database.dialect, database.location, input];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    living.add(child);
    const dead = once(child, "exit").then(() => void living.delete(child));
    let words = 0;
    const lines = createInterface({ input: child.stdout! });
    lines.on("line", (word) => {
      if (word === "ready") child.stdin!.write("go\n");
      else if (++words === lineOfDeath) child.kill("SIGKILL");
      if (word === "ready" || word === "finished") progress();
    });
    await dead;
  }

  test(
    `${KILLS} kills of two workers at any write: each job ends once, is charged once or not at all, and none is forgotten`,
    async () => {
      const seed = Date.now() % 100_000;
      const random = randomFrom(seed);
      const caller = await makeCaller(store, { credit: 100_000_000_000 });
      const ids: string[] = [];
      for (let index = 0; index < 3 * KILLS + 18; index++) {
        const mark = `mark${index}end`;
        const name = bodyNames[index % (bodyNames.length + 1)];
        const steer = ["", "[[outcome:queued=1,running=2]]", "[[outcome:fail=moderation]]"][index % 3];
        const order = name && orderOf(name, caller, `Turtle ${mark}. ${steer}`);
        ids.push(order?.id ?? newId());
        const url = `${origin}/samples/640x480.png?${mark}`;
        if (order) await desk.submit(order);
        else await desk.createAsset({ id: ids[index]!, caller, body: { url, assetType: "Image" } });
      }

      const live = async () =>
        (await store.jobs.list({ ...caller, live: true }, { offset: 0, limit: 1 })).total;
      let kills = 0;
      let over = false;
      const look = async () => {
        if (over || (await live()) > 0) return;
        over = true;
        for (const child of living) child.kill("SIGKILL");
      };
      const place = async () => {
        for (await look(); !over; await look())
          await work(kills++ < KILLS ? 1 + random(12) : undefined, () => void look());
      };
      await Promise.all(Array.from({ length: WORKERS }, place));

      const why = `seed ${seed}`;
      expect(await store.money.audit(), why).toEqual([]);
      expect((await store.accounts.get(caller.accountId))?.held, why).toBe(0);
      let charged = 0;
      for (const [index, id] of ids.entries()) {
        const job = (await store.jobs.get({ id, ...caller }))!;
        const generation = await store.generations.get({ id, ...caller });
        const mediaJobs = simulator.ledger
          .mediaJobs()
          .filter(({ request }) => JSON.stringify(request).includes(`mark${index}end`));
        const told = `${why}, job ${index} of ${job.kind}: ${JSON.stringify(job.error)}`;
        charged += generation?.cost ?? 0;
        if (job.kind === "asset") {
          const asset = await store.assets.get({ id, ...caller });
          expect(asset?.state, told).toBe(job.state === "succeeded" ? "active" : "failed");
          expect(generation, told).toBeUndefined();
        } else {
          expect(generation?.status, told).toBe(job.state);
          expect((generation?.cost ?? 0) > 0, told).toBe(job.state === "succeeded");
        }
        const made = mediaJobs.filter(({ state }) => state === "succeeded");
        if (job.state === "succeeded") expect(made, told).toHaveLength(1);
        // Whatever the provider made and nobody was charged for is on the record as lost.
        else if (made.length > 0) expect(job.orphan, told).toBe(true);
        // Failures that pass may be met with another try; work that goes well is begun once.
        expect(mediaJobs.filter(({ state }) => state !== "failed").length, told).toBeLessThanOrEqual(1);
      }
      expect((await store.accounts.get(caller.accountId))?.balance).toBe(100_000_000_000 - charged);
      const reported = new Set((await store.jobs.orphans({ offset: 0, limit: 1_000 })).map(({ id }) => id));
      for (const { request } of simulator.ledger.orphans()) {
        const index = Number(/mark(\d+)end/.exec(JSON.stringify(request))?.[1]);
        expect(reported, why).toContain(ids[index]);
      }
    },
    120_000 + KILLS * 6_000,
  );
});
