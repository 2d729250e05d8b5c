import { type AnyCodec, codecs, type Protocol } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { expect, test } from "vitest";
import { askOf } from "../../../packages/core/src/capability/ask-text.ts";
import { wires } from "../../support/wires/index.ts";

/** The asks of a request beside its limit, as name, place and value. */
function asksOf(protocol: Protocol, said: JsonObject): unknown[] {
  const codec = codecs[protocol] as AnyCodec;
  const wire = { ...wires[protocol].request, ...said };
  const { params } = askOf(codec.request.decode(wire), { codec, wire });
  return params
    .filter(({ name }) => name !== "maxTokens")
    .map(({ name, path, value, extra }) => [extra ? `(${name})` : name, path, value]);
}

test.each<[Protocol, JsonObject, unknown[]]>([
  ["chatstyle", { reasoning_effort: "extreme" }, [["reasoningEffort", "/reasoning_effort", "extreme"]]],
  ["native", { reasoningEffort: "extreme" }, [["reasoningEffort", "/reasoningEffort", "extreme"]]],
  ["native", { thinking: { type: "foo" } }, [["thinking", "/thinking", { type: "foo" }]]],
  ["responses", { reasoning: { effort: "extreme" } }, [["reasoningEffort", "/reasoning/effort", "extreme"]]],
  [
    "responses",
    { reasoning: { effort: "extreme", summary: "auto" } },
    [
      ["includeReasoning", "/reasoning/summary", true],
      ["reasoningEffort", "/reasoning/effort", "extreme"],
    ],
  ],
  [
    "responses",
    { text: { format: { type: "foo" }, colour: "red" } },
    [
      ["(text.colour)", "/text/colour", "red"],
      ["responseFormat", "/text/format", { type: "foo" }],
    ],
  ],
  [
    "genstyle",
    { generationConfig: { thinkingConfig: { thinkingLevel: "EXTREME", colour: "red" } } },
    [
      ["(generationConfig.thinkingConfig.colour)", "/generationConfig/thinkingConfig/colour", "red"],
      ["reasoningEffort", "/generationConfig/thinkingConfig/thinkingLevel", "EXTREME"],
    ],
  ],
])("%s %j uses the parameter that it names, wherever it stands", (protocol, said, asks) => {
  const found = asksOf(protocol, said);
  expect(found).toHaveLength(asks.length);
  expect(found).toEqual(expect.arrayContaining(asks));
});
