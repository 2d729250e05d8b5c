import type { Log } from "@manifold-gateway/gateway";
import { describe, expect, it } from "vitest";
import { until } from "../../../support/until.ts";
import { lineOf, useBatchStage } from "../stage.ts";
import { MESSAGES, messageOf, messagesEnded, providersWith, upstreamLimits } from "./stage.ts";

const DAY = 24 * 3_600_000;
let offset = 0;
const left: { message: string; fields: Record<string, unknown> }[] = [];
const log: Log = {
  info() {},
  warn(fields, message) {
    if (message.startsWith("provider's batch not removed")) left.push({ message, fields: { ...fields } });
  },
  error() {},
};
const set = useBatchStage({
  now: () => Date.now() + offset,
  ...{ log, providers: providersWith(), media: { batches: upstreamLimits } },
});
const FAILURE = "[[fault:status=500]]";

/** A batch of lines with answers and an error, from its begin to the end of all work on it. */
async function run(): Promise<{ id: string; swept(): Promise<unknown> }> {
  const { id } = await set.h.begin([lineOf("a"), lineOf("b"), lineOf("wrong", "[[fault:status=422]]")]);
  const { output, errors: failed } = await set.h.ended(id);
  expect([output.length, failed.length]).toEqual([2, 1]);
  const read = async () => (await set.h.store.batches.get({ id, accountId: "acc" }))!;
  return { id, swept: () => until(read, ({ phase }) => phase === "swept") };
}

describe("files at the provider", () => {
  it("are removed once the batch has ended: of requests, answers and errors", async () => {
    const { swept } = await run();
    await swept();
    expect(set.h.simulator.batches.all).toMatchObject([{ state: "completed" }]);
    expect(set.h.simulator.batches.files).toEqual([]);
    const removed = set.h.simulator.ledger
      .query({ operation: "batches" })
      .filter(({ path }) => /\/files\/[^/]+$/.test(path));
    expect(removed).toHaveLength(3);
  });

  it.each([
    ["refused", ["", "[[fault:status=403]]"]],
    ["not answered when its file is sent", ["[[fault:status=500,late]]"]],
    ["not answered", ["", "[[fault:status=500,late]]"]],
  ])("are removed where the batch is %s", async (_, answers) => {
    for (const answer of answers) set.h.simulator.script(answer, { operation: "batches" });
    await (await run()).swept();
    expect(set.h.simulator.batches.files).toEqual([]);
  });

  it("are removed after failures, for which the end of the batch does not wait", async () => {
    const { simulator } = set.h;
    // Between the results and the end, so that the calls of the removal fail.
    const { batches } = set.h.store;
    const { end } = batches;
    batches.end = async (...given) => {
      batches.end = end;
      simulator.script(FAILURE, { operation: "batches", times: 3 });
      return end(...given);
    };
    await (await run()).swept();
    expect(simulator.batches.files).toEqual([]);
    expect(left).toEqual([]);
  });

  it("are left, and the log says so, where they could not be removed for a day", async () => {
    const { simulator } = set.h;
    const { batches } = set.h.store;
    const { end } = batches;
    batches.end = async (...given) => {
      batches.end = end;
      simulator.script(FAILURE, { operation: "batches", times: 1_000 });
      return end(...given);
    };
    const { id, swept } = await run();
    offset += DAY;
    await swept();
    expect(simulator.batches.files).toHaveLength(3);
    expect(left).toMatchObject([
      {
        message: "provider's batch not removed",
        fields: { batch: id, remote: simulator.batches.all[0]?.id, why: "refused with 500" },
      },
    ]);
    expect(await set.h.store.upstreamBatches.all(id)).toEqual([]);
  });
});

describe("batches of messages at the provider", () => {
  /** Runs a batch to the end of all work on it. */
  async function runMessages(): Promise<void> {
    const { id } = await set.h.json(MESSAGES, { requests: [messageOf("a"), messageOf("b")] });
    await messagesEnded(set.h, id);
    const read = async () => (await set.h.store.batches.get({ id, accountId: "acc" }))!;
    await until(read, ({ phase }) => phase === "swept");
  }
  const removed = () => set.h.simulator.batches.all.map(({ state, isRemoved }) => [state, isRemoved]);

  it("are removed once they have ended, with the texts of requests and answers", async () => {
    await runMessages();
    expect(removed()).toEqual([["completed", true]]);
  });

  it("are removed after failures, and where the provider has removed them before", async () => {
    const { simulator, store } = set.h;
    left.splice(0);
    const { end } = store.batches;
    store.batches.end = async (...given) => {
      store.batches.end = end;
      simulator.script(FAILURE, { operation: "batches", times: 3 });
      return end(...given);
    };
    await runMessages();
    expect(removed()).toEqual([["completed", true]]);
    store.batches.end = async (...given) => {
      store.batches.end = end;
      for (const batch of simulator.batches.all) batch.isRemoved = true;
      return end(...given);
    };
    await runMessages();
    expect(left).toEqual([]);
  });
});
