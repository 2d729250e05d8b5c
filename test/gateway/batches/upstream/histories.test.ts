import { createCatalog, createGateway, type Gateway } from "@manifold-gateway/gateway";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMedia } from "../../../support/files.ts";
import { textModels } from "../../../support/text.ts";
import { until } from "../../../support/until.ts";
import { databases } from "../../jobs/stage.ts";
import { type BatchStage, lineOf, openBatchStage } from "../stage.ts";
import { charged, MESSAGES, messageOf, providersWith, truth, upstreamLimits } from "./stage.ts";

const HOUR = 3_600_000;
/** Longer than the lease of a worker. */
const LEASE = 61_000;
const RUNS = Number(process.env.BATCH_HISTORIES ?? 6);

/** What a line asks for, and the model on the surface's own wire or on another. */
const kinds = {
  answered: ["Say hello.", ""],
  refused: ["[[fault:status=422]]", ""],
  "refused once": ["[[fault:status=503,times=1]]", ""],
  "of another wire": ["Say goodbye.", "sim-genstyle"],
} as const;

/** What becomes of the call that makes a provider's batch. */
const creations = {
  made: "",
  "must wait": "[[fault:status=429]]",
  refused: "[[fault:status=403]]",
  "answer lost": "[[fault:status=500,late]]",
} as const;

const history = fc.record({
  surface: fc.constantFrom("chatstyle", "msgstyle"),
  lines: fc.array(fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])), {
    minLength: 1,
    maxLength: 6,
  }),
  creation: fc.constantFrom(...(Object.keys(creations) as (keyof typeof creations)[])),
  pace: fc.integer({ min: 0, max: 3 }),
  acts: fc.array(fc.constantFrom("look", "kill", "stop", "cancel", "expire", "expire there"), {
    maxLength: 4,
  }),
});

describe.each(databases)("batches of providers on %s", (_, make) => {
  let h: BatchStage;
  let files: Awaited<ReturnType<typeof openMedia>>;
  let offset = 0;
  let turn = 0;
  const now = () => Date.now() + offset;

  beforeAll(async () => {
    files = await openMedia("http://files.test", {});
    h = await openBatchStage({
      ...{ make, now, providers: providersWith() },
      media: { ...files.options, runJobs: false },
    });
  });
  afterAll(async () => {
    await h.close();
    await files.close();
  });

  const worker = (): Gateway =>
    createGateway({
      ...{ catalog: createCatalog(textModels), store: h.store, now },
      providers: providersWith()(h.upstream),
      media: { ...files.options, batches: upstreamLimits },
    });

  async function begin(surface: string, lines: readonly (keyof typeof kinds)[]): Promise<string> {
    turn += 1;
    const texts = lines.map((kind, at) => {
      const [text, model] = kinds[kind];
      // Faults are counted by the text.
      return { name: `line-${at}`, text: `${text} ${turn}/${at}`, model: model || `sim-${surface}` };
    });
    if (surface === "chatstyle")
      return (await h.begin(texts.map(({ name, text, model }) => lineOf(name, text, { model })))).id;
    const requests = texts.map(({ name, text, model }) => messageOf(name, text, model));
    return (await h.json(MESSAGES, { requests }, 200)).id;
  }

  it("whatever happens, each line ends once, and what the provider is owed is charged", async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ surface, lines, creation, pace, acts }) => {
        h.simulator.reset();
        h.simulator.batches.pace = pace;
        // The first call of a file's batch sends the file.
        if (surface === "chatstyle") h.simulator.script("", { operation: "batches" });
        h.simulator.script(creations[creation], { operation: "batches" });
        const [before, { balance }] = [await charged(h), await h.balance()];
        const id = await begin(surface, lines);
        const read = async () => (await h.store.batches.get({ id, accountId: "acc" }))!;
        const looks = () => h.simulator.ledger.query({ operation: "batches" }).length;
        let gateway = worker();
        // A batch that expires before it is read has no lines.
        await until(read, ({ runningAt }) => runningAt !== undefined, 3);
        for (const act of acts) {
          const seen = looks();
          if (act === "look")
            await until(
              async () => ({ is: looks(), endedAt: (await read()).endedAt }),
              ({ is, endedAt }) => is >= seen + 3 || endedAt !== undefined,
              3,
            );
          if (act === "kill" || act === "stop") {
            if (act === "stop") await gateway.drain();
            await gateway.close();
            offset += LEASE;
            gateway = worker();
          }
          if (act === "cancel") await h.store.batches.cancel({ id, accountId: "acc" }, now());
          if (act === "expire") offset += 25 * HOUR;
          if (act === "expire there")
            for (const batch of h.simulator.batches.all)
              if (batch.state === "in_progress") batch.state = "expired";
        }
        h.simulator.batches.pace = 9;
        const ended = await until(read, ({ phase }) => phase === "swept");
        await gateway.drain();
        await gateway.close();
        expect(h.simulator.batches.files).toEqual([]);
        const { succeeded, errored, cancelled, expired, waiting, sent } = ended.counts!;
        expect([succeeded + errored + cancelled + expired, waiting + sent]).toEqual([lines.length, 0]);
        const [after, due, left] = [await charged(h), truth(h), await h.balance()];
        const [ofBatches, ofOthers] = [after.batches - before.batches, after.others - before.others];
        expect(left).toEqual({ balance: balance - ofBatches - ofOthers, held: 0 });
        expect(ofBatches).toBe(due.batches);
        // The answer to a request of its own may be lost with its process: that is not charged.
        if (acts.includes("kill")) expect(ofOthers).toBeLessThanOrEqual(due.others);
        else expect(ofOthers).toBe(due.others);
        const filter = { accountId: "acc", status: "succeeded" as const };
        const { results } = await h.store.generations.list(filter, { offset: 0, limit: 1_000 });
        const ofBatch = results.filter(({ route }) => String(route?.requestId).startsWith(`${id}/`));
        expect(ofBatch).toHaveLength(succeeded);
      }),
      { numRuns: RUNS },
    );
    expect(await h.store.money.audit()).toEqual([]);
  }, 120_000);
});
