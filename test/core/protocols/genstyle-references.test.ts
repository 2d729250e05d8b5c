import { chatstyle, genstyle, translateRequest } from "@manifold-gateway/core";
import { expect, test } from "vitest";
import { type JsonObject, toObject } from "../../../packages/core/src/json/json.ts";

const responseTo = (content: string) => {
  const call = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };
  const messages: JsonObject[] = [
    { role: "user", content: "go" },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "a", content },
  ];
  const { wire, losses } = translateRequest({ model: "m", messages }, { from: chatstyle, to: genstyle });
  expect(losses).toEqual([]);
  const [part] = toObject((wire.contents as object[]).at(-1)).parts as object[];
  return toObject(toObject(part).functionResponse).response;
};

test.each([
  '{"$ref":"#/$defs/a"}',
  '{"paths":[{"schema":{"$ref":"#/components/schemas/Error"}}]}',
  '{"\\u0024ref":"x"}',
])("a result with $ref is sent as text, because the vendor looks for a medium of that name: %s", (text) => {
  expect(responseTo(text)).toEqual({ output: text });
});

test("other JSON is sent as an object", () => {
  expect(responseTo('{"ref":"$ref","$defs":{}}')).toEqual({ ref: "$ref", $defs: {} });
});
