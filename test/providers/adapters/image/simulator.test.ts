import {
  checkImage,
  countsOfImage,
  fitAsk,
  type ImageAsk,
  type ImagePreview,
  type ImageResult,
  type PartSource,
} from "@manifold-gateway/core/operations";
import { adapters, imageModels, type Wire } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";
import { picture, useSimulator } from "../simulator.ts";
import { address, askOf } from "./kit.ts";

const lineTo = useSimulator();

const inline: PartSource = { type: "base64", mediaType: "image/png", data: picture };
const models: [wire: Wire, model: string][] = [
  ["chatstyle", "gpt-image-2"],
  ["mediastyle", "seedream-4-0-250828"],
  ["mediastyle", "dola-seedream-5-0-pro-260628"],
  ["genstyle", "gemini-3-pro-image"],
  ["routerstyle", "gpt-image-2"],
];

/** An ask as the gateway would submit it. */
async function make(wire: Wire, model: string, ask: ImageAsk, preview?: (one: ImagePreview) => void) {
  const { capabilities } = imageModels[model] ?? {};
  const issues = checkImage(capabilities, ask);
  expect(issues.filter(({ effect }) => effect === "refuse")).toEqual([]);
  return adapters.image[wire]!.submit(
    lineTo(wire, model),
    fitAsk(ask, "image", capabilities, issues),
    preview,
  );
}

const made = (end: object): ImageResult => (end as { result: ImageResult }).result;

describe.each(models)("%s with %s", (wire, model) => {
  test("a picture is made from words", async () => {
    const end = await make(wire, model, askOf({ size: "2048x1024", quality: "high", maxTokens: 5 }));
    expect(end).toMatchObject({ state: "succeeded" });
    const { images } = made(end);
    expect(images).toHaveLength(1);
    const [{ b64, url } = {}] = images;
    const bytes = b64 === undefined ? await (await fetch(url ?? "")).bytes() : Buffer.from(b64, "base64");
    expect(bytes.length).toBeGreaterThan(50);
    expect(countsOfImage(made(end)).images).toBe(1);
  });

  test("a picture is made from another", async () => {
    expect(await make(wire, model, askOf({}, inline))).toMatchObject({ state: "succeeded" });
  });

  test("a moderated picture is reported as such", async () => {
    const end = await make(
      wire,
      model,
      askOf({ prompt: `[[outcome:${wire === "genstyle" ? "fail" : "refuse"}=moderation]] a lighthouse` }),
    );
    expect(end).toMatchObject({ state: "failed", trouble: { kind: "moderated" } });
  });

  test("a picture is in doubt after a cut, and only then", async () => {
    const prompt = (how: string): ImageAsk => askOf({ prompt: `[[fault:${how}]] a lighthouse` });
    await expect(make(wire, model, prompt("cut=3"))).rejects.toMatchObject({ kind: "reset" });
    await expect(make(wire, model, prompt("empty"))).rejects.toMatchObject({ kind: "encoding" });
    expect(await make(wire, model, prompt("status=503"))).toMatchObject({
      state: "failed",
      trouble: { kind: "unavailable", status: 503 },
    });
  });
});

test.each([
  ["chatstyle", "gpt-image-2"],
  ["mediastyle", "seedream-4-0-250828"],
  ["genstyle", "gemini-3-pro-image"],
] as [Wire, string][])("%s makes several pictures", async (wire, model) => {
  expect(made(await make(wire, model, askOf({ numberOfImages: 3 }))).images).toHaveLength(3);
});

test("a partly moderated group is the pictures that are left", async () => {
  const prompt = "[[outcome:items=0+2]] a lighthouse";
  const end = await make("mediastyle", "seedream-4-0-250828", askOf({ prompt, numberOfImages: 4 }));
  expect(made(end).images).toHaveLength(2);
  expect(made(end).usage.generatedImages).toBe(2);
  expect(made(end).missing).toHaveLength(2);
});

test("previews come before the picture", async () => {
  const previews: ImagePreview[] = [];
  const ask = askOf({ extra: { protocol: "chatstyle", fields: { partial_images: 2 } } });
  const end = await make("chatstyle", "gpt-image-2", ask, (preview) => previews.push(preview));
  expect(previews.map(({ index }) => index)).toEqual([0, 1]);
  expect(made(end).images).toHaveLength(1);
});

test("addresses are returned where the wire has them", async () => {
  expect(await make("mediastyle", "seedream-4-0-250828", askOf({}, address, inline))).toMatchObject({
    state: "succeeded",
  });
});
