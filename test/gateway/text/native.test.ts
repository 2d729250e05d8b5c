import { afterAll, beforeAll, expect, it } from "vitest";
import { type Stage, startStage } from "../../support/stage.ts";
import { modelOf, PROTOCOLS } from "../../support/text.ts";
import { CALL, WEATHER } from "../../system/sdk/shared.ts";

let h: Stage;
beforeAll(async () => {
  h = await startStage();
});
afterAll(() => h.close());

it.each(PROTOCOLS)("the native stream returns the calls of a model of %s", async (protocol) => {
  const response = await h.call("/api/v1/text/completions", {
    model: modelOf(protocol),
    messages: [{ role: "user", content: CALL }],
    tools: [{ type: "function", function: WEATHER }],
  });
  const text = await response.text();
  const chunks = text
    .split("\n\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)));
  const calls = chunks.flatMap(({ toolCalls = [] }) => toolCalls);
  expect(calls).toEqual([{ id: expect.any(String), name: "get_weather", arguments: expect.any(String) }]);
  expect(JSON.parse(calls[0].arguments)).toEqual({ city: "Paris", unit: "c" });
  expect(chunks.at(-1)).toMatchObject({ delta: "", finishReason: "tool_calls" });
  expect(response.headers.get("x-losses") ?? "").not.toContain("reply");
  expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
});
