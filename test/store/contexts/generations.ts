import type { Modality, Outcome, Tags } from "@manifold-gateway/store";
import { beforeAll, expect, it } from "vitest";
import { makeCaller, makeKey, makeReservation, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

type Made = [
  modality: Modality,
  model: string,
  status: Outcome,
  at: number,
  labels?: { tags?: Tags; user?: string },
];

export const generations: Context = (database) => {
  const store = useStore(database);
  let accountId: string;
  let keyIds: string[];

  const made: Made[] = [
    ["text", "swift-1", "succeeded", NOW, { tags: { team: "search", "a.b-c": "'" }, user: "u-1" }],
    ["text", "swift-2", "failed", NOW + 1, { tags: { team: "search" } }],
    ["image", "brush-1", "succeeded", NOW + 2],
    ["audio", "voice-1", "cancelled", NOW + 3],
    ["text", "swift-1", "aborted", NOW + 3],
  ];

  beforeAll(async () => {
    const caller = await makeCaller(store());
    accountId = caller.accountId;
    keyIds = [caller.keyId, await makeKey(store(), accountId)];
    for (const [n, [modality, model, status, at, labels]] of made.entries()) {
      const { generation, ...rest } = makeReservation({ accountId, keyId: keyIds[n % 2]! }, 5, { at });
      const own = { ...generation, id: `g${n}`, modality, model, ...labels };
      await store().money.reserve({ ...rest, generation: own });
      await store().money.settle({ id: `g${n}`, cost: n, status });
    }
    await store().money.reserve(makeReservation({ accountId }, 1, { at: NOW + 9 }));
    const other = await makeCaller(store());
    const foreign = makeReservation(other, 1);
    await store().money.reserve(foreign);
    await store().money.release({ id: foreign.generation.id, status: "failed" });
  });

  it("a generation's record keeps what was requested, used and charged", async () => {
    const { generation, ...rest } = makeReservation({ accountId, keyId: keyIds[0]! }, 5);
    const request = { model: "swift-1", messages: [{ role: "user", content: "Grüße 🌍" }] };
    const id = "g-full";
    const labels = { tags: { team: "ads" }, user: "ü" };
    await store().money.reserve({
      ...rest,
      generation: { ...generation, id, request, price: { output: 1 }, ...labels },
    });
    const pending = {
      id,
      accountId,
      keyId: keyIds[0],
      modality: "text",
      model: "swift-1",
      request,
      createdAt: NOW,
      held: 5,
      leased: 0,
      ...labels,
    };
    expect(await store().generations.get({ id, accountId })).toEqual({
      ...pending,
      status: "pending",
      price: { output: 1 },
    });
    await store().money.checkpoint(id, { output: 1 });
    const ending = { usage: { output: 3 }, route: { provider: "p1" }, price: { output: 2 }, durationMs: 40 };
    await store().money.settle({ id, cost: 1, status: "succeeded", ...ending });
    expect(await store().generations.get({ id, accountId })).toEqual({
      ...pending,
      ...ending,
      status: "succeeded",
      cost: 1,
      checkpoint: { output: 1 },
    });
    expect(await store().generations.get({ id, accountId: "other" })).toBeUndefined();
    await store().money.checkpoint(id, { output: 9 });
    expect((await store().generations.get({ id, accountId }))?.checkpoint).toEqual({ output: 1 });
  });

  it.each([
    ["everything that ended, newest first", {}, ["g4", "g3", "g2", "g1", "g0"]],
    ["a modality", { modality: "text" }, ["g4", "g1", "g0"]],
    ["a model", { model: "swift-1" }, ["g4", "g0"]],
    ["a status", { status: "succeeded" }, ["g2", "g0"]],
    ["times, the first included and the last not", { from: NOW + 1, to: NOW + 3 }, ["g2", "g1"]],
    ["several at once", { modality: "text", status: "failed", from: NOW }, ["g1"]],
    ["a model that is a pattern elsewhere", { model: "%" }, []],
    ["a tag", { tags: { team: "search" } }, ["g1", "g0"]],
    ["several tags", { tags: { team: "search", "a.b-c": "'" } }, ["g0"]],
    ["a tag that none has", { tags: { team: "sear" } }, []],
    ["an end user", { user: "u-1" }, ["g0"]],
  ] as const)("a list of generations shows %s", async (_, filter, ids) => {
    const { results, total } = await store().generations.list(
      { accountId, to: NOW + 5, ...filter },
      { offset: 0, limit: 100 },
    );
    expect(results.map(({ id }) => id).filter((id) => id !== "g-full")).toEqual(ids);
    expect(total).toBe(results.length);
  });

  it("generations are listed by key, in pages", async () => {
    const filter = { accountId, keyId: keyIds[1]! };
    const { results, total } = await store().generations.list(filter, { offset: 1, limit: 1 });
    expect([results.map(({ id }) => id), total]).toEqual([["g1"], 2]);
    expect(await store().generations.list(filter, { offset: 5, limit: 1 })).toEqual({
      results: [],
      total: 2,
    });
  });

  it("pending generations are listed on request", async () => {
    const pending = await store().generations.list({ accountId, status: "pending" }, { offset: 0, limit: 9 });
    expect(pending.results).toMatchObject([{ status: "pending", createdAt: NOW + 9 }]);
  });
};
