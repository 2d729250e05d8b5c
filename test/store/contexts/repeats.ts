import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { makeCaller, NOW } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

export const repeats: Context = (database) => {
  const store = useStore(database);
  const make = async () => {
    const { accountId } = await makeCaller(store());
    return { accountId, route: "/text", name: randomUUID(), bodyHash: "one", at: NOW };
  };
  const answer = { status: 200, headers: { "x-a": "b" }, body: '{"ok":true}' };

  it("one of many simultaneous repeats from several processes gets the work", async () => {
    const request = await make();
    const other = await database().open();
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        [store(), other][i % 2]!.repeats.begin({ ...request, generationId: `g${i}` }),
      ),
    );
    await other.close();
    expect(taken.filter((one) => one === undefined)).toHaveLength(1);
    const winner = `g${taken.indexOf(undefined)}`;
    for (const one of taken)
      if (one) expect(one).toEqual({ bodyHash: "one", generationId: winner, state: "open", createdAt: NOW });
  });

  it("a repeat tells an open request from one with an answer and from one whose answer was not kept", async () => {
    const [kept, bare] = [await make(), await make()];
    for (const one of [kept, bare]) await store().repeats.begin({ ...one, generationId: "g" });
    await store().repeats.end({ ...kept, generationId: "g", answer });
    await store().repeats.end({ ...bare, generationId: "g" });
    const again = (one: typeof kept) => store().repeats.begin({ ...one, generationId: "h" });
    expect(await again(kept)).toMatchObject({ state: "done", generationId: "g", answer });
    expect(await again(bare)).toEqual({ bodyHash: "one", generationId: "g", state: "done", createdAt: NOW });
  });

  it("names of repeats are separate for each account and route", async () => {
    const request = await make();
    const stranger = { ...request, accountId: (await make()).accountId };
    for (const one of [request, stranger, { ...request, route: "/image" }])
      expect(await store().repeats.begin({ ...one, generationId: randomUUID() })).toBeUndefined();
  });

  it("a name is freed by its holder only, and every name when it is old", async () => {
    const request = await make();
    const begin = (generationId: string) => store().repeats.begin({ ...request, generationId });
    await begin("g");
    await store().repeats.forget({ ...request, generationId: "other" });
    expect(await begin("h")).toMatchObject({ generationId: "g" });
    await store().repeats.forget({ ...request, generationId: "g" });
    expect(await begin("i")).toBeUndefined();
    await store().repeats.expire(NOW);
    expect(await begin("j")).toMatchObject({ generationId: "i" });
    await store().repeats.expire(NOW + 1);
    expect(await begin("k")).toBeUndefined();
  });
};
