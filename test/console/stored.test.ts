import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The choices of a browser that kept these texts. */
async function choicesOf(kept: Record<string, string>) {
  vi.resetModules();
  const getItem = (name: string): string | null => kept[name] ?? null;
  const setItem = (name: string, text: string): void => {
    kept[name] = text;
  };
  vi.stubGlobal("localStorage", { getItem, setItem });
  const { isFolded } = await import("../../packages/console/web/src/state/folded.ts");
  const { areHidden } = await import("../../packages/console/web/src/home/steps.ts");
  const { zone } = await import("../../packages/console/web/src/state/zone.ts");
  return { isFolded: isFolded.value, areHidden: areHidden.value, zone: zone.value };
}

it("choices are read as earlier versions wrote them, in plain words, and written so that they are read again", async () => {
  const kept = {
    "manifold-rail": "folded",
    "manifold-first-steps": "hidden",
    "manifold-zone": "local",
  };
  const chosen = { isFolded: true, areHidden: true, zone: "local" };
  expect(await choicesOf(kept)).toEqual(chosen);
  expect(Object.values(kept).map((text) => JSON.parse(text) as unknown)).toEqual([true, true, "local"]);
  expect(await choicesOf(kept)).toEqual(chosen);
  const others = { "manifold-rail": "open", "manifold-first-steps": "false", "manifold-zone": "{" };
  expect(await choicesOf(others)).toEqual({ isFolded: false, areHidden: false, zone: "utc" });
});
