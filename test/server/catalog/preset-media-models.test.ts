import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputModality } from "@manifold-gateway/core/capability";
import { knownVoices } from "@manifold-gateway/core/operations";
import { fromPreset, presets } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { knownMediaModels } from "../../../apps/server/src/catalog/preset-media-models.ts";
import { knownModels } from "../../../apps/server/src/catalog/preset-models.ts";
import { toModels, toProviders } from "../../../apps/server/src/config/build.ts";
import { parseConfig } from "../../../apps/server/src/config/load.ts";
import { ConfigError } from "../../../apps/server/src/config/read.ts";
import { openMedia } from "../../../apps/server/src/media-store.ts";

const operationOf = (modality: string) =>
  Object.entries(outputModality).find(([, made]) => made === modality)?.[0] as "speech";

describe("the media models of presets", () => {
  const byPreset = Object.entries(presets).map(([id, { parts = {} }]) => {
    const named = Object.fromEntries(Object.keys(parts).map((part) => [part, "a"]));
    return [id, fromPreset(id, { key: "k", parts: named })] as const;
  });

  it.each(byPreset)("%s: each media model is served, priced and counted", (id, provider) => {
    const models = knownMediaModels(provider);
    expect(models.length > 0).toBe(presets[id]?.media === true);
    const { serves } = provider;
    for (const {
      outputModalities: [kind],
      entries: [entry],
    } of models) {
      const isGenerated = kind === "image" || kind === "video";
      expect(serves?.[operationOf(kind as string)]).toBeDefined();
      expect(entry).toMatchObject({
        provider: id,
        ...(isGenerated && { capabilities: { strictParams: true }, meter: { by: expect.any(String) } }),
      });
      const prices = isGenerated ? entry?.tiers?.map(({ price }) => price) : [entry?.price ?? {}];
      expect(prices?.every((price) => Object.values(price).some((value) => value > 0))).toBe(true);
    }
  });

  it("an audio model is known at the preset of its table only", () => {
    const at = (preset: string, name: string) => {
      const providers = { p: { preset, key: "k" } };
      const models = { m: { entries: [{ provider: "p", name }] } };
      return toModels(parseConfig({ models, providers }, {}))[0]?.entries[0];
    };
    expect(at("groq", "whisper-large-v3")).toMatchObject({
      price: { seconds: 30_830_000 },
      meter: { by: "sound", least: 10 },
    });
    expect(at("openai", "whisper-1")).toMatchObject({ price: { seconds: 100_000_000 } });
    expect(at("openai", "whisper-large-v3")).not.toHaveProperty("price");
    expect(at("groq", "whisper-1")).not.toHaveProperty("price");
  });
});

describe("the models of presets that order documents or moderate", () => {
  it.each([
    ["cohere", "rerank-v3.5", ["text"], "ranking", { searchUnits: 2_000_000_000 }],
    ["voyage", "rerank-2.5-lite", ["text"], "ranking", { input: 20_000 }],
    ["openai", "omni-moderation-latest", ["text", "image"], "moderation", {}],
    ["mistral", "mistral-moderation-latest", ["text"], "moderation", { input: 100_000 }],
  ])("%s has %s, with its price, which a configuration need not repeat", (id, name, input, output, price) => {
    const found = knownModels(fromPreset(id, { key: "k" })).find((model) => model.id === name);
    expect(found).toMatchObject({
      inputModalities: input,
      outputModalities: [output],
      entries: [{ provider: id, name, price }],
    });
    const config = parseConfig(
      {
        providers: { [id]: { preset: id, key: "k" } },
        models: { mine: { input, output: [output], entries: [{ provider: id, name }] } },
      },
      {},
    );
    expect(toModels(config)[0]?.entries[0]?.price).toEqual(price);
  });
});

describe("media in a configuration", () => {
  const models = {
    plain: { output: ["image"], entries: [{ provider: "p", name: "seedream-4-0-250828" }] },
    flat: {
      output: ["image"],
      entries: [{ provider: "p", name: "seedream-4-0-250828", price: { images: 0.05 } }],
    },
    renamed: {
      output: ["video"],
      entries: [{ provider: "p", name: "ep-1", known: "seedance-1-0-pro-250528" }],
    },
    own: {
      output: ["video"],
      entries: [
        {
          provider: "p",
          name: "mine",
          meter: { by: "seconds", longest: 10 },
          tiers: [{ when: { resolution: "4k" }, price: { seconds: 0.5 } }, { price: { seconds: 0.1 } }],
        },
      ],
    },
  };
  const providers = {
    p: {
      origin: "https://x.example",
      key: "k",
      serves: { image: "mediastyle", speech: { wire: "speechstyle", origin: "https://y.example", key: "s" } },
    },
    q: { preset: "openai", key: "k" },
  };

  it("known media models are taken by name, unless the configuration says otherwise", () => {
    const byId = new Map(
      toModels(parseConfig({ models, providers }, {})).map((model) => [model.id, model.entries[0]]),
    );
    expect(byId.get("plain")).toMatchObject({
      meter: { by: "images" },
      tiers: [{ price: { images: 30_000_000_000 } }],
    });
    expect(byId.get("flat")).toMatchObject({ tiers: [], price: { images: 50_000_000_000 } });
    expect(byId.get("renamed")).toMatchObject({
      name: "ep-1",
      meter: { by: "tokens" },
      tiers: [{ price: { output: 2_500_000 } }],
    });
    expect(byId.get("own")).toMatchObject({
      meter: { by: "seconds", longest: 10 },
      tiers: [{ when: { resolution: "4k" }, price: { seconds: 5e11 } }, { price: { seconds: 1e11 } }],
    });
  });

  it("the configuration says where a provider serves which media, and by which key", () => {
    const named = toProviders(parseConfig({ providers }, {}));
    expect(named.get("p")).toMatchObject({
      speaks: {},
      serves: {
        image: { wire: "mediastyle", origin: "https://x.example", base: "/api/v3", key: "k" },
        speech: {
          wire: "speechstyle",
          origin: "https://y.example",
          base: "/api/v3",
          key: "s",
          auth: { header: "x-api-key" },
        },
      },
    });
    expect(named.get("q")?.serves).toMatchObject({ image: { wire: "chatstyle", base: "/v1", key: "k" } });
  });

  it.each([
    [
      "a wire nobody knows",
      { providers: { p: { origin: "https://x.example", serves: { image: "other" } } } },
      /providers\.p\.serves\.image/,
    ],
    [
      "an operation nobody knows",
      { providers: { p: { origin: "https://x.example", serves: { song: "chatstyle" } } } },
      /providers\.p\.serves/,
    ],
    ["a store of files nobody knows", { objects: "ftp:x" }, /objects: must begin with file: or s3:/],
    ["a secret that is short", { linkSecrets: ["abc"] }, /linkSecrets\.0: must be 32 bytes/],
    [
      "a known model nobody knows",
      { models: { m: { entries: [{ provider: "p", name: "n", known: "x" }] } } },
      /models\.m\.entries\.0\.known/,
    ],
  ])("a finding says where %s is", (_, value, message) => {
    expect(() => parseConfig(value, {})).toThrow(ConfigError);
    expect(() => parseConfig(value, {})).toThrow(message);
  });

  it.each([
    ["s3:", /must begin with file: or s3:/],
    ["s3:bucket?nope=1", /no option 'nope'/],
    ["s3:?region=a", /names no bucket/],
  ])("files at %s are refused", async (objects, message) => {
    const open = async () => openMedia(parseConfig({ objects }, {}));
    await expect(open()).rejects.toThrow(message);
  });
});

describe("the operator's own voices", () => {
  const opened = async (more: object) => {
    const folder = mkdtempSync(join(tmpdir(), "manifold-voices-"));
    try {
      const voices = join(folder, "voices.json");
      writeFileSync(voices, JSON.stringify([{ ...knownVoices[0], ...more }]));
      const objects = `file:${join(folder, "objects")}`;
      const media = await openMedia(parseConfig({ objects, media: { voices } }, {}));
      await media.close();
      return media.options.voices;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it("the operator's own voices keep their pictures and samples", async () => {
    const shown = { avatar: "https://voices.example/a.png", trialUrl: "https://voices.example/a.mp3" };
    expect(await opened(shown)).toEqual([{ ...knownVoices[0], ...shown }]);
  });

  it.each(["avatar", "trialUrl"])(
    "the operator's own voices are refused where %s is no address",
    async (field) => {
      await expect(opened({ [field]: "a.png" })).rejects.toThrow(field);
    },
  );
});
