import {
  chatstyle,
  encodeRequest,
  genstyle,
  msgstyle,
  responses,
  type TextRequest,
} from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { knownTraits } from "@manifold-gateway/providers";
import { expect, test } from "vitest";
import { asked } from "./text-request.ts";

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const list = { type: "array", items: { type: "string" } };
const tool = { type: "function", name: "weather", schema } as const;
const shaped = (format: TextRequest["format"], more: Partial<TextRequest> = {}): TextRequest =>
  asked([{ role: "user", parts: [{ type: "text", text: "Where?" }] }], {
    params: { maxTokens: 99 },
    ...(format && { format }),
    ...more,
  });
const codecs = { chatstyle, responses, msgstyle, genstyle };

/** The member of a wire that gives the answer its shape, and whether the prompt has the schema. */
function written(model: string, to: keyof typeof codecs, request: TextRequest) {
  const { wire, losses } = encodeRequest(request, codecs[to], knownTraits(model));
  const config = wire.generationConfig as JsonObject | undefined;
  const text = JSON.stringify([
    wire.messages,
    wire.system,
    wire.systemInstruction,
    wire.contents,
    wire.input,
  ]);
  const shape =
    (wire.response_format as JsonObject | undefined)?.type ??
    config?.responseMimeType ??
    ((wire.output_config as JsonObject | undefined)?.format as JsonObject | undefined)?.type ??
    ((wire.text as JsonObject | undefined)?.format as JsonObject | undefined)?.type;
  return {
    shape,
    prompted: /JSON/.test(text),
    tools: (wire.tools as unknown[] | undefined)?.length ?? 0,
    losses,
  };
}

const bySchema = { type: "schema", schema } as const;
const bySchemaList = { type: "schema", schema: list } as const;
const tools = { tools: [tool] };

test.each<[model: string, to: keyof typeof codecs, request: TextRequest, shape: unknown, tools: number]>([
  ["gemini-2.5-flash", "genstyle", shaped(bySchema, tools), undefined, 1],
  ["gemini-2.5-flash", "genstyle", shaped({ type: "json" }, tools), undefined, 1],
  ["google/gemini-2.5-flash", "chatstyle", shaped(bySchema, tools), undefined, 1],
  ["deepseek-v4-pro", "chatstyle", shaped(bySchema), "json_object", 0],
  ["deepseek-v4-pro", "chatstyle", shaped(bySchema, tools), "json_object", 1],
  ["deepseek-v4-pro", "chatstyle", shaped(bySchemaList), "json_object", 0],
  ["glm-5.3", "chatstyle", shaped(bySchema), "json_object", 0],
  ["glm-5.3", "msgstyle", shaped(bySchema), undefined, 0],
  ["qwen3.8-max", "chatstyle", shaped(bySchema), undefined, 0],
  ["gemma-3-27b-it", "genstyle", shaped(bySchema), undefined, 0],
  ["claude-sonnet-4-20250514", "msgstyle", shaped(bySchema, tools), undefined, 1],
  [
    "claude-3-7-sonnet",
    "msgstyle",
    shaped(bySchema, { reasoning: { mode: "on", budget: 2000 } }),
    undefined,
    0,
  ],
])("%s on %s gets a shape that it refuses as an instruction", (model, to, request, shape, count) => {
  const found = written(model, to, request);
  expect(found).toMatchObject({ shape, tools: count, prompted: true });
  expect(found.losses).toContainEqual({
    path: "/format",
    why: "approximated",
    detail: "requested in the prompt",
  });
});

test.each<[model: string, to: keyof typeof codecs, request: TextRequest, shape: unknown]>([
  ["gemini-2.5-flash", "genstyle", shaped(bySchema), "application/json"],
  ["gemini-3-pro-preview", "genstyle", shaped(bySchema, tools), "application/json"],
  ["deepseek-v4-pro", "responses", shaped(bySchema), "json_schema"],
  ["qwen3.8-max", "chatstyle", shaped(bySchema, { reasoning: { mode: "off" } }), "json_schema"],
  ["mistral-large-latest", "chatstyle", shaped(bySchema, tools), "json_schema"],
  ["claude-sonnet-4-5", "msgstyle", shaped(bySchema, tools), "json_schema"],
])("%s on %s gets the shape that it takes as it is", (model, to, request, shape) => {
  expect(written(model, to, request)).toMatchObject({ shape, prompted: false });
});

test("an older model is made to call a tool that stands for the answer", () => {
  expect(written("claude-sonnet-4-0", "msgstyle", shaped(bySchema))).toMatchObject({
    tools: 1,
    prompted: false,
  });
});

test("the instruction of a model that takes one system message is in it", () => {
  const { wire } = encodeRequest(
    shaped(bySchema, {
      messages: [
        { role: "system", parts: [{ type: "text", text: "Be brief." }] },
        { role: "user", parts: [{ type: "text", text: "Where?" }] },
      ],
    }),
    chatstyle,
    knownTraits("qwen3.8-max"),
  );
  expect((wire.messages as JsonObject[]).map(({ role }) => role)).toEqual(["system", "user"]);
});

const numbers = { type: "object", additionalProperties: { type: "number" } };
test.each<[title: string, schema: JsonObject]>([
  ["at the top", { type: "object" }],
  ["of numbers", { type: "object", properties: { prices: numbers }, required: ["prices"] }],
  ["in a definition", { ...schema, $defs: { M: numbers }, properties: { m: { $ref: "#/$defs/M" } } }],
  ["in a list", { type: "array", items: numbers }],
  ["that a recursion would become", { ...schema, properties: { next: { $ref: "#" } }, required: ["next"] }],
])("an object of any properties %s is not closed by the shape of the answer", (_, open) => {
  const request = shaped({ type: "schema", schema: open });
  const { wire, losses } = encodeRequest(request, msgstyle, knownTraits("claude-opus-5"));
  expect(wire.output_config).toBeUndefined();
  expect(JSON.stringify(wire.tools)).not.toContain('"type":"object","additionalProperties":false');
  expect(wire.tool_choice).toMatchObject({ type: "tool" });
  expect(losses.map(({ path }) => path)).toContain("/format");
  for (const [model, more] of [
    ["claude-fable-5-1", {}],
    ["claude-opus-5", tools],
  ] as const)
    expect(written(model, "msgstyle", shaped({ type: "schema", schema: open }, more))).toMatchObject({
      shape: undefined,
      prompted: true,
    });
});
