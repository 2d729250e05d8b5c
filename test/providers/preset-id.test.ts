import { readFileSync, writeFileSync } from "node:fs";
import { presets } from "@manifold-gateway/providers";
import { expect, it } from "vitest";

const path = new URL("../../packages/providers/src/presets/preset-id.ts", import.meta.url);

it("the type of ids is that of the rows of presets (UPDATE_PRESETS=1 writes it anew)", () => {
  const ids = Object.keys(presets).map((id) => `  | ${JSON.stringify(id)}`);
  const text = `/** The id of a known provider. */\nexport type PresetId =\n${ids.join("\n")};\n`;
  if (process.env.UPDATE_PRESETS) writeFileSync(path, text);
  expect(readFileSync(path, "utf8")).toBe(text);
});
