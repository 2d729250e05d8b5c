import {
  checkEmbed,
  collectLosses,
  type EmbedInput,
  type EmbedPart,
  type EmbedReply,
  type EmbedRequest,
  type EmbedTakes,
  embedCodecs,
  everyMedia,
  ignoreLosses,
  type Json,
  type JsonObject,
  joinEmbed,
  shortfall,
  splitEmbed,
} from "@manifold/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const { chatstyle, msgstyle, genstyle } = embedCodecs;
const wires = [chatstyle, msgstyle, genstyle];

const text = (value: string): EmbedInput => ({ parts: [{ type: "text", text: value }] });
const bytes = (
  kind: "image" | "audio" | "video" | "document",
  mediaType: string,
  data = "AAAA",
): EmbedPart => ({
  type: "media",
  kind,
  source: { type: "base64", mediaType, data },
});
const ask = (inputs: EmbedInput[], more: Partial<EmbedRequest> = {}): EmbedRequest => ({
  model: "m",
  inputs,
  ...(inputs.length !== 1 && { batch: true }),
  ...more,
});

const anyText = fc.string({ unit: "grapheme" }).map((value): EmbedPart => ({ type: "text", text: value }));
const anyMedia = fc
  .tuple(
    fc.constantFrom<["image" | "audio" | "video" | "document", string]>(
      ["image", "image/png"],
      ["image", "image/jpeg"],
      ["audio", "audio/wav"],
      ["video", "video/mp4"],
      ["video", "video/quicktime"],
      ["document", "application/pdf"],
    ),
    fc.base64String({ minLength: 4 }),
  )
  .map(([[kind, mediaType], data]) => bytes(kind, mediaType, data));
const anyInput: fc.Arbitrary<EmbedInput> = fc.oneof(
  anyText.map((part) => ({ parts: [part] })),
  fc
    .tuple(fc.array(fc.oneof(anyText, anyMedia), { maxLength: 3 }), anyMedia)
    .map(([parts, last]) => ({ parts: [...parts, last] })),
);
const anyRequest: fc.Arbitrary<EmbedRequest> = fc
  .record({
    model: fc.stringMatching(/^[a-z][a-z0-9.-]{0,12}$/),
    inputs: fc.array(anyInput, { minLength: 1, maxLength: 5 }),
    listed: fc.boolean(),
    dimensions: fc.option(fc.integer({ min: 1, max: 4096 }), { nil: undefined }),
  })
  .map(({ listed, dimensions, ...request }) => ({
    ...request,
    ...((listed || request.inputs.length !== 1) && { batch: true as const }),
    ...(dimensions !== undefined && { dimensions }),
  }));
const float = fc.float({ noNaN: true, noDefaultInfinity: true });
const anyVectors = fc.array(fc.array(float, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 });

describe.each(wires)("$protocol", (codec) => {
  test("request.decode(request.encode(r)) = r", () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { losses, lose } = collectLosses();
        expect(codec.request.decode(codec.request.encode(request, lose))).toEqual(request);
        expect(losses).toEqual([]);
      }),
    );
  });

  test.each(wires)("a request that came by $protocol arrives whole", (from) => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const came = from.request.decode(from.request.encode(request, ignoreLosses));
        expect(codec.request.decode(codec.request.encode(came, ignoreLosses))).toEqual(request);
      }),
    );
  });

  test("reply.decode(reply.encode(reply, r)) = reply, in either encoding", () => {
    fc.assert(
      fc.property(anyVectors, fc.constantFrom("float", "base64"), (vectors, encoding) => {
        const request = ask(
          vectors.map(() => text("x")),
          { encoding },
        );
        const wire = JSON.parse(JSON.stringify(codec.reply.encode({ vectors }, request))) as Json;
        // JSON has no negative zero.
        const plain = vectors.map((vector) => vector.map((x) => (encoding === "float" ? x + 0 : x)));
        expect(codec.reply.decode(wire).vectors.map((v) => v.map((x) => x + 0))).toEqual(
          plain.map((v) => v.map((x) => x + 0)),
        );
      }),
    );
  });

  test("whatever a client or a provider wrote is read without a throw, and re-reading changes nothing", () => {
    const names = ["input", "content", "contents", "requests", "parts", "text", "type", "data", "inlineData"];
    const key = fc.oneof(fc.constantFrom(...names, "embedding", "values", "index", "config"), fc.string());
    const { json } = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(key, tie("json"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, json, { maxKeys: 4 }), (wire) => {
        const once = codec.request.decode(wire);
        const again = codec.request.decode(codec.request.encode(once, ignoreLosses));
        expect(again.inputs.length).toBe(once.inputs.length);
        const { vectors } = codec.reply.decode(wire);
        expect(vectors.flat().every(Number.isFinite)).toBe(true);
      }),
    );
  });

  test("token ids arrive or are a loss of the whole input", () => {
    const { losses, lose } = collectLosses();
    const wire = codec.request.encode(ask([{ tokens: [1, 2] }]), lose);
    if (codec.tokens) expect(codec.request.decode(wire).inputs).toEqual([{ tokens: [1, 2] }]);
    expect(losses.map((loss) => loss.path)).toEqual(codec.tokens ? [] : ["/inputs/0"]);
  });

  test.each(["image", "audio", "video", "document"] as const)(
    "%s by URL: taken as declared, else a loss",
    (kind) => {
      const request = ask([
        { parts: [{ type: "media", kind, source: { type: "url", url: "https://a.test/x" } }] },
      ]);
      const { losses, lose } = collectLosses();
      const back = codec.request.decode(codec.request.encode(request, lose));
      const taken = codec.urls.includes(kind);
      expect(losses.map((loss) => loss.path)).toEqual(taken ? [] : ["/inputs/0/parts/0"]);
      if (taken) expect(back).toEqual(request);
    },
  );

  test("unknown fields come back on the same wire and are losses on the others", () => {
    const wire = { ...codec.request.encode(ask([text("a")]), ignoreLosses), odd: { deep: [1] } };
    const request = codec.request.decode(wire);
    expect(codec.request.encode(request, ignoreLosses)).toEqual(wire);
    for (const other of wires.filter((candidate) => candidate !== codec)) {
      const { losses, lose } = collectLosses();
      expect(other.request.encode(request, lose)).not.toHaveProperty("odd");
      expect(losses).toEqual([{ path: "/extra/odd", why: "unsupported" }]);
    }
  });

  test("what the codec writes passes its own schema", () => {
    const wire = codec.request.encode(ask([text("a"), text("b")], { dimensions: 8 }), ignoreLosses);
    expect(codec.request.schema.safeParse(wire).error).toBeUndefined();
  });
});

describe("requests", () => {
  const one = { content: { parts: [{ text: "a" }] } };
  test.each<[name: string, wire: JsonObject, request: EmbedRequest]>([
    [
      "argument spelling",
      { contents: one.content, config: { outputDimensionality: 4 } },
      ask([text("a")], { dimensions: 4 }),
    ],
    ["provider's spelling", { ...one, outputDimensionality: 4 }, ask([text("a")], { dimensions: 4 })],
    ["snake case", { ...one, config: { output_dimensionality: 4 } }, ask([text("a")], { dimensions: 4 })],
    [
      "a list of one",
      { requests: [{ ...one, model: "models/m", outputDimensionality: 4 }] },
      ask([text("a")], { batch: true, dimensions: 4 }),
    ],
    ["text alone", { contents: "a" }, ask([text("a")])],
    ["one turn", { contents: [{ role: "user", parts: [{ text: "a" }] }] }, ask([text("a")])],
    [
      "bytes in snake case",
      { content: { parts: [{ inline_data: { mime_type: "image/png", data: "AAAA" } }] } },
      ask([{ parts: [bytes("image", "image/png")] }]),
    ],
  ])("generate-content, %s", (_, wire, request) => {
    const named = "requests" in wire ? wire : { model: "m", ...wire };
    expect(genstyle.request.schema.safeParse(named).error).toBeUndefined();
    expect(genstyle.request.decode(named)).toEqual(request);
  });

  test.each<[name: string, input: Json, inputs: EmbedInput[], batch: boolean]>([
    ["a string", "a", [text("a")], false],
    ["a list of one", ["a"], [text("a")], true],
    ["token ids", [1, 2], [{ tokens: [1, 2] }], false],
    ["lists of token ids", [[1], [2, 3]], [{ tokens: [1] }, { tokens: [2, 3] }], true],
  ])("chat, %s", (_, input, inputs, batch) => {
    const wire = { model: "m", input, encoding_format: "base64", user: "u", dimensions: null };
    expect(chatstyle.request.schema.safeParse(wire).error).toBeUndefined();
    const request = { model: "m", inputs, ...(batch && { batch: true }), encoding: "base64", user: "u" };
    expect(chatstyle.request.decode(wire)).toEqual(request);
    expect(chatstyle.request.encode(chatstyle.request.decode(wire), ignoreLosses)).toEqual({
      model: "m",
      input,
      encoding_format: "float",
      user: "u",
    });
  });

  test("messages: the normalized parts, and how multimodal providers of the chat wire spell them", () => {
    const content: Json[] = [
      { type: "text", text: "a" },
      { type: "imageUrl", url: "https://a.test/x.png" },
      { type: "imageBase64", data: "iVBORw0KGgoAAAAA" },
      { type: "audioBase64", data: "data:audio/wav;base64,AAAA" },
      { type: "videoBase64", data: "BBBB", mediaType: "video/quicktime" },
      { type: "fileBase64", data: "CCCC" },
    ];
    const wire: JsonObject = { model: "m", input: ["plain", { content }] };
    expect(msgstyle.request.schema.safeParse(wire).error).toBeUndefined();
    const sent = chatstyle.request.encode(msgstyle.request.decode(wire), ignoreLosses);
    expect(sent.input).toEqual([
      "plain",
      {
        content: [
          { type: "text", text: "a" },
          { type: "image_url", image_url: { url: "https://a.test/x.png" } },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgoAAAAA" } },
          { type: "input_audio", input_audio: { data: "data:audio/wav;base64,AAAA", format: "wav" } },
          { type: "input_video", input_video: { data: "data:video/quicktime;base64,BBBB", format: "mov" } },
          { type: "input_file", input_file: { data: "data:application/pdf;base64,CCCC", format: "pdf" } },
        ],
      },
    ]);
  });

  test("texts that ask for one vector are joined where an item is one text, and that is told", () => {
    const { losses, lose } = collectLosses();
    const wire: JsonObject = { contents: { parts: [{ text: "a", odd: 1 }, { text: "b" }] } };
    expect(chatstyle.request.encode(genstyle.request.decode(wire), lose).input).toBe("a\nb");
    expect(losses.map(({ path, why }) => [path, why])).toEqual([
      ["/inputs/0/parts/0/extra/odd", "unsupported"],
      ["/inputs/0/parts", "approximated"],
    ]);
  });

  test("each codec names the call that its body is for", () => {
    expect(chatstyle.endpoint?.(ask([text("a")]))).toBe("/embeddings");
    expect(genstyle.endpoint?.(ask([text("a")]))).toBe("/models/m:embedContent");
    expect(genstyle.endpoint?.(ask([text("a"), text("b")]))).toBe("/models/m:batchEmbedContents");
    expect(msgstyle.endpoint).toBeUndefined();
  });
});

describe("schemas refuse, naming the field", () => {
  const content = { parts: [{ text: "a" }] };
  test.each<[protocol: "chatstyle" | "msgstyle" | "genstyle", wire: JsonObject, path: string]>([
    ["chatstyle", { input: "a" }, "model"],
    ["chatstyle", { model: "m" }, "input"],
    ["chatstyle", { model: "m", input: { content: [] } }, "input"],
    ["chatstyle", { model: "m", input: "a", dimensions: 0 }, "dimensions"],
    ["chatstyle", { model: "m", input: "a", encoding_format: "hex" }, "encoding_format"],
    ["msgstyle", { model: "m", input: [1, 2] }, "input"],
    ["genstyle", {}, "contents"],
    ["genstyle", { content: {} }, "content"],
    ["genstyle", { contents: [content, content] }, "contents"],
    ["genstyle", { contents: content, config: { taskType: "RETRIEVAL_QUERY" } }, "config.taskType"],
    ["genstyle", { contents: content, config: { title: "t" } }, "config.title"],
    ["genstyle", { content, task_type: "RETRIEVAL_QUERY" }, "task_type"],
    ["genstyle", { requests: [{ content, taskType: "X" }] }, "requests.0.taskType"],
    ["genstyle", { requests: [{ content }], config: { taskType: "X" } }, "config.taskType"],
    ["genstyle", { requests: [] }, "requests"],
    ["genstyle", { requests: [{}] }, "requests.0.content"],
    ["genstyle", { contents: content, config: { outputDimensionality: 1.5 } }, "outputDimensionality"],
    [
      "genstyle",
      { requests: [{ content, outputDimensionality: 4 }, { content }] },
      "requests.1.outputDimensionality",
    ],
    ["genstyle", { contents: { parts: [{ fileData: { fileUri: "f" } }] } }, "contents.parts.0"],
    ["genstyle", { contents: { parts: [{ file_data: { file_uri: "f" } }] } }, "contents.parts.0"],
    ["genstyle", { contents: { parts: [{ functionCall: {} }] } }, "contents.parts.0"],
    ["genstyle", { contents: { parts: [{ inlineData: { data: "AAAA" } }] } }, "contents.parts.0"],
  ])("%s %j", (protocol, wire, path) => {
    const { error } = embedCodecs[protocol].request.schema.safeParse(wire);
    expect(error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });

  test.each<JsonObject>([
    { type: "videoUrl", url: "https://a.test/v.mp4" },
    { type: "imageUrl", url: "file:///etc/passwd" },
    { type: "videoBase64", data: "AAAA" },
    { type: "imageBase64", data: "" },
  ])("a part of the messages wire: %j", (part) => {
    const wire = { model: "m", input: [{ content: [part] }] };
    expect(msgstyle.request.schema.safeParse(wire).success).toBe(false);
  });
});

describe("replies", () => {
  test("vectors come back in the order of their indices, whatever the order on the wire", () => {
    fc.assert(
      fc.property(anyVectors, fc.infiniteStream(fc.nat()), (vectors, order) => {
        const items = vectors.map((embedding, index) => ({ at: order.next().value, index, embedding }));
        items.sort((a, b) => a.at - b.at);
        const data = items.map(({ index, embedding }) => ({ index, embedding }));
        expect(chatstyle.reply.decode({ data }).vectors).toEqual(vectors);
      }),
    );
  });

  test("base64 is little-endian 32-bit floats", () => {
    // 1.0 and -2.5 by hand: 0x3f800000 and 0xc0200000.
    const embedding = btoa(String.fromCharCode(0, 0, 0x80, 0x3f, 0, 0, 0x20, 0xc0));
    expect(chatstyle.reply.decode({ data: [{ index: 0, embedding }] }).vectors).toEqual([[1, -2.5]]);
    const request = ask([text("a")], { encoding: "base64" });
    expect(chatstyle.reply.encode({ vectors: [[1, -2.5]] }, request)).toMatchObject({
      data: [{ embedding }],
    });
  });

  test.each<[Json]>([
    ["!"],
    ["AAA="],
    [btoa(String.fromCharCode(0, 0, 0xc0, 0x7f))],
    [[1, null]],
    [["1"]],
    [null],
    [{}],
  ])("the vector %j is unreadable, which is a failure and not an answer", (embedding) => {
    const reply = chatstyle.reply.decode({ data: [{ index: 0, embedding }] });
    expect(reply.vectors).toEqual([[]]);
    expect(shortfall(ask([text("a")]), reply)).toMatchObject({ kind: "unavailable", status: 502 });
  });

  test("as many readable vectors as inputs is the only reply without a shortfall", () => {
    fc.assert(
      fc.property(
        fc.nat(4),
        fc.array(fc.array(float, { maxLength: 2 }), { maxLength: 4 }),
        (count, vectors) => {
          const request = ask(Array.from({ length: count }, () => text("a")));
          const whole = vectors.length === count && vectors.every((vector) => vector.length > 0);
          expect(shortfall(request, { vectors }) === undefined).toBe(whole);
        },
      ),
    );
  });

  test("usage with its kinds of media comes through; a wire without usage gives none", () => {
    const usage = {
      prompt_tokens: 9,
      total_tokens: 9,
      prompt_tokens_details: { image_tokens: 4, audio_tokens: 2 },
    };
    const reply = chatstyle.reply.decode({ data: [{ embedding: [1] }], model: "up", usage });
    expect(reply).toEqual({ vectors: [[1]], model: "up", usage: { input: 9, imageInput: 4, audioInput: 2 } });
    expect(msgstyle.reply.encode(reply, ask([text("a")]))).toEqual({
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: [1] }],
      model: "m",
      usage,
    });
    expect(genstyle.reply.decode({ embedding: { values: [1] } })).toEqual({ vectors: [[1]] });
  });

  test("a list of one is answered by a list on the wire that tells the two apart", () => {
    const vectors = [[1]];
    expect(genstyle.reply.encode({ vectors }, ask([text("a")]))).toEqual({ embedding: { values: [1] } });
    expect(genstyle.reply.encode({ vectors }, ask([text("a")], { batch: true }))).toEqual({
      embeddings: [{ values: [1] }],
    });
  });
});

describe("split and join", () => {
  test("every input is asked once, in order, and no call is too large", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 100 }), (count, most) => {
        const request = ask(Array.from({ length: count }, (_, i) => text(String(i))));
        const calls = splitEmbed(request, most);
        expect(calls.flatMap((call) => call.inputs)).toEqual(request.inputs);
        expect(Math.max(...calls.map((call) => call.inputs.length))).toBeLessThanOrEqual(most);
      }),
    );
  });

  test("usage adds up only where every reply tells it", () => {
    const told: EmbedReply = { vectors: [[1]], usage: { input: 2, imageInput: 1 } };
    const plain: EmbedReply = { vectors: [[2]], usage: { input: 3 } };
    expect(joinEmbed([told, plain])).toEqual({ vectors: [[1], [2]], usage: { input: 5, imageInput: 1 } });
    expect(joinEmbed([told, { vectors: [[2]] }])).toEqual({ vectors: [[1], [2]] });
  });
});

describe("check", () => {
  const png = bytes("image", "image/png");
  const wav = bytes("audio", "audio/wav");
  const parts = (...list: EmbedPart[]): EmbedInput => ({ parts: list });
  const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
  const file: EmbedPart = {
    type: "media",
    kind: "image",
    source: { type: "file", protocol: "genstyle", id: "f" },
  };

  test.each<[name: string, takes: EmbedTakes, inputs: EmbedInput[], paths: string[]]>([
    ["text", {}, [text("a")], []],
    ["white space", {}, [text(" ")], []],
    ["128 inputs", {}, many(128, text("a")), []],
    ["129 inputs", {}, many(129, text("a")), ["/inputs"]],
    ["nothing", {}, [], ["/inputs"]],
    ["an empty string", {}, [text("a"), text("")], ["/inputs/1"]],
    ["no parts", {}, [parts()], ["/inputs/0"]],
    [
      "an empty text beside an image",
      everyMedia,
      [parts({ type: "text", text: "" }, png)],
      ["/inputs/0/parts/0"],
    ],
    ["tokens", {}, [{ tokens: [1] }], ["/inputs/0"]],
    ["tokens where they are taken", { tokens: true }, [{ tokens: [1] }], []],
    ["no tokens", { tokens: true }, [{ tokens: [] }], ["/inputs/0"]],
    ["an image for a text model", {}, [parts(png)], ["/inputs/0/parts/0"]],
    ["six images", everyMedia, many(6, parts(png)), []],
    ["seven images", everyMedia, many(7, parts(png)), ["/inputs/6/parts/0"]],
    ["audio", everyMedia, [parts(wav)], []],
    ["audio twice", everyMedia, [parts(wav), parts(wav)], ["/inputs/1/parts/0"]],
    ["audio for an image model", { media: { image: { max: 6 } } }, [parts(wav)], ["/inputs/0/parts/0"]],
    ["another audio type", everyMedia, [parts(bytes("audio", "audio/mpeg"))], ["/inputs/0/parts/0"]],
    ["a media type in other letters", everyMedia, [parts(bytes("audio", "Audio/WAV; rate=8000"))], []],
    ["mp4", everyMedia, [parts(bytes("video", "video/mp4"))], []],
    ["mov", everyMedia, [parts(bytes("video", "video/quicktime"))], []],
    ["webm", everyMedia, [parts(bytes("video", "video/webm"))], ["/inputs/0/parts/0"]],
    ["pdf", everyMedia, [parts(bytes("document", "application/pdf"))], []],
    ["another document", everyMedia, [parts(bytes("document", "text/plain"))], ["/inputs/0/parts/0"]],
    ["no bytes", everyMedia, [parts(bytes("image", "image/png", ""))], ["/inputs/0/parts/0"]],
    ["an upload", everyMedia, [parts(file)], ["/inputs/0/parts/0"]],
  ])("%s", (_, takes, inputs, paths) => {
    const issues = checkEmbed(ask(inputs, { model: "some-model" }), takes);
    expect(issues.map((issue) => issue.path)).toEqual(paths);
    for (const { path, message } of issues) {
      expect(message).toContain(path.slice(1).replaceAll("/", "."));
      expect(message).toContain('"some-model"');
    }
  });

  test.each([
    ["audio", "audio/wav", 180],
    ["video", "video/mp4", 120],
  ] as const)("%s that was probed may play no longer than its limit", (kind, mediaType, most) => {
    const request = ask([parts(bytes(kind, mediaType))]);
    expect(checkEmbed(request, everyMedia, { seconds: () => most })).toEqual([]);
    expect(checkEmbed(request, everyMedia, { seconds: () => most + 0.1 })).toHaveLength(1);
  });

  test.each<[protocol: "chatstyle" | "msgstyle" | "genstyle", wire: JsonObject, path: string]>([
    ["chatstyle", { model: "m", input: [] }, "/input"],
    ["chatstyle", { model: "m", input: ["a", ""] }, "/input/1"],
    ["chatstyle", { model: "m", input: "" }, "/input"],
    [
      "msgstyle",
      { model: "m", input: [{ content: [{ type: "imageUrl", url: "https://a.test/x" }] }] },
      "/input/0/content/0",
    ],
    [
      "genstyle",
      { contents: { parts: [{ text: "a" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] } },
      "/contents/parts/1",
    ],
    [
      "genstyle",
      { requests: [{ content: { parts: [{ text: "a" }] } }, { content: { parts: [{ text: "" }] } }] },
      "/requests/1/content",
    ],
  ])("an issue names the field as the caller wrote it: %s %j", (protocol, wire, path) => {
    const origins = new Map<object, string>();
    const request = embedCodecs[protocol].request.decode(
      wire,
      (node, pointer) => void origins.set(node, pointer),
    );
    expect(checkEmbed(request, {}, { origins }).map((issue) => issue.path)).toEqual([path]);
  });
});
