import { presets } from "@manifold-gateway/providers/presets";
import { loadPreset } from "@manifold-gateway/providers/presets/load";
import { expect, it } from "vitest";

it("loads each preset by its id, and none by any other name", async () => {
  const loaded = await Promise.all(
    Object.keys(presets).map(async (id) => [id, await loadPreset(id)] as const),
  );
  expect(Object.fromEntries(loaded)).toEqual(presets);
  for (const name of ["none", "", "constructor"]) expect(await loadPreset(name)).toBeUndefined();
});
