import type { TextRequest } from "@manifold-gateway/core";
import type { Json, JsonObject } from "@manifold-gateway/core/codec";
import type { FunctionTool, Seal } from "@manifold-gateway/core/ir";
import { expect, test } from "vitest";
import { msgstyle } from "../../../packages/core/src/protocols/msgstyle/index.ts";
import { asked } from "../translate/text-request.ts";
import {
  type Case,
  call,
  encode,
  hi,
  hold,
  limit,
  model,
  result,
  system,
  text,
  user,
} from "./msgstyle-kit.ts";

const f: FunctionTool = { type: "function", name: "f", schema: { type: "object", properties: {} } };
const own: Seal = { protocol: "msgstyle", value: "sig+/=" };
const foreign: Seal = { protocol: "genstyle", value: "CiQB4/==" };
const decode = (wire: JsonObject): TextRequest =>
  msgstyle.request.decode(msgstyle.request.schema.parse(wire));
const wireOf = (messages: Json[], more: JsonObject = {}): JsonObject => ({
  model: "m",
  max_tokens: 10,
  messages,
  ...more,
});

const requests: Record<string, Case> = {
  "leading system messages are one field": {
    ir: asked([system("a"), { ...system("b"), parts: [{ ...text("b"), cache: { ttl: "1h" } }] }, hi], limit),
    wire: {
      system: [text("a"), { ...text("b"), cache_control: { type: "ephemeral", ttl: "1h" } }],
      messages: [{ role: "user", content: "hi" }],
    },
  },
  "a later system message stays": {
    ir: asked([hi, system("now"), user(text("go"))], limit),
    wire: {
      messages: [
        { role: "user", content: "hi" },
        { role: "system", content: "now" },
        { role: "user", content: "go" },
      ],
    },
  },
  "system text alone is said by the user": {
    ir: asked([system("speak")], limit),
    wire: { messages: [{ role: "user", content: "speak" }] },
    lost: ["/messages", "/messages/0"],
  },
  "the first turn is the user's": {
    ir: asked([model(text("Welcome.")), hi], limit),
    wire: {
      messages: [
        { role: "user", content: "Begin." },
        { role: "assistant", content: "Welcome." },
        { role: "user", content: "hi" },
      ],
    },
    lost: ["/messages"],
  },
  "results come first, empty turns go, neighbours join": {
    ir: asked([hi, model(call("a")), user(text("and"), result("a")), model(text(" ")), user(text("then"))], {
      ...limit,
      tools: [f],
    }),
    wire: {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "a", content: "ok" }, text("and"), text("then")],
        },
      ],
    },
    lost: ["/messages/3", "/messages/3/parts/0"],
  },
  "a begun answer ends without white space": {
    ir: asked([hi, model(text("So, \n"))], limit),
    wire: {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "So," },
      ],
    },
    lost: ["/messages/1/parts/0"],
  },
  "foreign seals and unsigned thinking stay behind": {
    ir: asked(
      [
        hi,
        model(
          { type: "reasoning", text: "own", seal: own },
          { type: "reasoning", text: "theirs", seal: foreign },
          { type: "reasoning", text: "nobody's" },
          { type: "reasoning", text: "", redacted: true, seal: own },
          { ...call("a"), seal: foreign },
        ),
      ],
      { ...limit, tools: [f] },
    ),
    wire: {
      messages: [
        { role: "user", content: "hi" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "own", signature: own.value },
            { type: "redacted_thinking", data: own.value },
            { type: "tool_use", id: "a", name: "f", input: {} },
          ],
        },
      ],
    },
    lost: ["/messages/1/parts/1", "/messages/1/parts/2", "/messages/1/parts/4/seal"],
  },
  "media that the wire has no block for are lost": {
    ir: asked(
      [
        user(
          {
            type: "media",
            kind: "audio",
            source: { type: "base64", mediaType: "audio/wav", data: "UklGRg==" },
          },
          {
            type: "media",
            kind: "image",
            source: { type: "base64", mediaType: "image/jpg", data: "/9j/" },
            detail: "low",
            name: "a",
          },
          {
            type: "media",
            kind: "image",
            source: { type: "base64", mediaType: "image/*", data: "iVBORw0KGgo=" },
          },
          { type: "media", kind: "image", source: { type: "file", protocol: "responses", id: "file-1" } },
          {
            type: "media",
            kind: "document",
            source: { type: "base64", mediaType: "text/csv", data: "YSxi" },
            name: "t.csv",
          },
          { type: "opaque", protocol: "genstyle", value: {} },
        ),
      ],
      limit,
    ),
    wire: {
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "/9j/" } },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
            {
              type: "document",
              source: { type: "text", media_type: "text/plain", data: "a,b" },
              title: "t.csv",
            },
          ],
        },
      ],
    },
    lost: [
      "/messages/0/parts/0",
      "/messages/0/parts/1/detail",
      "/messages/0/parts/1/name",
      "/messages/0/parts/1/source/mediaType",
      "/messages/0/parts/2/source/mediaType",
      "/messages/0/parts/3",
      "/messages/0/parts/4/source/mediaType",
      "/messages/0/parts/5",
    ],
  },
  "what only others know is lost by name": {
    ir: asked([{ ...hi, name: "Ann", extra: { protocol: "responses", fields: { phase: 1 } } } as never], {
      ...limit,
      extra: { protocol: "chatstyle", fields: { prediction: {} } },
    }),
    wire: {},
    lost: ["/extra/prediction", "/messages/0/extra/phase", "/messages/0/name"],
  },
};

test.each(Object.entries(requests))("the request is encoded: %s", (_, one) => hold(one));

test("system text and the leading system messages are one message, later ones stay where they stood", () => {
  const { messages } = decode(
    wireOf(
      [
        { role: "system", content: "b" },
        { role: "user", content: "hi" },
        { role: "system", content: [{ type: "text", text: "c", cache_control: { type: "ephemeral" } }] },
      ],
      { system: "a" },
    ),
  );
  expect(messages).toEqual([
    { role: "system", parts: [text("a"), text("b")] },
    hi,
    { role: "system", parts: [{ ...text("c"), cache: {} }] },
  ]);
});

test("system blocks without a word in the IR come back in their place", () => {
  const content = [text("a"), { type: "tool_addition", name: "x" }];
  for (const wire of [
    wireOf([{ role: "user", content: "hi" }], { system: content }),
    wireOf([
      { role: "user", content: "hi" },
      { role: "system", content },
    ]),
  ]) {
    const { wire: again, losses } = encode(decode(wire));
    expect(again).toEqual(wire);
    expect(losses).toEqual([]);
  }
});

test.each<[string, JsonObject, string]>([
  ["an unknown role", wireOf([{ role: "developer", content: "x" }]), "messages.0.role"],
  ["content of a number", wireOf([{ role: "user", content: 7 }]), "messages.0.content"],
  [
    "a block without a type",
    wireOf([{ role: "user", content: [{ text: "x" }] }]),
    "messages.0.content.0.type",
  ],
  [
    "a block deep inside",
    wireOf([
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text" }] }] },
    ]),
    "messages.0.content.0.content.0.text",
  ],
  [
    "arguments as text",
    wireOf([{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: "{}" }] }]),
    "messages.0.content.0.input",
  ],
  ["a temperature of text", wireOf([], { temperature: "hot" }), "temperature"],
])("a request is refused: %s", (_, wire, path) => {
  const issues = msgstyle.request.schema.safeParse(wire).error?.issues ?? [];
  expect(issues.map((issue) => issue.path.join("."))).toEqual([path]);
});
