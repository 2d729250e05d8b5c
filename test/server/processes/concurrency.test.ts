import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../apps/server/src/config/load.ts";

const parse = (provider: object) =>
  parseConfig({ providers: { p: { key: "k", concurrency: { maxConcurrent: 2 }, ...provider } } }, {});
const origin = "https://x.example";

describe("the concurrency of a provider", () => {
  it.each([
    { protocol: "chatstyle", origin },
    { serves: { embed: "chatstyle", image: "chatstyle" }, origin },
    { serves: { transcription: "chatstyle" }, origin },
    { preset: "openai" },
    { preset: "openai", serves: { image: "chatstyle" } },
  ])("a concurrency limit applies to what %j serves", (provider) => {
    expect(parse(provider).providers.p?.concurrency).toEqual({ maxConcurrent: 2 });
  });

  it.each([
    { serves: { image: "chatstyle" }, origin },
    { serves: { asset: "mediastyle" }, origin },
  ])("a concurrency limit is refused where %j would ignore it", (provider) => {
    expect(() => parse(provider)).toThrow(
      "providers.p.concurrency: limits text, embeddings, transcripts, speech, rankings",
    );
  });
});
