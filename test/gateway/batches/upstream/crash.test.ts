import { createCatalog, createGateway, type Gateway } from "@manifold-gateway/gateway";
import { createTransport, type Transport } from "@manifold-gateway/providers";
import type { Objects, Store } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMedia } from "../../../support/files.ts";
import { textModels } from "../../../support/text.ts";
import { until } from "../../../support/until.ts";
import { databases } from "../../jobs/stage.ts";
import { type BatchStage, lineOf, openBatchStage } from "../stage.ts";
import { charged, MESSAGES, messageOf, providersWith, truth, upstreamLimits } from "./stage.ts";

/** Longer than the lease of a worker. */
const LEASE = 61_000;
/** More than a batch has. */
const MOST = 200;

/** What it has at least. */
const STEPS = ["add", "enter", "hold", "send", "finish", "open", "change", "put", "end", "sweep", "forget"];

/** The texts of a batch's lines on either surface, and their models: the last is not of the surface's wire. */
const lines = [
  ["Say hello.", ""],
  ["[[fault:status=422]]", ""],
  ["Say goodbye.", "sim-genstyle"],
] as const;

/** The methods of an object, each of which calls `step` before. */
const stepped = <Of extends object>(parts: Of, step: (name: string) => Promise<void>): Of =>
  Object.fromEntries(
    Object.entries(parts).map(([name, method]) => [
      name,
      typeof method === "function"
        ? async (...given: unknown[]) => {
            await step(name);
            return method.apply(parts, given);
          }
        : method,
    ]),
  ) as Of;

describe.each(databases)("batches of providers, whose worker dies, on %s", (_, make) => {
  let h: BatchStage;
  let files: Awaited<ReturnType<typeof openMedia>>;
  let offset = 0;
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

  /** A worker that dies before one of its steps: a read, a write, or a call of a provider. */
  function worker(last: number): { gateway: Gateway; died: () => string | undefined } {
    let steps = 0;
    let died: string | undefined;
    const step = async (name: string): Promise<void> => {
      steps += 1;
      if (steps === last) {
        died = name;
        void gateway.close();
      }
      if (steps >= last) await new Promise(() => {});
    };
    const { batches, batchLines, upstreamBatches } = h.store;
    // What is only read or looked for changes nothing.
    const { nextDue, claim, renew, ...moves } = batches;
    const { waiting, sent, sentWith, interrupted, counts, ended, ...writes } = batchLines;
    const { live, all, ...changes } = upstreamBatches;
    const { put } = files.options.objects;
    const store: Store = {
      ...h.store,
      batches: { ...batches, ...stepped(moves, step) },
      batchLines: { ...batchLines, ...stepped(writes, step) },
      upstreamBatches: { ...upstreamBatches, ...stepped(changes, step) },
    };
    const transport = createTransport();
    const objects: Objects = { ...files.options.objects, ...stepped({ put }, step) };
    const gateway: Gateway = createGateway({
      ...{ catalog: createCatalog(textModels), store, now },
      providers: providersWith()(h.upstream),
      transport: {
        ...stepped<Pick<Transport, "send">>({ send: transport.send.bind(transport) }, step),
        close: () => transport.close(),
      },
      media: { ...files.options, objects, batches: upstreamLimits },
    });
    return { gateway, died: () => died };
  }

  const begin = async (surface: string, turn: number): Promise<string> => {
    const texts = lines.map(([text, model], at) => ({
      ...{ name: `line-${at}`, text: `${text} ${turn}/${at}`, model: model || `sim-${surface}` },
    }));
    if (surface === "chatstyle")
      return (await h.begin(texts.map(({ name, text, model }) => lineOf(name, text, { model })))).id;
    const requests = texts.map(({ name, text, model }) => messageOf(name, text, model));
    return (await h.json(MESSAGES, { requests }, 200)).id;
  };

  it.each(["chatstyle", "msgstyle"])(
    "before any of its steps, a batch of %s goes on: each line is charged once, and no file is left",
    async (surface) => {
      const deaths: string[] = [];
      for (let last = 1; last < MOST; last++) {
        h.simulator.reset();
        const [before, { balance }] = [await charged(h), await h.balance()];
        const id = await begin(surface, last);
        const read = async () => (await h.store.batches.get({ id, accountId: "acc" }))!;
        const { gateway, died } = worker(last);
        const isOver = async () => died() !== undefined || (await read()).phase === "swept";
        await until(isOver, (is) => is, 1);
        const death = died();
        await gateway.close();
        if (death !== undefined) {
          offset += LEASE;
          const next = worker(Number.POSITIVE_INFINITY);
          await until(read, ({ phase }) => phase === "swept", 1);
          await next.gateway.close();
        }
        const { counts } = await read();
        const at = `${last}, before ${death}`;
        expect(counts, at).toMatchObject({ succeeded: 2, errored: 1, waiting: 0, sent: 0 });
        const [after, due, left] = [await charged(h), truth(h), await h.balance()];
        const [ofBatches, ofOthers] = [after.batches - before.batches, after.others - before.others];
        expect(left, at).toEqual({ balance: balance - ofBatches - ofOthers, held: 0 });
        expect(ofBatches, at).toBe(due.batches);
        expect(ofOthers, at).toBeLessThanOrEqual(due.others);
        expect(h.simulator.batches.files, at).toEqual([]);
        const { results } = await h.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 20 });
        const requests = results.slice(0, lines.length).map(({ route }) => String(route?.requestId));
        for (const request of requests) expect(request, at).toContain(`${id}/`);
        if (death === undefined) break;
        deaths.push(death);
      }
      expect(await h.store.money.audit()).toEqual([]);
      expect(deaths).toEqual(expect.arrayContaining(STEPS));
    },
    120_000,
  );
});
