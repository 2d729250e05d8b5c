import { createFetch } from "@manifold-gateway/client";
import { expect, it } from "vitest";

it("targets name declared providers or presets, which the compiler checks", () => {
  const providers = { mine: { origin: "http://localhost:8000", speaks: ["chatstyle"] } } as const;
  expect(() => [
    createFetch({ models: { best: "anthropic/some-model", fast: ["groq/llama-4", "openai/a/b:c"] } }),
    createFetch({
      providers,
      models: { best: ["mine/a", { target: "openai/b", traits: { maxOutput: 9 } }] },
    }),
    // @ts-expect-error: there is no such provider.
    createFetch({ models: { best: "antropic/some-model" } }),
    // @ts-expect-error: nor is there in a list.
    createFetch({ providers, models: { best: ["mine/a", "mien/a"] } }),
    // @ts-expect-error: a target names its provider.
    createFetch({ models: { best: "some-model" } }),
    // @ts-expect-error: there is no such preset.
    createFetch({ providers: { mine: { preset: "antropic" } } }),
  ]).not.toThrow();
});
