import { type AnyCodec, codecs, type Protocol } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";
import { collectLosses } from "../../../packages/core/src/ir/loss.ts";

const parameters = { type: "object", properties: { n: { type: "number" } } };
const tools = {
  chatstyle: [{ type: "function", function: { name: "f", parameters } }],
  native: [{ type: "function", function: { name: "f", parameters } }],
  genstyle: [{ functionDeclarations: [{ name: "f", parametersJsonSchema: parameters }] }],
};
const messages = [{ role: "user", content: "Hi." }];
const contents = [{ role: "user", parts: [{ text: "Hi." }] }];
const begun = { chatstyle: { messages }, native: { messages }, genstyle: { contents } };

const functionsOnly = { type: "function", function: { name: "f" } };
const server = { type: "mcp", server_label: "s" };
const only = (...list: JsonObject[]) => ({
  tool_choice: { type: "allowed_tools", allowed_tools: { mode: "required", tools: list } },
});
const calling = (functionCallingConfig: JsonObject) => ({ toolConfig: { functionCallingConfig } });

const rows: [Protocol & keyof typeof tools, JsonObject][] = [
  ["chatstyle", { tool_choice: "requird" }],
  ["chatstyle", { tool_choice: "requird", parallel_tool_calls: false }],
  ["chatstyle", { tool_choice: server }],
  ["chatstyle", { function_call: "requird" }],
  ["chatstyle", only(server)],
  ["chatstyle", only(functionsOnly, server)],
  ["chatstyle", only()],
  ["native", { toolChoice: "requird" }],
  ["native", { toolChoice: { type: "mcp", server_label: "s" } }],
  ["native", { reasoningEffort: "extreme" }],
  ["native", { reasoningEffort: "extreme", thinking: { type: "enabled", budgetTokens: 9 } }],
  ["native", { thinking: { type: "foo" } }],
  ["native", { thinking: { type: "foo", budgetTokens: 5 }, reasoningEffort: "low" }],
  ["native", { thinking: { type: "enabled", colour: "red" } }],
  ["native", { thinking: { type: "enabled", budgetTokens: "many" } }],
  ["genstyle", calling({ mode: "SOME" })],
  ["genstyle", calling({ mode: "SOME", allowedFunctionNames: ["f"], more: 1 })],
];

describe("members without a word in the IR", () => {
  test.each(rows)(
    "an unknown member is kept, and reported where it cannot be written: %s %j",
    (protocol, said) => {
      const codec = codecs[protocol] as AnyCodec;
      const wire = { model: "m", ...begun[protocol], tools: tools[protocol], ...said };
      const request = codec.request.decode(codec.request.schema.parse(wire));
      const own = collectLosses();
      expect(codec.request.encode(request, own.lose)).toMatchObject(said);
      expect(own.losses.filter(({ path }) => path !== "/stream")).toEqual([]);
      const { losses, lose } = collectLosses();
      (codecs.responses as AnyCodec).request.encode(request, lose);
      expect(losses.map(({ path }) => path)).toContainEqual(expect.stringMatching(/^\/extra\//));
    },
  );

  test("a mode that is left out is no mode", () => {
    const wire = { contents, tools: tools.genstyle, ...calling({ mode: "MODE_UNSPECIFIED" }) };
    const { toolChoice, extra } = (codecs.genstyle as AnyCodec).request.decode(wire);
    expect([toolChoice, extra]).toEqual([undefined, undefined]);
  });
});
