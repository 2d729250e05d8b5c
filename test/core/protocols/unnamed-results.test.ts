import { expect, test } from "vitest";
import type { JsonObject } from "../../../packages/core/src/json/json.ts";
import { decode } from "./chatstyle-kit.ts";

const call = (id: string, name: string): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: "{}" },
});
const asked = (calls: JsonObject[]): JsonObject => ({ role: "assistant", content: null, tool_calls: calls });
const result = (content: string, id: string): JsonObject => ({ role: "tool", content, tool_call_id: id });

/** For each call of the conversation, the text of its result. */
function answersOf(messages: JsonObject[]): (string | undefined)[] {
  const parts = decode({ model: "m", messages }).messages.flatMap((message) => [...message.parts]);
  const results = parts.filter((part) => part.type === "result");
  return parts.flatMap((part) => {
    if (part.type !== "call") return [];
    const [text] = results.find(({ id }) => id === part.id)?.parts ?? [];
    return [text?.type === "text" ? text.text : undefined];
  });
}

test.each<[string, JsonObject[], (string | undefined)[]]>([
  ["with empty ids", [asked([call("", "f"), call("", "g")]), result("a", ""), result("b", "")], ["a", "b"]],
  [
    "one of which is named",
    [asked([call("x", "f"), call("y", "g")]), result("b", "y"), result("a", "")],
    ["a", "b"],
  ],
  [
    "of two steps",
    [asked([call("", "f")]), result("a", ""), asked([call("", "f")]), result("b", "")],
    ["a", "b"],
  ],
  ["of which there are too few", [asked([call("", "f"), call("", "g")]), result("a", "")], ["a", undefined]],
])("results answer the calls of their step in order: %s", (_, messages, answers) => {
  expect(answersOf([{ role: "user", content: "go" }, ...messages])).toEqual(answers);
});
