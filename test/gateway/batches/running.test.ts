import { createCatalog, createGateway } from "@manifold-gateway/gateway";
import type { BatchRef } from "@manifold-gateway/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMedia } from "../../support/files.ts";
import { model, textModels, textProviders } from "../../support/text.ts";
import { until } from "../../support/until.ts";
import { BATCHES, type BatchStage, CREDIT, lineOf, openBatchStage, useBatchStage } from "./stage.ts";

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `line-${n}`);
const dear = model("dear", "chatstyle", {
  entries: [
    {
      provider: "chatstyle",
      name: "sim-dear",
      priority: 1,
      isActive: true,
      price: { input: 1e12, output: 1e12 },
    },
  ],
});
let offset = 0;
const set = useBatchStage({
  now: () => Date.now() + offset,
  media: { batches: { lines: 4 } },
  catalog: createCatalog([...textModels, dear]),
});

/** What the provider counts, in micro-USD. */
const dueAt = ({ simulator }: BatchStage): number =>
  simulator.ledger.entries.reduce((sum, { usage }) => sum + usage.input + 2 * usage.output, 0);

describe("the lines of a batch", () => {
  it("keep to the limits of the key, and wait where it has nothing left", async () => {
    const restrict = (concurrentRequests: number | null) =>
      set.h.store.keys.change({ id: "key", accountId: "acc" }, { restrictions: { concurrentRequests } });
    await restrict(1);
    const { id } = await set.h.begin(names(6).map((name) => lineOf(name, `${name} [[fault:delay=10]]`)));
    const { batch, output } = await set.h.ended(id);
    await restrict(null);
    expect(batch.request_counts).toEqual({ total: 6, completed: 6, failed: 0 });
    expect(output.map(({ custom_id: name }) => name)).toEqual(names(6));
    expect(set.h.simulator.ledger.entries).toHaveLength(6);
  });

  it("are records of their own, with the batch's tags", async () => {
    const { id } = await set.h.begin(
      names(2).map((name) => lineOf(name)),
      {},
      { "x-tags": "team=search" },
    );
    await set.h.ended(id);
    const page = { offset: 0, limit: 2 };
    const { results } = await set.h.store.generations.list(
      { accountId: "acc", tags: { team: "search" } },
      page,
    );
    expect(results).toHaveLength(2);
    expect(results[0]).toMatchObject({ status: "succeeded", keyId: "key", surface: "chatstyle" });
  });

  it("are tried again after errors that pass, and end by those that stay", async () => {
    const { id } = await set.h.begin([
      lineOf("passes", "[[fault:status=503,times=2]]"),
      lineOf("stays", "[[fault:status=529]]"),
    ]);
    const { output, errors } = await set.h.ended(id);
    expect(output.map(({ custom_id: name }) => name)).toEqual(["passes"]);
    expect(errors).toMatchObject([{ custom_id: "stays", response: { status_code: 529 } }]);
    expect((await set.h.balance()).held).toBe(0);
  });

  it("wait while their model is not called, which is no try", async () => {
    const circuit = { failures: 1, openFor: 500 };
    const stage = await openBatchStage({ routing: { circuit }, media: { batches: { lines: 1, tries: 1 } } });
    const { id } = await stage.begin([lineOf("breaks", "[[fault:status=503]]"), lineOf("a"), lineOf("b")]);
    const { output, errors } = await stage.ended(id);
    expect(output.map(({ custom_id: name }) => name)).toEqual(["a", "b"]);
    expect(errors).toMatchObject([{ custom_id: "breaks", response: { status_code: 503 } }]);
    await stage.close();
  });

  it("are not ended by a worker whose answer came too late", async () => {
    const stage = await openBatchStage();
    const { batchLines } = stage.store;
    const { hold, finish } = batchLines;
    let ref: BatchRef | undefined;
    batchLines.hold = (by, ...more) => {
      ref = by;
      return hold(by, ...more);
    };
    // Another one gives the line back while its answer is on the way.
    batchLines.finish = async (line, end) => {
      batchLines.finish = finish;
      await batchLines.giveBack(ref!, line);
      return finish(line, end);
    };
    const { id } = await stage.begin([lineOf("a")]);
    const { output, errors } = await stage.ended(id);
    expect([output.length, errors]).toEqual([1, []]);
    // The lost answer costs nothing, and the one that was kept is charged.
    expect(stage.simulator.ledger.entries).toHaveLength(2);
    const { results } = await stage.store.generations.list({ accountId: "acc" }, { offset: 0, limit: 9 });
    expect(results.map(({ status, route }) => [status, route?.requestId]).sort()).toEqual([
      ["failed", `${id}/1`],
      ["succeeded", `${id}/1`],
    ]);
    expect((await stage.balance()).balance).toBe(CREDIT - dueAt(stage) / 2);
    expect(await stage.store.money.audit()).toEqual([]);
    await stage.close();
  });

  it("are answered by another model where the first fails, and charged once", async () => {
    set.h.simulator.reset();
    const before = (await set.h.balance()).balance;
    const models = { models: ["sim-msgstyle"] };
    const { id } = await set.h.begin([
      lineOf("a", "[[fault:status=500,times=1]] a", models),
      // No credit is left for the other model: the first one's failure is the answer.
      lineOf("b", "[[fault:status=500]] b", { models: ["dear"] }),
    ]);
    const { output, errors } = await set.h.ended(id);
    expect(output.map(({ custom_id: name }) => name)).toEqual(["a"]);
    expect(errors.map(({ custom_id: name }) => name)).toEqual(["b"]);
    const { balance, held } = await set.h.balance();
    expect([before - balance, held]).toEqual([dueAt(set.h), 0]);
    expect(await set.h.store.money.audit()).toEqual([]);
  });

  it("end by errors once the key is revoked", async () => {
    const stage = await openBatchStage({ media: { batches: { lines: 1 } } });
    const { id } = await stage.begin(names(4).map((name) => lineOf(name, `${name} [[fault:delay=30]]`)));
    await until(
      () => stage.json(`${BATCHES}/${id}`),
      ({ request_counts: { completed } }) => completed > 0,
    );
    await stage.store.keys.revoke({ id: "key", accountId: "acc" }, Date.now());
    const { counts } = await until(
      async () => (await stage.store.batches.get({ id, accountId: "acc" }))!,
      ({ endedAt }) => endedAt !== undefined,
    );
    expect(counts?.errored).toBeGreaterThan(0);
    expect(counts!.succeeded + counts!.errored).toBe(4);
    expect((await stage.balance()).balance).toBe(CREDIT - dueAt(stage));
    await stage.close();
  });
});

describe("a batch", () => {
  let files: Awaited<ReturnType<typeof openMedia>>;
  beforeAll(async () => {
    files = await openMedia("http://files.test", {});
  });
  afterAll(() => files.close());
  const readBatch = async ({ store }: BatchStage, id: string) =>
    (await store.batches.get({ id, accountId: "acc" }))!;
  /** Another process of the same service, until the batch has ended. */
  const goOn = async (stage: BatchStage, id: string) => {
    const next = createGateway({
      catalog: createCatalog(textModels),
      providers: textProviders(stage.upstream),
      store: stage.store,
      media: files.options,
    });
    const batch = await until(
      () => readBatch(stage, id),
      ({ endedAt }) => endedAt !== undefined,
    );
    await next.close();
    return batch;
  };

  it("that comes to its time ends with the answers that it has", async () => {
    const { id } = await set.h.begin(
      names(40).map((name) => lineOf(name, `${name} [[fault:delay=30]]`)),
      { completion_window: "1h" },
    );
    await until(
      () => set.h.json(`${BATCHES}/${id}`),
      ({ request_counts: { completed } }) => completed > 0,
    );
    offset += 3_600_000;
    const { batch, output, errors } = await set.h.ended(id);
    expect(batch.status).toBe("expired");
    expect([...output, ...errors].map(({ custom_id: name }) => name)).toEqual(names(40));
    expect(new Set(errors.map(({ error }) => error.code))).toEqual(new Set(["batch_expired"]));
    expect(set.h.simulator.ledger.entries).toHaveLength(output.length);
  });

  it("whose process stops in order is gone on with by another, and no line is run twice", async () => {
    const stage = await openBatchStage({ media: { ...files.options, batches: { lines: 4 } } });
    const { id } = await stage.begin(names(30).map((name) => lineOf(name, `${name} [[fault:delay=20]]`)));
    await until(
      () => stage.json(`${BATCHES}/${id}`),
      ({ request_counts: { completed } }) => completed > 3,
    );
    await stage.gateway.drain();
    expect((await readBatch(stage, id)).endedAt).toBeUndefined();
    expect(await stage.store.batchLines.counts(id)).toMatchObject({ sent: 0 });
    expect(await goOn(stage, id)).toMatchObject({ outcome: "completed", counts: { succeeded: 30 } });
    expect(stage.simulator.ledger.entries).toHaveLength(30);
    expect((await stage.balance()).balance).toBe(CREDIT - dueAt(stage));
    await stage.close();
  });

  it("whose file is gone fails, and nothing is charged", async () => {
    const stage = await openBatchStage({ media: { ...files.options, runJobs: false } });
    const { id, input_file_id: input } = await stage.begin([lineOf("a")]);
    expect((await stage.json(`${BATCHES}/${id}`)).status).toBe("validating");
    const file = await stage.store.files.get({ id: input, accountId: "acc" });
    await files.options.objects.remove(file!.key);
    expect(await goOn(stage, id)).toMatchObject({ outcome: "failed", error: { code: "file_not_found" } });
    expect(await stage.json(`${BATCHES}/${id}`)).toMatchObject({
      status: "failed",
      errors: { data: [{ code: "file_not_found" }] },
    });
    expect(await stage.balance()).toEqual({ balance: CREDIT, held: 0 });
    await stage.close();
  });
});
