import { expect, it } from "vitest";
import { makeCaller } from "../fixtures.ts";
import type { Context } from "../suite.ts";
import { useStore } from "./use-store.ts";

export const assets: Context = (database) => {
  const store = useStore(database);

  it("an account has one group of assets at each provider", async () => {
    const ref = { accountId: (await makeCaller(store())).accountId, provider: "p" };
    expect(await store().assets.group(ref)).toBeUndefined();
    const kept = await Promise.all(["a", "b", "c"].map((one) => store().assets.keepGroup(ref, one)));
    expect(new Set(kept).size).toBe(1);
    expect(await store().assets.group(ref)).toBe(kept[0]);
    expect(await store().assets.group({ ...ref, provider: "q" })).toBeUndefined();
  });
};
