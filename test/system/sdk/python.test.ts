import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createCatalog } from "@manifold-gateway/gateway";
import { defineProvider } from "@manifold-gateway/providers";
import { createSimulator, type Simulator } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../support/holder.ts";
import { startMediaStage } from "../../support/media.ts";
import { models as media } from "../../support/media-models.ts";
import type { Stage } from "../../support/stage.ts";
import { model } from "../../support/text.ts";
import { MODELS } from "./shared.ts";

/**
 * The official Python SDKs, where `PYTHON_SDKS` names a Python that has them:
 * `python -m venv sdks && sdks/bin/pip install openai anthropic google-genai`, then `PYTHON_SDKS=sdks/bin/python`.
 */
const python = process.env.PYTHON_SDKS;
const sdks = [
  { sdk: "openai", program: "openai_checks.py" },
  { sdk: "anthropic", program: "anthropic_checks.py" },
  { sdk: "google.genai", program: "genai_checks.py" },
];

/** Why an SDK is not tried here, if it is not. */
function lacking(sdk: string): string | undefined {
  if (!python) return "PYTHON_SDKS names no Python";
  const { status } = spawnSync(python, ["-c", `import ${sdk}`]);
  return status === 0 ? undefined : `'${sdk}' is not installed in ${python}`;
}

describe.each(sdks)("$sdk in Python", ({ sdk, program }) => {
  const why = lacking(sdk);
  let h: Stage;
  let simulator: Simulator;
  beforeAll(async () => {
    if (why !== undefined) return;
    simulator = createSimulator();
    const { origin } = await simulator.listen();
    const spoken = MODELS.map(({ protocol }) =>
      defineProvider(`text-${protocol}`, { origin, speaks: [protocol], key: "upstream-secret" }),
    );
    const texts = MODELS.map(({ model: id, protocol }) => model(id, `text-${protocol}`));
    h = await startMediaStage({
      providers: spoken,
      catalog: createCatalog([...texts, ...media]),
    });
  });
  afterAll(async () => {
    await h?.close();
    await simulator?.close();
  });

  it.skipIf(why !== undefined).each(MODELS)(
    why === undefined ? "the SDK does everything on $protocol" : `skipped on $protocol: ${why}`,
    { timeout: 120_000 },
    async ({ model }) => {
      const embedding = model === "sim-genstyle" ? "embed-generate" : "embed-chat";
      const file = join(import.meta.dirname, "python", program);
      const args = [file, h.origin, KEY, model, embedding, "video-router"];
      const { stdout } = await promisify(execFile)(python ?? "", args, {
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
      });
      const done = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(done.length).toBeGreaterThan(10);
      expect(done.filter(({ error }) => error !== null)).toEqual([]);
      expect(await h.store.money.audit()).toEqual([]);
    },
  );
});
