import { capabilitiesSchema } from "@manifold-gateway/core/configuration";
import {
  chatstyleImageNames,
  checkImage,
  fitAsk,
  type ImageAsk,
  type ImageInput,
  imageFacts,
  tierOf,
  withoutAuto,
} from "@manifold-gateway/core/operations";
import { imageModels } from "@manifold-gateway/providers";
import { describe, expect, test } from "vitest";

const pictures = (count: number, mediaType = "image/png"): ImageInput[] =>
  Array.from({ length: count }, (_, index) => ({
    at: `/content/${index + 1}`,
    source: { type: "base64", mediaType, data: "AAAA" },
  }));

/** What becomes of an ask: taken, taken without some fields, or refused for some. */
function verdict(name: string, more: Partial<ImageAsk>): string {
  const required = name.startsWith("seededit") && !more.images ? { images: pictures(1) } : {};
  const ask = { model: name, prompt: "p", images: [], ...required, ...more };
  const issues = checkImage(imageModels[name]?.capabilities, ask);
  const of = (effect: string): string =>
    [...new Set(issues.filter((issue) => issue.effect === effect).map(({ path }) => path))].join(" ");
  return of("refuse") ? `no ${of("refuse")}` : of("drop") ? `drop ${of("drop")}` : "yes";
}

test.each(Object.entries(imageModels))("%s is a catalog entry", (_, model) => {
  expect(capabilitiesSchema.parse(model.capabilities)).toEqual(model.capabilities);
  expect(() => JSON.stringify(model)).not.toThrow();
});

test.each(Object.keys(imageModels))("%s takes what is left to it by a word, known to it or not", (name) => {
  const { capabilities } = imageModels[name] ?? {};
  const images = name.startsWith("seededit") ? pictures(1) : [];
  const ask: ImageAsk = {
    model: name,
    prompt: "p",
    images,
    size: "auto",
    quality: "auto",
    background: "auto",
  };
  const refused = checkImage(capabilities, ask).map((issue) => issue.name);
  const left = withoutAuto(ask, refused);
  expect(checkImage(capabilities, left)).toEqual([]);
  expect(Object.keys(left).sort()).toEqual(
    Object.keys(ask)
      .filter((key) => !refused.includes(key))
      .sort(),
  );
  expect(withoutAuto({ ...ask, size: "12x12" }, ["size"])).toHaveProperty("size", "12x12");
});

const families = {
  v2: "gpt-image-2",
  pro: "dola-seedream-5-0-pro-260628",
  lite: "seedream-5-0-260128",
  s45: "seedream-4-5-251128",
  s40: "seedream-4-0-250828",
  s30: "seedream-3-0-t2i-250415",
  edit: "seededit-3-0-i2i-250628",
  content: "gemini-3-pro-image",
};
type Family = keyof typeof families;

/** A row of the matrix: what is asked for, and what each family makes of it. */
const rows: [more: Partial<ImageAsk>, Record<Family, string>][] = (
  [
    [{}, "yes yes yes yes yes yes yes yes"],
    [{ images: pictures(10) }, "yes yes yes yes yes no no yes"],
    [{ images: pictures(11) }, "yes no yes yes yes no no yes"],
    [{ images: pictures(15) }, "yes no no no no no no no"],
    [{ images: pictures(17) }, "no no no no no no no no"],
    [{ images: pictures(1) }, "yes yes yes yes yes no yes yes"],
    [{ images: pictures(1, "image/avif") }, "no no no no no no no no"],
    [{ images: pictures(1, "image/gif") }, "no yes yes yes yes no yes no"],
    [{ numberOfImages: 1 }, "yes yes yes yes yes yes yes yes"],
    [{ numberOfImages: 2 }, "yes no yes yes yes no no yes"],
    [{ numberOfImages: 10 }, "yes no yes yes yes no no yes"],
    [{ numberOfImages: 11 }, "no no yes yes yes no no no"],
    [{ numberOfImages: 2, images: pictures(13) }, "yes no yes yes yes no no yes"],
    [{ numberOfImages: 3, images: pictures(13) }, "yes no no no no no no yes"],
    [{ size: "1024x1024" }, "yes yes no no yes yes no yes"],
    [{ size: "2048x2048" }, "yes yes yes yes yes yes no yes"],
    [{ size: "4096x4096" }, "no no yes yes yes no no yes"],
    [{ size: "1000x1000" }, "no yes no no yes yes no yes"],
    [{ size: "512x512" }, "no no no no no yes no no"],
    [{ size: "8192x512" }, "no yes yes yes yes no no no"],
    [{ guidanceScale: 5 }, "no no no no no yes yes no"],
    [{ outputFormat: "png" }, "yes yes yes no no no no no"],
    [{ outputFormat: "jpeg" }, "yes yes yes yes yes yes yes no"],
    [{ outputFormat: "webp" }, "yes no no no no no no no"],
    [{ quality: "high" }, "yes drop drop drop drop drop drop drop"],
    [{ background: "opaque" }, "yes no no no no no no no"],
    [{ background: "transparent" }, "no no no no no no no no"],
    [{ background: "transparent", outputFormat: "png", images: pictures(1) }, "no yes no no no no no no"],
    [{ background: "transparent", outputFormat: "png", images: pictures(2) }, "no no no no no no no no"],
    [{ outputCompression: 50, outputFormat: "webp" }, "yes no no no no no no no"],
    [{ outputCompression: 50, outputFormat: "png" }, "no no no no no no no no"],
    [{ outputCompression: 50 }, "no no no no no no no no"],
    [{ responseFormat: "b64_json" }, "drop yes yes yes yes yes yes drop"],
    [{ watermark: true }, "drop yes yes yes yes yes yes drop"],
    [{ optimizePromptOptions: { mode: "standard" } }, "no yes yes yes yes no no no"],
    [{ optimizePromptOptions: { mode: "fast" } }, "no no no no yes no no no"],
    [{ optimizePromptOptions: { mode: "fast" }, images: pictures(1) }, "no yes no no yes no no no"],
    [{ maxTokens: 100 }, "drop drop drop drop drop drop drop drop"],
    [{ prompt: " \n" }, "no no no no no no no no"],
  ] as const
).map(([more, verdicts]) => {
  const each = verdicts.split(" ");
  return [
    more,
    Object.fromEntries(Object.keys(families).map((family, i) => [family, each[i]])) as Record<Family, string>,
  ];
});

test.each(rows)("the rules for images decide on %j", (more, wanted) => {
  const got = Object.entries(families).map(([family, name]) => [family, verdict(name, more).split(" ")[0]]);
  expect(Object.fromEntries(got)).toEqual(wanted);
});

test("a transparent background is taken by the models that can, in formats that can", () => {
  const background = "transparent";
  expect(verdict("gpt-image-2.5-flare", { background })).toBe("yes");
  expect(verdict("gpt-image-2.5-flare", { background, outputFormat: "webp" })).toBe("yes");
  expect(verdict("gpt-image-2.5-flare", { background, outputFormat: "jpeg" })).toBe("no /background");
  expect(verdict("gpt-image-1.5", { size: "1024x1024" })).toBe("yes");
  expect(verdict("gpt-image-1.5", { size: "2048x2048" })).toBe("no /size");
});

describe("findings on images", () => {
  test("findings name the part, the field, the model and what is allowed", () => {
    const ask = { model: "mine", prompt: "p", images: pictures(1, "image/avif"), guidanceScale: 3 };
    const messages = checkImage(imageModels["gpt-image-2"]?.capabilities, ask).map(({ message }) => message);
    expect(messages).toHaveLength(2);
    expect(messages.find((message) => message.startsWith("guidanceScale"))).toMatch(/'mine'/);
    expect(messages.find((message) => message.startsWith("content.1"))).toMatch(/'mine'.*image\/png/);
  });

  test("findings use the caller's own fields", () => {
    const ask = { model: "m", prompt: "p", images: [], numberOfImages: 11 };
    const [issue] = checkImage(imageModels["gpt-image-2"]?.capabilities, ask, chatstyleImageNames);
    expect(issue).toMatchObject({ path: "/n", message: expect.stringMatching(/^n: .*1 to 10/) });
  });

  test("findings decide what is submitted: less what is dropped, with the defaults filled in", () => {
    const { capabilities } = imageModels["seedream-4-0-250828"] ?? {};
    const ask: ImageAsk = {
      model: "m",
      prompt: "p",
      images: [],
      quality: "high",
      maxTokens: 5,
      size: "2048x2048",
    };
    expect(fitAsk(ask, "image", capabilities, checkImage(capabilities, ask))).toEqual({
      model: "m",
      prompt: "p",
      images: [],
      size: "2048x2048",
      numberOfImages: 1,
      watermark: false,
    });
    const lax = { ...capabilities, strictParams: false, image: { params: {} } };
    const mode: ImageAsk = { model: "m", prompt: "p", images: [], optimizePromptOptions: { mode: "fast" } };
    expect(fitAsk(mode, "image", lax, checkImage(lax, mode))).toEqual({
      model: "m",
      prompt: "p",
      images: [],
    });
  });
});

test("a picture of unknown size costs what a large one does", () => {
  const tiers = imageModels["dola-seedream-5-0-pro-260628"]?.tiers ?? [];
  const price = (size?: string) =>
    tierOf(tiers, imageFacts({ model: "m", prompt: "p", images: [], ...(size && { size }) }))?.images;
  expect([price("1024x1024"), price("2048x2048"), price("2K"), price()]).toEqual([45e9, 90e9, 90e9, 90e9]);
});
