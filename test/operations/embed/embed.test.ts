import {
  callsOf,
  checkEmbed,
  collectLosses,
  type EmbedBytes,
  type EmbedPart,
  type EmbedRequest,
  embedCodecs,
  embedWires,
  estimateEmbed,
  everyMedia,
  fetchesOf,
  ignoreLosses,
  inlineEmbed,
  type Json,
  type JsonObject,
  joinEmbed,
  type MediaPart,
  takesOf,
} from "@manifold/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

type Kind = MediaPart["kind"];
const { msgstyle } = embedCodecs;
const { mediastyle, routerstyle, genstyle } = embedWires;

const text = (value: string): EmbedPart => ({ type: "text", text: value });
const bytes = (kind: Kind, mediaType: string, data = "AAAA"): EmbedPart => ({
  type: "media",
  kind,
  source: { type: "base64", mediaType, data },
});
const link = (kind: Kind, url = "https://media.example.test/x"): EmbedPart => ({
  type: "media",
  kind,
  source: { type: "url", url },
});
const ask = (...inputs: EmbedPart[][]): EmbedRequest => ({
  model: "m",
  inputs: inputs.map((parts) => ({ parts })),
  ...(inputs.length !== 1 && { batch: true }),
});
const encode = (codec: { request: (typeof mediastyle)["request"] }, request: EmbedRequest) => {
  const { losses, lose } = collectLosses();
  return { wire: codec.request.encode(request, lose), losses: losses.map((loss) => loss.path) };
};

const images = [bytes("image", "image/png"), link("image")];

describe("the normalized parts on each wire", () => {
  const data = "AAAA";
  const rows: [part: JsonObject, router: JsonObject | undefined, gen: JsonObject | undefined][] = [
    [{ type: "text", text: "a" }, { type: "text", text: "a" }, { text: "a" }],
    [
      { type: "imageUrl", url: "https://media.example.test/x" },
      { type: "image_url", image_url: { url: "https://media.example.test/x" } },
      undefined,
    ],
    [
      { type: "imageBase64", data, mediaType: "image/png" },
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      { inlineData: { mimeType: "image/png", data } },
    ],
    [
      { type: "audioBase64", data, mediaType: "audio/wav" },
      { type: "input_audio", input_audio: { data: "data:audio/wav;base64,AAAA", format: "wav" } },
      { inlineData: { mimeType: "audio/wav", data } },
    ],
    [{ type: "audioUrl", url: "https://media.example.test/x" }, undefined, undefined],
    [
      { type: "videoBase64", data, mediaType: "video/mp4" },
      { type: "input_video", input_video: { data: "data:video/mp4;base64,AAAA", format: "mp4" } },
      { inlineData: { mimeType: "video/mp4", data } },
    ],
    [
      { type: "fileBase64", data, mediaType: "application/pdf" },
      { type: "input_file", input_file: { data: "data:application/pdf;base64,AAAA", format: "pdf" } },
      { inlineData: { mimeType: "application/pdf", data } },
    ],
  ];
  test.each(rows)("%j", (part, router, gen) => {
    const wire = { model: "m", input: [{ content: [part, { type: "text", text: "b" }] }] };
    const request = msgstyle.request.decode(wire);
    for (const [codec, written] of [
      [routerstyle, router],
      [genstyle, gen],
    ] as const) {
      const { wire: body, losses } = encode(codec, request);
      // What has no address of its own on a wire is a need to fetch, and a loss only for who does not.
      const needs = fetchesOf(request, codec).map((need) => need.path);
      expect(losses.filter((path) => path.startsWith("/inputs/0/parts"))).toEqual(
        part.type === "text" && codec === routerstyle ? ["/inputs/0/parts"] : needs,
      );
      expect(needs).toEqual(written === undefined ? ["/inputs/0/parts/0"] : []);
      if (written && part.type !== "text") expect(JSON.stringify(body)).toContain(JSON.stringify(written));
    }
  });
});

describe("mediastyle", () => {
  test("one combined vector of text, images and video", () => {
    const request: EmbedRequest = {
      ...ask([text("a"), ...images, link("video"), bytes("video", "video/mp4")]),
      dimensions: 1024,
    };
    const { wire, losses } = encode(mediastyle, request);
    expect(losses).toEqual([]);
    expect(mediastyle.endpoint?.(request)).toBe("/embeddings/multimodal");
    expect(wire).toEqual({
      model: "m",
      input: [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "image_url", image_url: { url: "https://media.example.test/x" } },
        { type: "video_url", video_url: { url: "https://media.example.test/x" } },
        { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA" } },
      ],
      dimensions: 1024,
      encoding_format: "float",
    });
    expect(mediastyle.request.decode(wire)).toEqual(request);
  });

  test("plain texts go to the list, many a call", () => {
    const request = ask([text("a")], [text("b")]);
    expect(mediastyle.endpoint?.(request)).toBe("/embeddings");
    expect(encode(mediastyle, request).wire).toEqual({
      model: "m",
      input: ["a", "b"],
      encoding_format: "float",
    });
    expect(mediastyle.request.decode(encode(mediastyle, request).wire)).toEqual(request);
  });

  test.each(["audio", "document"] as const)("%s has no place", (kind) => {
    expect(encode(mediastyle, ask([text("a"), bytes(kind, "x/y")])).losses).toEqual(["/inputs/0/parts/1"]);
  });

  test("a second input has no place in one call", () => {
    expect(encode(mediastyle, ask(images, [text("a")])).losses).toEqual(["/inputs/1"]);
  });

  test("the answer is one object, its usage in parts", () => {
    const body: Json = {
      id: "x",
      model: "m",
      data: { embedding: [1, 2], object: "embedding" },
      usage: {
        prompt_tokens: 9,
        total_tokens: 9,
        prompt_tokens_details: { text_tokens: 2, image_tokens: 7 },
      },
    };
    expect(mediastyle.reply.decode(body)).toEqual({
      vectors: [[1, 2]],
      usage: { input: 9, imageInput: 7 },
      model: "m",
    });
  });

  test("request.decode(request.encode(r)) = r", () => {
    const part = fc.oneof(
      fc.string().map(text),
      fc.constantFrom(...images, link("video"), bytes("video", "video/mp4")),
    );
    const mixed = fc
      .tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom(...images))
      .map(([parts, last]) => ask([...parts, last]));
    const plain = fc
      .array(fc.string(), { minLength: 1 })
      .map((texts) => ask(...texts.map((one) => [text(one)])));
    fc.assert(
      fc.property(fc.oneof(mixed, plain), (request) => {
        const { wire, losses } = encode(mediastyle, request);
        expect(mediastyle.request.decode(wire)).toEqual(request);
        expect(losses).toEqual([]);
      }),
    );
  });
});

describe("calls", () => {
  const many = (count: number, parts: EmbedPart[]) => ask(...Array.from({ length: count }, () => parts));
  test.each([
    ["texts", 128, [text("a")], [128]],
    ["texts", 129, [text("a")], [128, 1]],
    ["mixed inputs", 3, images, [1, 1, 1]],
  ] as const)("mediastyle: %s, %i", (_, count, parts, sizes) => {
    const calls = callsOf(many(count, [...parts]), mediastyle);
    expect(calls.map((call) => call.inputs.length)).toEqual(sizes);
    for (const call of calls)
      expect(encode(mediastyle, call).losses.filter((path) => /^\/inputs\/\d+$/.test(path))).toEqual([]);
  });
  test("among mixed inputs texts take the same way, one a call", () => {
    expect(callsOf(ask([text("a")], images), mediastyle)).toHaveLength(2);
  });
  test.each(Object.entries(embedWires))("%s: inputs keep their order, no call is too long", (_, codec) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), (count) => {
        const request = ask(...Array.from({ length: count }, (_, i) => [text(String(i))]));
        const calls = callsOf(request, codec);
        expect(calls.flatMap((call) => call.inputs)).toEqual(request.inputs);
        const most = codec.mostOf?.(request) ?? codec.most;
        for (const call of calls) expect(call.inputs.length).toBeLessThanOrEqual(most);
      }),
    );
  });
  test("what a router says it charged is added up, and never told to the caller", () => {
    const reply = (cost: Json) =>
      routerstyle.reply.decode({ data: [{ embedding: [1] }], usage: { prompt_tokens: 2, cost } });
    const joined = joinEmbed([reply(0.25), reply(0.5)]);
    expect(joined.usage).toEqual({ input: 4, upstreamUsd: 0.75 });
    expect(JSON.stringify(routerstyle.reply.encode(joined, ask([text("a")], [text("b")])))).not.toContain(
      "0.75",
    );
    for (const odd of [-1, "1", null]) expect(reply(odd).usage).toEqual({ input: 2 });
  });
});

test("media makes the input of a router a list of contents, each of them", () => {
  const content = [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }];
  const said = [{ type: "text", text: "a" }];
  const picture = [bytes("image", "image/png")];
  expect(encode(routerstyle, ask(picture)).wire.input).toEqual([{ content }]);
  expect(encode(routerstyle, ask([text("a")], picture)).wire.input).toEqual([{ content: said }, { content }]);
  expect(encode(routerstyle, ask([text("a")])).wire.input).toBe("a");
});

describe("what has to be fetched", () => {
  test.each([
    ["genstyle", ["image", "audio", "video", "document"]],
    ["routerstyle", ["audio", "video", "document"]],
    ["mediastyle", ["audio", "document"]],
  ] as const)("%s", (wire, kinds) => {
    const request = ask([text("a"), link("image"), link("audio")], [link("video"), link("document")]);
    const needs = fetchesOf(request, embedWires[wire]);
    expect(needs.map((need) => need.kind)).toEqual(kinds);
    const fetched = new Map(
      needs.map(({ part }): [EmbedPart, EmbedBytes] => [part, { mediaType: "x/y", data: "AAAA" }]),
    );
    const carried: EmbedPart[] = [];
    const whole = inlineEmbed(request, fetched, (from) => carried.push(from));
    expect(fetchesOf(whole, embedWires[wire])).toEqual([]);
    expect(carried).toEqual(needs.map((need) => need.part));
    // Nothing else changed, and the caller's request least of all.
    expect(fetchesOf(request, embedWires[wire])).toEqual(needs);
    expect(JSON.stringify(whole).length).toBeGreaterThan(0);
    for (const { path } of needs) {
      const [, , i, , j] = path.split("/");
      const input = whole.inputs[Number(i)];
      expect(input && "parts" in input && input.parts[Number(j)]).toMatchObject({
        source: { type: "base64", mediaType: "x/y", data: "AAAA" },
      });
    }
  });
  test("nothing of a request that is whole already", () => {
    const request = ask([text("a"), bytes("audio", "audio/wav")]);
    expect(fetchesOf(request, genstyle)).toEqual([]);
    expect(inlineEmbed(request, new Map())).toEqual(request);
  });
});

describe("the limits of a model of every media", () => {
  const many = (count: number, part: EmbedPart) => ask(Array.from({ length: count }, () => part));
  const messages = (request: EmbedRequest, seconds?: number) =>
    checkEmbed(request, everyMedia, seconds === undefined ? {} : { seconds: () => seconds }).map(
      (issue) => issue.message,
    );
  test.each([
    [many(6, bytes("image", "image/png")), undefined, 0],
    [many(7, bytes("image", "image/png")), undefined, 1],
    [many(1, bytes("image", "image/webp")), undefined, 1],
    [many(1, bytes("audio", "audio/wav")), 180, 0],
    [many(1, bytes("audio", "audio/wav")), 180.01, 1],
    [many(1, bytes("audio", "audio/wav")), undefined, 0],
    [many(2, bytes("audio", "audio/wav")), 1, 1],
    [many(1, bytes("audio", "audio/mpeg")), 1, 1],
    [many(1, bytes("video", "video/mp4")), 120, 0],
    [many(1, bytes("video", "video/quicktime")), 120, 0],
    [many(1, bytes("video", "video/mp4")), 120.5, 1],
    [many(2, bytes("video", "video/mp4")), 1, 1],
    [many(1, bytes("video", "video/webm")), 1, 1],
    [many(1, bytes("document", "application/pdf")), undefined, 0],
    [many(2, bytes("document", "application/pdf")), undefined, 1],
    [many(1, bytes("document", "text/plain")), undefined, 1],
  ])("%#", (request, seconds, count) => {
    const found = messages(request, seconds);
    expect(found).toHaveLength(count);
    for (const message of found) expect(message).toMatch(/^inputs\.0\.parts\.\d: .*\(model "m"\)$/);
  });

  test.each([
    [["text"], []],
    [["text", "image"], ["image"]],
    [["text", "file"], ["document"]],
    [
      ["text", "image", "audio", "video", "file"],
      ["image", "audio", "video", "document"],
    ],
  ] as const)("%j takes %j", (modalities, kinds) => {
    const takes = takesOf(modalities);
    expect(Object.keys(takes.media ?? {})).toEqual(kinds);
    const types = { image: "image/png", audio: "audio/wav", video: "video/mp4", document: "application/pdf" };
    for (const [kind, mediaType] of Object.entries(types)) {
      const issues = checkEmbed(ask([bytes(kind as Kind, mediaType)]), takes);
      expect(issues).toHaveLength((kinds as readonly string[]).includes(kind) ? 0 : 1);
    }
  });

  test.each([
    [undefined, 5, 0],
    [{ min: 128, max: 3072 }, 127, 1],
    [{ min: 128, max: 3072 }, 128, 0],
    [{ min: 128, max: 3072 }, 3072, 0],
    [{ min: 128, max: 3072 }, 3073, 1],
    [false, 128, 1],
    [false, undefined, 0],
  ] as const)("dimensions by %j: %j", (dimensions, asked, count) => {
    const request = { ...ask([text("a")]), ...(asked !== undefined && { dimensions: asked }) };
    const issues = checkEmbed(request, dimensions === undefined ? {} : { dimensions });
    expect(issues.map((issue) => issue.path)).toEqual(count === 1 ? ["/dimensions"] : []);
  });
});

describe("estimates where nobody tells usage", () => {
  test.each([
    [ask([text("abcd")], [text("abcde")]), {}, { input: 3 }],
    [ask([text("é\u{1f600}")]), {}, { input: 2 }],
    [ask([bytes("image", "image/png"), bytes("image", "image/png")]), {}, { input: 516, imageInput: 516 }],
    [ask([bytes("audio", "audio/wav")]), { seconds: () => 10 }, { input: 320, audioInput: 320 }],
    [ask([bytes("audio", "audio/wav")]), {}, { input: 5760, audioInput: 5760 }],
    [ask([bytes("video", "video/mp4")]), { seconds: () => 1.5 }, { input: 387, videoInput: 387 }],
    [ask([bytes("video", "video/mp4")]), {}, { input: 30960, videoInput: 30960 }],
    [ask([bytes("document", "application/pdf")]), { pages: () => 2 }, { input: 516, imageInput: 516 }],
    [{ model: "m", inputs: [{ tokens: [1, 2, 3] }] }, {}, { input: 3 }],
  ])("%#", (request, measures, usage) => {
    expect(estimateEmbed(request, measures)).toEqual({ ...usage, estimated: true });
  });

  test("parts never come to more than the whole, and knowing more never makes it dearer", () => {
    const part = fc.oneof(
      fc.string().map(text),
      fc.constantFrom(...images, bytes("audio", "audio/wav"), bytes("video", "video/mp4")),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(part, { maxLength: 3 }), { maxLength: 3 }),
        fc.double({ min: 0, max: 120, noNaN: true }),
        (inputs, seconds) => {
          const blind = estimateEmbed(ask(...inputs));
          const known = estimateEmbed(ask(...inputs), { seconds: () => seconds });
          expect(known.input).toBeLessThanOrEqual(blind.input);
          const { imageInput = 0, audioInput = 0, videoInput = 0 } = blind;
          expect(imageInput + audioInput + videoInput).toBeLessThanOrEqual(blind.input);
        },
      ),
    );
  });
});

test("no provider is ever asked for anything but floats", () => {
  for (const codec of [mediastyle, routerstyle])
    for (const request of [ask([text("a")]), ask(images)])
      expect(codec.request.encode({ ...request, encoding: "base64" }, ignoreLosses).encoding_format).toBe(
        "float",
      );
});
