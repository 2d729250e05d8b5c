import type { ImageAsk } from "@manifold-gateway/core/operations";
import { costOf, type Price, type Store } from "@manifold-gateway/store";
import { describe, expect, test } from "vitest";
import type { Order } from "../../../packages/gateway/src/ports/jobs.ts";
import { newId, orderOf, serviceAt } from "./orders.ts";
import { databases, mediaJobsOf, useStage } from "./stage.ts";

const LEASE = 60_000;
const CREDIT = 1_000_000_000;
type Fallback = NonNullable<Order["fallbacks"]>[number];

describe.each(databases)("fallback of jobs on %s", (_, make) => {
  const stage = useStage(make);

  /** Work of the media wire, which goes on at the chat wire, where it costs another price. */
  async function order(more: Partial<Order> = {}, credit = CREDIT) {
    const caller = await stage().caller(credit);
    const mark = newId();
    const prompt = `A turtle ${mark}.`;
    const { entry, price, estimate, ask } = orderOf("image inline", caller, prompt);
    const second: Fallback = { entry: { ...entry, provider: "other" }, price, estimate, ask };
    const made = orderOf("image by address", caller, prompt, { fallbacks: [second], ...more });
    const ref = { id: made.id, accountId: caller.accountId };
    const read = async () => ({
      job: (await stage().store.jobs.get(ref))!,
      generation: (await stage().store.generations.get(ref))!,
      account: (await stage().store.accounts.get(caller.accountId))!,
    });
    return { made, second, mark, ref, read };
  }
  const holdOf = ({ estimate, price }: Pick<Order, "estimate" | "price">) => costOf(estimate, price);
  const run = async (made: Order, ref: { id: string; accountId: string }, worker = stage().worker()) => {
    worker.start();
    await worker.submit(made);
    const job = await stage().finish(worker, ref);
    await worker.close();
    return job;
  };
  const refuse = (fault: string) =>
    stage().simulator.script(`[[fault:${fault}]]`, { protocol: "mediastyle", times: 9 });

  test.each([401, 402, 403, 404, 405, 429, 503, 529])(
    "a job that is refused with %i goes on at the next entry, at its price and hold",
    async (status) => {
      refuse(`status=${status}`);
      const { made, second, mark, ref, read } = await order();
      const { store } = stage();
      let held: number | undefined;
      const jobs: Store["jobs"] = {
        ...store.jobs,
        async move(...args) {
          const moved = await store.jobs.move(...args);
          held = (await read()).account.held;
          expect(await store.money.audit()).toEqual([]);
          return moved;
        },
      };
      const job = await run(made, ref, stage().worker({ store: { ...store, jobs } }));
      expect(held).toBe(holdOf(second));
      expect(holdOf(second)).not.toBe(holdOf(made));
      expect(job).toMatchObject({ state: "succeeded", orphan: false, entry: second.entry });
      const [work] = mediaJobsOf(stage(), mark);
      const { input_tokens: input = 0, output_tokens: output = 0 } = work?.billed ?? {};
      const { generation, account } = await read();
      const cost = costOf({ input, output, imageOutput: output }, second.price as Price);
      expect(cost).toBeGreaterThan(0);
      expect(generation).toMatchObject({ status: "succeeded", cost, price: second.price });
      expect(generation.route).toMatchObject({
        ...{ provider: "other", name: second.entry.name, protocol: "chatstyle" },
        attempts: [
          { provider: "sim", status },
          { provider: "other", status: 200 },
        ],
      });
      expect(account).toMatchObject({ held: 0, balance: CREDIT - cost });
      expect(await store.money.audit()).toEqual([]);
    },
  );

  test("a job goes on at the next entry where its provider is unreachable or no longer configured", async () => {
    const gone = { provider: "gone", name: "n", wire: "mediastyle" };
    const service = (entry: Order["entry"]) =>
      serviceAt(entry.provider === "gone" ? "http://127.0.0.1:9" : stage().origin, entry);
    const connect = await order({ entry: gone });
    expect(await run(connect.made, connect.ref, stage().worker({ service }))).toMatchObject({
      ...{ state: "succeeded", entry: connect.second.entry },
    });
    const { attempts } = (await connect.read()).generation.route as { attempts: object[] };
    expect(attempts).toMatchObject([{ fault: "connect" }, { status: 200 }]);
    const unset = await order({ entry: gone });
    const none = (entry: Order["entry"]) => (entry.provider === "gone" ? undefined : service(entry));
    const job = await run(unset.made, unset.ref, stage().worker({ service: none }));
    expect(job).toMatchObject({ state: "succeeded", entry: unset.second.entry });
  });

  test.each([
    ["status=500", true, { status: 500, perhapsCharged: true }],
    ["status=408", false, { status: 408, perhapsCharged: true }],
    ["status=502", true, { status: 502, perhapsCharged: true }],
    ["reset", true, { fault: "reset", perhapsCharged: true }],
    ["empty", true, { perhapsCharged: true }],
    ["status=400", false, { status: 400 }],
    ["status=422", false, { status: 422 }],
  ])("a job that meets %s goes to no other entry", async (fault, orphan, attempt) => {
    refuse(fault);
    const { made, ref, mark, read } = await order();
    const job = await run(made, ref);
    expect(job).toMatchObject({ state: "failed", orphan, entry: made.entry });
    expect(stage().simulator.ledger.entries.filter(({ protocol }) => protocol === "chatstyle")).toEqual([]);
    for (const { protocol } of mediaJobsOf(stage(), mark)) expect(protocol).toBe("mediastyle");
    const { generation, account } = await read();
    expect(generation).toMatchObject({ cost: 0, price: made.price });
    expect((generation.route as { attempts: object[] }).attempts).toMatchObject([attempt]);
    expect(account).toMatchObject({ held: 0, balance: CREDIT });
  });

  test("a job that times out after it was sent goes to no other entry", async () => {
    refuse("delay=60000");
    const service = (entry: Order["entry"]) => ({
      ...serviceAt(stage().origin, entry),
      timeouts: { firstByte: 50, idle: 50 },
    });
    const { made, ref } = await order();
    const job = await run(made, ref, stage().worker({ service }));
    expect(job).toMatchObject({ state: "failed", orphan: true, entry: made.entry });
  });

  test("a moderated job goes to no other entry", async () => {
    const { made, ref } = await order();
    const moderated = { ...made.ask, prompt: "A turtle. [[outcome:fail=moderation]]" } as Order["ask"];
    const job = await run({ ...made, ask: moderated } as Order, ref);
    expect(job).toMatchObject({ state: "failed", entry: made.entry, error: { kind: "moderated" } });
  });

  test("a failing entry is passed over, and so is one whose hold the credit does not cover", async () => {
    refuse("status=401");
    const { made, second } = await order();
    const dear: Fallback = { ...second, price: { output: 5e12 } as Price };
    const broken: Fallback = { ...second, entry: { ...second.entry, provider: "broken" } };
    const { made: full, ref, read } = await order({ fallbacks: [broken, dear, second] });
    const enter = (_: object, { provider }: Order["entry"]) => provider !== "broken";
    const job = await run(full, ref, stage().worker({ enter }));
    expect(job).toMatchObject({ state: "succeeded", entry: second.entry });
    expect((await read()).generation.route).toMatchObject({
      attempts: [
        { provider: "sim", status: 401 },
        { provider: "broken", fault: "circuit_open" },
        { provider: "other", fault: "insufficient_balance" },
        { provider: "other", status: 200 },
      ],
    });
    const alone = await order({ fallbacks: [dear] });
    const failed = await run(alone.made, alone.ref);
    expect(failed).toMatchObject({ state: "failed", entry: made.entry, error: { status: 401 } });
    expect((await alone.read()).account).toMatchObject({ held: 0, balance: CREDIT });
  });

  test("the last entry is retried as it would be alone, and its failure is the job's", async () => {
    refuse("status=429");
    stage().simulator.script("[[fault:status=429]]", { protocol: "chatstyle", times: 9 });
    const { made, second, ref, read } = await order();
    const job = await run(made, ref);
    expect(job).toMatchObject({ state: "failed", entry: second.entry, error: { status: 429 } });
    const { attempts } = (await read()).generation.route as { attempts: { provider: string }[] };
    expect(attempts.map(({ provider }) => provider)).toEqual(["sim", "other", "other", "other", "other"]);
  });

  test("each entry is sent the job as it can do it, whether the request is kept in a file or not", async () => {
    for (const limits of [{}, { ask: 500 }]) {
      refuse("status=403");
      const { second } = await order();
      const { size: _, ...ask } = { ...second.ask, quality: "high" } as ImageAsk;
      const { made, ref, mark } = await order({ fallbacks: [{ ...second, ask }] });
      const prompt = `A turtle ${mark}. ${"x".repeat(600)}`;
      const first = { ...made.ask, prompt };
      const alike = { ...ask, prompt };
      const sent = { ...made, ask: first, fallbacks: [{ ...second, ask: alike }] } as Order;
      const job = await run(sent, ref, stage().worker({ limits }));
      expect(job).toMatchObject({ state: "succeeded", entry: second.entry });
      const [work] = mediaJobsOf(stage(), mark);
      expect(work?.request).toMatchObject({ quality: "high" });
      expect(work?.request).not.toHaveProperty("size");
      stage().simulator.reset();
    }
  });

  test("an entry whose request takes too much room is left out, and the log says so", async () => {
    refuse("status=403");
    const { second } = await order();
    const long = { ...second, ask: { ...second.ask, prompt: "x".repeat(2_000) } as Fallback["ask"] };
    const { made, ref } = await order({ fallbacks: [long] });
    const job = await run(made, ref, stage().worker({ limits: { ask: 1_000 } }));
    expect(job).toMatchObject({ state: "failed", entry: made.entry, error: { status: 403 } });
    const text = "job fallback too long to keep";
    expect(stage().logged).toContainEqual(expect.objectContaining({ level: "warn", message: text }));
  });

  test.each(["before", "after"] as const)(
    "a worker that stops %s the move leaves the job at one of the two entries",
    async (side) => {
      refuse("status=503");
      const { made, second, ref, read, mark } = await order();
      const { store, clock } = stage();
      let stop = () => {};
      const stopped = new Promise<void>((resolve) => {
        stop = resolve;
      });
      const jobs: Store["jobs"] = {
        ...store.jobs,
        async move(...args) {
          if (side === "after") await store.jobs.move(...args);
          stop();
          return new Promise<never>(() => {});
        },
        renew: () => new Promise<never>(() => {}),
        claim: async () => [],
      };
      const first = stage().worker({ store: { ...store, jobs } }, "stops");
      first.start();
      await first.submit(made);
      await stopped;
      const between = await read();
      expect(between.account.held).toBe(holdOf(side === "after" ? second : made));
      expect(await store.money.audit()).toEqual([]);

      clock.advance(LEASE + 1);
      const next = stage().worker();
      next.start();
      const job = await stage().finish(next, ref);
      await next.close();
      const { generation, account } = await read();
      expect(account.held).toBe(0);
      expect(account.balance).toBe(CREDIT - generation.cost!);
      if (side === "after") {
        expect(job).toMatchObject({ state: "succeeded", entry: second.entry });
        expect(mediaJobsOf(stage(), mark)).toHaveLength(1);
      } else {
        // That the provider refused was known to the worker alone.
        expect(job).toMatchObject({ state: "failed", orphan: true, entry: made.entry });
        expect(mediaJobsOf(stage(), mark)).toHaveLength(0);
        expect(generation.cost).toBe(0);
      }
      expect(await store.money.audit()).toEqual([]);
    },
  );
});
