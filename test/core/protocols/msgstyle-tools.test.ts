import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { FunctionTool } from "@manifold-gateway/core/ir";
import { test } from "vitest";
import { asked } from "../translate/text-request.ts";
import { type Case, call, hi, hold, limit, model, result, text, user } from "./msgstyle-kit.ts";

const f: FunctionTool = { type: "function", name: "f", schema: { type: "object", properties: {} } };
const g: FunctionTool = { ...f, name: "g" };
const loop = [hi, model(call("a")), user(result("a"))];

const requests: Record<string, Case> = {
  "arguments are an object whatever they were": {
    ir: asked(
      [
        hi,
        model(
          call("a", ""),
          call("b", '{"x'),
          call("c", "[1]"),
          call("d", "null"),
          call("e", '{"n":0.12345678901234567890}'),
        ),
      ],
      {
        ...limit,
        tools: [f],
      },
    ),
    wire: {
      messages: [
        { role: "user", content: "hi" },
        {
          role: "assistant",
          content: (
            [
              {},
              { $manifold_raw: '{"x' },
              { $manifold_value: [1] },
              {},
              { n: 0.12345678901234568 },
            ] as JsonObject[]
          ).map((input, i) => ({
            type: "tool_use",
            id: "abcde"[i] as string,
            name: "f",
            input,
          })),
        },
      ],
    },
    lost: ["/messages/1/parts/3/arguments", "/messages/1/parts/4/arguments"],
  },
  "past calls keep tools declared": {
    ir: asked(loop, limit),
    wire: { tools: [{ name: "f", input_schema: { type: "object" } }], tool_choice: { type: "none" } },
    lost: ["/toolChoice", "/tools"],
  },
  "a choice without tools is left out": {
    ir: asked([hi], {
      ...limit,
      tools: [{ type: "opaque", protocol: "genstyle", value: { googleSearch: {} } }],
      toolChoice: { mode: "auto" },
    }),
    wire: {},
    lost: ["/toolChoice", "/tools/0"],
    absent: ["tools", "tool_choice"],
  },
  "one call at a time forces none": {
    ir: asked([hi], { ...limit, tools: [f], toolChoice: { parallel: false } }),
    wire: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
  },
  "a set of tools is said by leaving out the others": {
    ir: asked([hi], { ...limit, tools: [f, g], toolChoice: { mode: "auto", names: ["g"] } }),
    wire: { tools: [{ name: "g", input_schema: f.schema as Json }], tool_choice: { type: "auto" } },
    lost: ["/toolChoice/names", "/tools/0"],
  },
  "a set of tools is not narrowed below what was called": {
    ir: asked(loop, { ...limit, tools: [f, g], toolChoice: { mode: "required", names: ["g", "h"] } }),
    wire: { tool_choice: { type: "any" } },
    lost: ["/toolChoice/names"],
  },
  "schemas have an object at the top and are closed where strict": {
    ir: asked([hi], {
      ...limit,
      tools: [
        { ...f, schema: { anyOf: [{ properties: { a: {} }, required: ["a", "b"] }, { required: ["b"] }] } },
        {
          ...g,
          strict: true,
          schema: { type: "object", properties: { pattern: { type: "string", pattern: "x" } } },
        },
      ],
    }),
    wire: {
      tools: [
        { name: "f", input_schema: { type: "object", properties: { a: {} }, required: ["b"] } },
        {
          name: "g",
          strict: true,
          input_schema: {
            type: "object",
            properties: { pattern: { type: "string" } },
            additionalProperties: false,
          },
        },
      ],
    },
    lost: ["/tools/0/schema/anyOf", "/tools/1/schema"],
  },
  "at most four cache marks, the last ones": {
    ir: asked(
      [
        { role: "system", parts: [{ ...text("s"), cache: {} }] },
        user(...["1", "2", "3"].map((value) => ({ ...text(value), cache: {} }))),
      ],
      { ...limit, tools: [{ ...f, cache: {} }] },
    ),
    wire: {
      tools: [{ name: "f", input_schema: f.schema as Json }],
      system: [{ ...text("s"), cache_control: { type: "ephemeral" } }],
    },
    lost: ["/tools/0/cache"],
  },
};

test.each(Object.entries(requests))("the request is encoded: %s", (_, one) => hold(one));
