import type { JsonObject, Traits } from "@manifold-gateway/core/codec";
import type { Params, ReasoningAsk, ToolChoice } from "@manifold-gateway/core/ir";
import { describe, expect, test } from "vitest";
import { asked, decode, encode, hello } from "./genstyle-kit.ts";

const config = (generationConfig: JsonObject): ReturnType<typeof decode> =>
  decode({ contents: "x", generationConfig });
const thinking = (reasoning: ReasoningAsk, thinkingBy?: Traits["thinkingBy"]) => {
  const { wire, losses } = encode(asked([hello], { reasoning }), thinkingBy ? { thinkingBy } : {});
  return [wire.generationConfig?.thinkingConfig, losses.map(({ path }) => path)];
};

describe("the thinking parameters", () => {
  test.each<[ReasoningAsk, JsonObject, JsonObject]>([
    [{ effort: "minimal" }, { thinkingLevel: "MINIMAL" }, { thinkingBudget: 512 }],
    [{ effort: "low" }, { thinkingLevel: "LOW" }, { thinkingBudget: 1024 }],
    [{ effort: "medium" }, { thinkingLevel: "MEDIUM" }, { thinkingBudget: 8192 }],
    [{ effort: "max" }, { thinkingLevel: "HIGH" }, { thinkingBudget: 24576 }],
    [{ mode: "on", budget: 2000 }, { thinkingLevel: "LOW" }, { thinkingBudget: 2000 }],
    [{ mode: "on", budget: 9000, effort: "high" }, { thinkingLevel: "HIGH" }, { thinkingBudget: 24576 }],
    [{ mode: "off" }, { thinkingLevel: "MINIMAL" }, { thinkingBudget: 0 }],
    [
      { mode: "off", show: "none" },
      { thinkingLevel: "MINIMAL", includeThoughts: false },
      { thinkingBudget: 0, includeThoughts: false },
    ],
    [
      { mode: "auto", show: "auto" },
      { includeThoughts: true },
      { thinkingBudget: -1, includeThoughts: true },
    ],
  ])("thinking is requested by level or by budget, never by both: %j", (ask, level, budget) => {
    expect(thinking(ask, "level")[0]).toEqual(level);
    expect(thinking(ask, "budget")[0]).toEqual(budget);
  });
  test.each<[JsonObject, ReasoningAsk]>([
    [{ thinkingBudget: 0 }, { mode: "off" }],
    [
      { thinkingBudget: -1, includeThoughts: true },
      { mode: "auto", show: "auto" },
    ],
    [
      { thinkingBudget: 300, includeThoughts: false },
      { mode: "on", budget: 300, show: "none" },
    ],
  ])("%j is read, and written to a model of which nothing is known", (thinkingConfig, ask) => {
    expect(config({ thinkingConfig }).reasoning).toEqual(ask);
    expect(config(encode(asked([hello], { reasoning: ask })).wire.generationConfig).reasoning).toEqual(ask);
    expect(thinking(ask)[1]).toEqual([]);
  });
  test("a level is read, and written to a model that takes levels", () => {
    expect(config({ thinkingConfig: { thinkingLevel: "low" } }).reasoning).toEqual({ effort: "low" });
    expect(thinking({ effort: "low" }, "level")).toEqual([{ thinkingLevel: "LOW" }, []]);
  });
  test.each<[ReasoningAsk, number]>([
    [{ effort: "high" }, 24576],
    [{ mode: "auto", effort: "low" }, 1024],
    [{ mode: "off" }, 0],
  ])("%j is a budget where nothing is known: both generations take those", (ask, thinkingBudget) => {
    expect(thinking(ask)[0]).toEqual({ thinkingBudget });
  });
  test("a model that always thinks is asked to think as little as it can", () => {
    const traits = { thinkingBy: "budget", thinking: ["adaptive", "manual"] } as const;
    const { wire } = encode(asked([hello], { reasoning: { mode: "off" } }), {
      ...traits,
      thinking: [...traits.thinking],
    });
    expect(wire.generationConfig?.thinkingConfig).toEqual({ thinkingBudget: 128 });
  });
});

describe("parameters", () => {
  test.each<[Params, JsonObject, string[]]>([
    [{ temperature: 0, seed: 0 }, { temperature: 0, seed: 0 }, []],
    [{ temperature: 3 }, { temperature: 2 }, ["/params/temperature"]],
    [{ frequencyPenalty: 2 }, { frequencyPenalty: 1.99 }, ["/params/frequencyPenalty"]],
    [
      { stop: ["1", "2", "3", "4", "5", "6"] },
      { stopSequences: ["1", "2", "3", "4", "5"] },
      ["/params/stop"],
    ],
    [{ seed: 2 ** 40 + 7 }, { seed: 7 }, ["/params/seed"]],
    [
      { candidates: 2, logprobs: true, topLogprobs: 3 },
      { candidateCount: 2, responseLogprobs: true, logprobs: 3 },
      [],
    ],
  ])("parameters are written: %j", (params, wire, lost) => {
    const { wire: written, losses } = encode(asked([hello], { params }));
    expect(written.generationConfig).toEqual(wire);
    expect(losses.map(({ path }) => path)).toEqual(lost);
  });
  test.each([
    ["default", "standard", 0],
    ["standard_only", "standard", 0],
    ["flex", "flex", 0],
    ["auto", undefined, 1],
  ])("the tier %s is written", (serviceTier, tier, count) => {
    const { wire, losses } = encode(asked([hello], { params: { serviceTier } }));
    expect(wire.serviceTier).toBe(tier);
    expect(losses).toHaveLength(count);
  });
});

const tools = [
  {
    type: "function" as const,
    name: "f",
    schema: { type: "object", properties: { n: { const: 1 } } },
    strict: true,
  },
];

describe("tools", () => {
  test("full schemas are sent where they are taken, others in the smaller dialect", () => {
    const full = encode(asked([hello], { tools }));
    expect(full.wire.tools).toEqual([
      { functionDeclarations: [{ name: "f", parametersJsonSchema: tools[0]?.schema }] },
    ]);
    expect(full.losses.map(({ path }) => path)).toEqual(["/tools/0/strict"]);
    const small = encode(asked([hello], { tools }), { jsonSchema: false });
    const n = { type: "INTEGER", enum: ["1"], format: "enum" };
    expect(small.wire.tools).toEqual([
      { functionDeclarations: [{ name: "f", parameters: { type: "OBJECT", properties: { n } } }] },
    ]);
  });
  test("an object without properties is no schema in the smaller dialect", () => {
    const empty = [{ type: "function" as const, name: "f", schema: { type: "object", properties: {} } }];
    expect(encode(asked([hello], { tools: empty }), { jsonSchema: false }).wire.tools).toEqual([
      { functionDeclarations: [{ name: "f" }] },
    ]);
  });
  test("declarations of several objects are one list, server tools keep their place", () => {
    const tools: JsonObject[] = [
      { functionDeclarations: [{ name: "a" }], googleSearch: {} },
      { functionDeclarations: [{ name: "b" }] },
    ];
    const decoded = decode({ contents: "x", tools });
    expect(decoded.tools).toEqual([
      { type: "function", name: "a" },
      { type: "opaque", protocol: "genstyle", value: { googleSearch: {} } },
      { type: "function", name: "b" },
    ]);
    expect(encode(decoded).wire.tools).toEqual([
      { functionDeclarations: [{ name: "a" }] },
      { googleSearch: {} },
      { functionDeclarations: [{ name: "b" }] },
    ]);
  });
  test.each<[ToolChoice, JsonObject]>([
    [{ mode: "auto" }, { mode: "AUTO" }],
    [{ mode: "required" }, { mode: "ANY" }],
    [
      { mode: "required", names: ["f"] },
      { mode: "ANY", allowedFunctionNames: ["f"] },
    ],
    [
      { mode: "auto", names: ["f"] },
      { mode: "VALIDATED", allowedFunctionNames: ["f"] },
    ],
    [{ mode: "none" }, { mode: "NONE" }],
  ])("the tool choice %j is written", (toolChoice, calling) => {
    const { wire } = encode(asked([hello], { tools, toolChoice }));
    expect(wire.toolConfig).toEqual({ functionCallingConfig: calling });
    expect(decode(wire).toolChoice).toEqual(toolChoice);
  });
  test("a tool choice is left out where there are no functions", () => {
    const { wire, losses } = encode(asked([hello], { toolChoice: { mode: "required" } }));
    expect(wire.toolConfig).toBeUndefined();
    expect(losses.map(({ path }) => path)).toEqual(["/toolChoice"]);
  });
  test("checked arguments survive beside a free choice", () => {
    const toolConfig = { functionCallingConfig: { mode: "VALIDATED" } };
    const decoded = decode({ contents: "x", tools: [{ functionDeclarations: [{ name: "f" }] }], toolConfig });
    expect(decoded.toolChoice).toBeUndefined();
    expect(encode(decoded).wire.toolConfig).toEqual(toolConfig);
  });
});

describe("the shape of the answer", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  test.each([
    [{ type: "json" as const }, {}, { responseMimeType: "application/json" }],
    [{ type: "text" as const }, {}, { responseMimeType: "text/plain" }],
    [
      { type: "schema" as const, schema },
      {},
      { responseMimeType: "application/json", responseJsonSchema: schema },
    ],
    [
      { type: "schema" as const, schema },
      { jsonSchema: false },
      {
        responseMimeType: "application/json",
        responseSchema: { type: "OBJECT", properties: { a: { type: "STRING" } } },
      },
    ],
  ])("the shape of the answer is written: %j %j", (format, traits, written) => {
    const { wire, losses } = encode(asked([hello], { format }), traits);
    expect(wire.generationConfig).toEqual(written);
    expect(losses).toEqual([]);
    expect(decode(wire).format).toEqual(format);
  });
  test("an enum is returned as it came", () => {
    const generationConfig = {
      responseMimeType: "text/x.enum",
      responseSchema: { type: "STRING", enum: ["a"] },
    };
    expect(config(generationConfig).format).toBeUndefined();
    expect(encode(config(generationConfig)).wire.generationConfig).toEqual(generationConfig);
  });
});

describe("media", () => {
  const part = (wire: JsonObject) =>
    decode({ contents: [{ role: "user", parts: [wire] }] }).messages[0]?.parts[0];
  test.each<[JsonObject, JsonObject]>([
    [
      { fileUri: "https://example.com/a.png" },
      { kind: "image", source: { type: "url", url: "https://example.com/a.png" } },
    ],
    [
      { fileUri: "https://files.example.com/v1beta/files/x", mimeType: "audio/mp3" },
      {
        kind: "audio",
        source: {
          type: "file",
          protocol: "genstyle",
          id: "https://files.example.com/v1beta/files/x",
          mediaType: "audio/mp3",
        },
      },
    ],
    [
      { fileUri: "gs://b/o" },
      { kind: "document", source: { type: "file", protocol: "genstyle", id: "gs://b/o" } },
    ],
  ])("media are read: %j", (fileData, expected) => {
    expect(part({ fileData })).toEqual({ type: "media", ...expected });
  });
  test("media of an unknown kind get a type, by name", () => {
    const source = { type: "url" as const, url: "https://example.com/photo" };
    const { wire, losses } = encode(
      asked([{ role: "user", parts: [{ type: "media", kind: "image", source, detail: "low", name: "n" }] }]),
    );
    expect(wire.contents[0]?.parts).toEqual([
      {
        fileData: { fileUri: source.url, mimeType: "image/jpeg" },
        mediaResolution: { level: "MEDIA_RESOLUTION_LOW" },
      },
    ]);
    expect(losses.map(({ path }) => path)).toEqual([
      "/messages/0/parts/0/source/mediaType",
      "/messages/0/parts/0/name",
    ]);
  });
  test("bytes without a type have the type that their beginning shows", () => {
    const source = { type: "base64" as const, mediaType: "image/*", data: "iVBORw0KGgo=" };
    const { wire } = encode(asked([{ role: "user", parts: [{ type: "media", kind: "image", source }] }]));
    expect(wire.contents[0]?.parts).toEqual([{ inlineData: { mimeType: "image/png", data: source.data } }]);
  });
});
