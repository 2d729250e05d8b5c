import { stripTypeScriptTypes } from "node:module";
import {
  type Ask,
  askOfBody,
  type Capabilities,
  check,
  defaultsOf,
  findAccepting,
  type RequestedPart,
  suggest,
  toTypes,
} from "@manifold-gateway/core/capability";
import { capabilitiesSchema } from "@manifold-gateway/core/configuration";
import { describe, expect, test } from "vitest";
import { imageFamilies, videoFamilies } from "./families.ts";

const messages = (capabilities: Capabilities | undefined, ask: Ask): string[] =>
  check(capabilities, ask).map(({ message }) => message);
const video = (body: Parameters<typeof askOfBody>[2]): Ask => askOfBody("video", "reel", body);
const image = (body: Parameters<typeof askOfBody>[2]): Ask => askOfBody("image", "brush", body);
const picture = { type: "imageUrl", url: "https://a.example/b.png" };

describe("messages of refusals", () => {
  test.each([
    [
      { duration: 30 },
      "duration: 30 is not allowed; the model 'reel' accepts 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 or 15 seconds.",
    ],
    [
      { resolution: 720 },
      "resolution: 720 is a number; the model 'reel' accepts '480p', '720p', '1080p' or '4k'.",
    ],
    [{ generateAudio: "yes" }, "generateAudio: 'yes' is text; the model 'reel' accepts true or false."],
    [
      { seed: 1.5 },
      "seed: 1.5 is not allowed; the model 'reel' accepts whole numbers from -1 to 4294967295.",
    ],
    [
      { cameraFixed: true },
      "cameraFixed: the parameter is not supported (got true); the model 'reel' accepts duration, ratio, generateAudio, seed, watermark and resolution.",
    ],
    [
      { durration: 5 },
      "durration: there is no such field (got 5); the model 'reel' accepts duration, ratio, generateAudio, seed, watermark and resolution. Did you mean 'duration'?",
    ],
    [
      { content: [{ ...picture, role: "backdrop" }] },
      "content.0: has the role 'backdrop'; the model 'reel' accepts image with role firstFrame, lastFrame or referenceImage.",
    ],
    [
      { content: [{ ...picture, role: "lastFrame" }] },
      "content.0: an image as lastFrame is missing its companion; the model 'reel' accepts it only with an image as firstFrame.",
    ],
    [
      { content: Array.from({ length: 10 }, () => picture) },
      "content.9: one too many of 10 image parts with role referenceImage; the model 'reel' accepts at most 9 image parts with role referenceImage.",
    ],
  ])("the message about a video says what is wrong: %j", (body, message) => {
    expect(messages(videoFamilies.base, video(body))).toEqual([message]);
  });

  test("a message reports a role that was set by default as such", () => {
    expect(messages(videoFamilies.old, video({ content: [picture] }))).toEqual([
      "content.0: has the role 'referenceImage', as it is where none is set; the model 'reel' accepts image with role firstFrame or lastFrame.",
    ]);
  });

  test.each([
    [
      { background: "transparent", outputFormat: "jpeg" },
      "background: 'transparent' is missing its companion; the model 'brush' accepts it only with outputFormat 'png' or 'webp'.",
    ],
    [
      { outputCompression: 80 },
      "outputCompression: 80 cannot be combined with outputFormat 'png'; the model 'brush' accepts it only without outputFormat 'png'.",
    ],
    [
      { size: "100x100" },
      "size: '100x100' is not allowed; the model 'brush' accepts 'auto' or WIDTHxHEIGHT with edges in multiples of 16, edges of at most 3840 pixels, 655360 to 8294400 pixels in all, a long edge of at most 3 times the short one.",
    ],
  ])("the message about an image says what is wrong: %j", (body, message) => {
    expect(messages(imageFamilies.free, image(body))).toEqual([message]);
  });

  test("messages about sums name what they count", () => {
    const ask = image({ numberOfImages: 10, content: Array.from({ length: 6 }, () => picture) });
    const [issue] = check(imageFamilies.lite, ask);
    expect(issue).toMatchObject({ code: "sum_too_large", value: 16 });
    expect(issue?.message).toBe(
      "content.5: image parts and numberOfImages add up to 16; the model 'brush' accepts at most 15.",
    );
  });

  test("messages use the caller's own names", () => {
    const ask = askOfBody(
      "image",
      "brush",
      { prompt: "a cat", n: 11, output_format: "jpeg", background: "transparent", outputt_format: "png" },
      { names: { numberOfImages: "/n", outputFormat: "/output_format" }, others: ["prompt"] },
    );
    expect(check(imageFamilies.free, ask).map(({ path, name, hint }) => [path, name, hint])).toEqual([
      ["/n", "numberOfImages", undefined],
      ["/outputt_format", "outputt_format", "output_format"],
      ["/background", "background", undefined],
    ]);
    expect(messages(imageFamilies.free, ask).join(" ")).toContain("only with output_format 'png' or 'webp'");
  });

  test("messages stay short and on one line, whatever was sent", () => {
    const [message = ""] = messages(
      videoFamilies.base,
      video({ resolution: `a\n\u0000${"x".repeat(100_000)}` }),
    );
    expect(message.length).toBeLessThan(300);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(message).not.toMatch(/[\x00-\x1f]/);
  });
});

describe("unsupported parameters", () => {
  const lax: Capabilities = { ...videoFamilies.base, strictParams: false };

  test("an unsupported parameter is left out where the catalog is not strict, and reported", () => {
    const ask = askOfBody("image", "brush", { guidanceScale: 7 });
    expect(check({ ...imageFamilies.free, strictParams: false }, ask)).toMatchObject([
      {
        code: "unsupported_parameter",
        effect: "drop",
        path: "/guidanceScale",
        name: "guidanceScale",
        value: 7,
      },
    ]);
    expect(messages({ ...imageFamilies.free, strictParams: false }, ask)[0]).toMatch(/\. It is left out\.$/);
  });

  test("an unsupported parameter is refused where the catalog is strict, and values are never let through", () => {
    expect(check(lax, video({ cameraFixed: true, duration: 99 })).map(({ effect }) => effect)).toEqual([
      "refuse",
      "refuse",
    ]);
  });

  test("a misspelt field is noted with a hint, and a field that resembles nothing is ignored", () => {
    expect(check(lax, video({ durration: 5, callback: "https://a.example" }))).toMatchObject([
      { code: "unknown_field", effect: "note", path: "/durration", hint: "duration" },
    ]);
    expect(check(undefined, video({ generate_audio: true }))).toMatchObject([{ hint: "generateAudio" }]);
  });

  test("a known name is never taken for another", () => {
    const capabilities = { text: { supportedParameters: ["topP"] } };
    const params = [{ name: "topK", path: "/top_k", value: 5 }];
    expect(check(capabilities, { operation: "text", model: "m", params })).toMatchObject([
      { code: "unsupported_parameter", effect: "drop" },
    ]);
  });

  test("a parameter that is left out counts for no rule", () => {
    const capabilities = capabilitiesSchema.parse({
      video: {
        params: { seed: { type: "int", min: 0, max: 9 } },
        rules: [{ type: "excludes", if: { field: "seed" }, not: [{ field: "watermark" }] }],
      },
    });
    expect(check(capabilities, video({ seed: 1, watermark: true })).map(({ effect }) => effect)).toEqual([
      "drop",
    ]);
  });
});

describe("media that has been probed", () => {
  const probed = (more: Partial<RequestedPart>): string[] => {
    const ask = video({ content: [{ type: "videoUrl", url: "https://a.example/b.mp4" }] });
    const parts = (ask.parts ?? []).map((part) => ({ ...part, ...more }));
    return check(videoFamilies.base, { ...ask, parts }).map(({ code }) => code);
  };
  test.each<[Partial<RequestedPart>, string[]]>([
    [{}, []],
    [{ seconds: 2, bytes: 50 * 1024 * 1024, mediaType: "Video/MP4; codecs=avc1" }, []],
    [{ seconds: 1.9 }, ["input_duration"]],
    [{ seconds: 15.1 }, ["input_duration", "input_duration"]],
    [{ bytes: 50 * 1024 * 1024 + 1 }, ["input_too_large"]],
    [{ mediaType: "video/webm" }, ["unsupported_media_type"]],
    [{ form: "base64" }, ["unsupported_form"]],
  ])("probed media are compared with the rules: %j", (more, codes) => {
    expect(probed(more)).toEqual(codes);
  });
});

describe("the catalog", () => {
  const rule = { type: "range", min: 4, max: 15, steps: [5, 20] };
  test.each<[unknown, string]>([
    [{ video: { params: { duration: rule } } }, "video.params.duration.steps.1"],
    [{ video: { params: { duration: { type: "span", min: 1, max: 2 } } } }, "video.params.duration.type"],
    [{ params: { seed: { type: "int", min: 3, max: 1 } } }, "params.seed.max"],
    [{ params: { seed: { type: "int", min: 0.5, max: 1 } } }, "params.seed.min"],
    [{ params: { seed: { type: "int", min: 0, max: 9, default: 10 } } }, "params.seed.default"],
    [{ image: { params: { quality: { type: "enum", values: [] } } } }, "image.params.quality.values"],
    [
      { image: { params: { quality: { type: "enum", values: ["a", "a"] } } } },
      "image.params.quality.values.1",
    ],
    [{ image: { params: { size: { type: "bool", max: 1 } } } }, "image.params.size"],
    [{ params: { "a.b": { type: "bool" }, a: { type: "bool" } } }, "params.a.b"],
    [{ video: { supportedParameters: ["seed"], unsupported: { seed: "drop" } } }, "video.unsupported.seed"],
    [{ inputs: { image: { max: -1 } } }, "inputs.image.max"],
    [{ inputs: { picture: {} } }, "inputs"],
    [{ inputs: { image: { shape: { edge: { min: 9, max: 1 } } } } }, "inputs.image.shape.edge.max"],
    [{ video: { rules: [{ type: "requires", if: { field: "seed" }, need: [] }] } }, "video.rules.0.need"],
    [{ strictParam: true }, ""],
  ])("a catalog with %j is refused at %s", (value, path) => {
    const result = capabilitiesSchema.safeParse(value);
    expect(result.error?.issues.map((issue) => issue.path.join("."))).toContain(path);
  });

  test("a catalog may leave everything out", () => {
    expect(capabilitiesSchema.parse({})).toEqual({});
    expect(check({}, video({ duration: 1e9, content: [picture] }))).toEqual([]);
  });

  test("bounds of one operation win over those of all, and inputs too", () => {
    const capabilities = capabilitiesSchema.parse({
      params: { seed: { type: "int", min: 0, max: 1, default: 1 }, watermark: { type: "bool" } },
      inputs: { image: { max: 0 } },
      video: { params: { seed: { type: "int", min: 0, max: 5, default: 5 } }, inputs: { image: {} } },
    });
    const body = { seed: 5, watermark: true, content: [picture] };
    expect(check(capabilities, video(body))).toEqual([]);
    expect(check(capabilities, image({ ...body, content: [picture] })).map(({ code }) => code)).toEqual([
      "value_not_allowed",
      "too_many_inputs",
    ]);
    expect([defaultsOf(capabilities, "video"), defaultsOf(capabilities, "image")]).toEqual([
      { seed: 5 },
      { seed: 1 },
    ]);
  });
});

test("another model is suggested where one would do, and never the caller's own", () => {
  const models = [
    { id: "reel", capabilities: videoFamilies.base },
    { id: "silent", capabilities: undefined },
    { id: "still", capabilities: imageFamilies.free },
    { id: "old", capabilities: videoFamilies.old },
    { id: "middle", capabilities: videoFamilies.middle },
  ];
  const ask = video({ cameraFixed: true, duration: 4 });
  const issues = check(videoFamilies.base, ask);
  expect(findAccepting(models, ask)).toBe("old");
  const [issue] = suggest(issues, models, ask);
  expect(issue).toMatchObject({ path: "/cameraFixed", instead: "old" });
  expect(issue?.message).toMatch(/The model 'old' accepts it\.$/);
  // No model takes both; each place has one that takes it.
  const both = video({ duration: 2, generateAudio: true, cameraFixed: true });
  expect(
    suggest(check(videoFamilies.base, both), models, both).map(({ path, instead }) => [path, instead]),
  ).toEqual([
    ["/duration", "old"],
    ["/cameraFixed", "old"],
  ]);
  expect(
    suggest(check(videoFamilies.base, video({ seed: "x" })), models, video({ seed: "x" }))[0]?.instead,
  ).toBe(undefined);
});

test("types are TypeScript, with the values that are allowed", () => {
  const text = toTypes(imageFamilies.pro, "image", "BrushParams");
  expect(() => stripTypeScriptTypes(text)).not.toThrow();
  expect(text).toContain('outputFormat?: "png" | "jpeg";');
  expect(text).toContain("watermark?: boolean;");
  expect(text).toMatch(/optimizePromptOptions\?: \{\n.*\n {4}mode\?: "standard" \| "fast";\n {2}\};/);
  const odd = { params: { a: { type: "enum" as const, values: ["*/ x", '"'] } } };
  expect(() => stripTypeScriptTypes(toTypes(odd, "text", "Odd"))).not.toThrow();
});
