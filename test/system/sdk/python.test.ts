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
import { RERANK_WIRES, rerankModels, rerankProviders } from "../../support/ranking.ts";
import type { Stage } from "../../support/stage.ts";
import { model, taken } from "../../support/text.ts";
import { MODELS } from "./shared.ts";

/**
 * The official Python SDKs, where `PYTHON_SDKS` names a Python that has them:
 * `python -m venv sdks && sdks/bin/pip install openai anthropic google-genai cohere jina-cli`, then
 * `PYTHON_SDKS=sdks/bin/python`.
 */
const python = process.env.PYTHON_SDKS;
const embeddingFor = (protocol: string): string =>
  protocol === "genstyle" ? "embed-generate" : "embed-chat";
interface Run {
  /** The upstream wire. */
  of: string;
  args: string[];
}
const texts: Run[] = MODELS.map(({ model, protocol }) => ({
  of: protocol,
  args: [model, embeddingFor(protocol), "video-router"],
}));
const rankings: Run[] = RERANK_WIRES.map((wire) => ({ of: wire, args: [wire] }));
const sdks = [
  { sdk: "openai", program: "openai_checks.py", runs: texts, least: 18 },
  { sdk: "anthropic", program: "anthropic_checks.py", runs: texts, least: 12 },
  { sdk: "google.genai", program: "genai_checks.py", runs: texts, least: 11 },
  { sdk: "cohere", program: "cohere_checks.py", runs: rankings, least: 6 },
  { sdk: "jina_cli", program: "jina_checks.py", runs: rankings, least: 3 },
];

/** Why an SDK is not tried here, if it is not. */
function lacking(sdk: string): string | undefined {
  if (!python) return "PYTHON_SDKS names no Python";
  const { status } = spawnSync(python, ["-c", `import ${sdk}`]);
  return status === 0 ? undefined : `'${sdk}' is not installed in ${python}`;
}

describe.each(sdks)("$sdk in Python", ({ sdk, program, runs, least }) => {
  const why = lacking(sdk);
  let h: Stage;
  let simulator: Simulator;
  beforeAll(async () => {
    if (why !== undefined) return;
    simulator = createSimulator();
    const { origin } = await simulator.listen();
    const spoken = MODELS.map(({ protocol }) =>
      defineProvider(`text-${protocol}`, {
        ...{ origin, speaks: [protocol], key: "upstream-secret", protocolTraits: taken },
      }),
    );
    h = await startMediaStage({
      providers: [...spoken, ...rerankProviders(origin)],
      catalog: createCatalog([
        ...MODELS.map(({ model: id, protocol }) => model(id, `text-${protocol}`)),
        ...[...media, ...rerankModels],
        model("moderation", "text-chatstyle", { outputModalities: ["moderation"] }),
      ]),
    });
  });
  afterAll(async () => {
    await h?.close();
    await simulator?.close();
  });

  it.skipIf(why !== undefined).each(runs)(
    why === undefined ? "the SDK does everything on $of" : `skipped on $of: ${why}`,
    { timeout: 120_000 },
    async ({ args }) => {
      const file = join(import.meta.dirname, "python", program);
      const { stdout } = await promisify(execFile)(python ?? "", [file, h.origin, KEY, ...args], {
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
      });
      const done = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(done.length).toBeGreaterThanOrEqual(least);
      expect(done.filter(({ error }) => error !== null)).toEqual([]);
      expect(await h.store.money.audit()).toEqual([]);
    },
  );
});
