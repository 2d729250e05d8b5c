import type { Protocol } from "@manifold-gateway/core";
import { type Capabilities, check } from "@manifold-gateway/core/capability";
import { describe, expect, test } from "vitest";
import { wires } from "../../support/wires/index.ts";
import { question, tool } from "../../support/wires/wire.ts";
import { asked, places } from "./asked.ts";

describe("the listed parameters of a model", () => {
  const every = Object.keys(wires) as Protocol[];
  const nothing: Capabilities = { strictParams: true, text: { supportedParameters: [] } };

  test.each(every)("each parameter that a model does not list is refused, in the words of %s", (protocol) => {
    const ask = asked(protocol, wires[protocol].wishes);
    const wishes = ask.params.filter(({ free, extra }) => !free && !extra).map(({ path }) => path);
    expect(check(nothing, ask).map(({ path, effect }) => `${effect} ${path}`)).toEqual(
      wishes.map((path) => `refuse ${path}`),
    );
    expect(wishes.length).toBeGreaterThan(5);
  });

  test.each(every)("all parameters of %s are taken where all are listed", (protocol) => {
    const ask = asked(protocol, wires[protocol].wishes);
    const supportedParameters = ask.params
      .filter(({ free, extra }) => !free && !extra)
      .map(({ name }) => name);
    expect(
      check(
        { strictParams: true, text: { supportedParameters } },
        { ...ask, params: ask.params.filter((p) => !p.extra) },
      ),
    ).toEqual([]);
  });

  test.each(["chatstyle", "responses", "msgstyle", "genstyle"] as const)(
    "a misspelt field of %s gets a hint",
    (protocol) => {
      const [issue, ...more] = check(
        { text: { supportedParameters: ["temperature"] } },
        asked(protocol, wires[protocol].wishes),
      ).filter(({ code }) => code === "unknown_field");
      const where = protocol === "genstyle" ? "generationConfig." : "";
      expect(issue).toMatchObject({ effect: "note", hint: `${where}temperature` });
      expect(issue?.path).toBe(`/${where.replace(".", "/")}temprature`);
      expect(more).toEqual([]);
    },
  );

  test("one word for thinking stands for the others", () => {
    const thinks: Capabilities = {
      strictParams: true,
      text: { supportedParameters: ["thinking", "maxTokens"] },
    };
    const wire = { model: "m", messages: [question], reasoning_effort: "high" };
    expect(check(thinks, asked("chatstyle", wire))).toEqual([]);
    expect(check(nothing, asked("chatstyle", wire))).toMatchObject([{ path: "/reasoning_effort" }]);
  });

  test("asking for the default does not count as using the parameter", () => {
    const wire = {
      model: "m",
      messages: [question],
      tools: [tool],
      tool_choice: "auto",
      parallel_tool_calls: true,
      response_format: { type: "text" },
      user: "u",
      store: false,
      service_tier: "auto",
      metadata: { a: "b" },
    };
    const tools: Capabilities = { strictParams: true, text: { supportedParameters: ["tools"] } };
    expect(check(tools, asked("chatstyle", wire))).toEqual([]);
    const quiet = { model: "m", max_tokens: 1, messages: [question], thinking: { type: "disabled" } };
    expect(
      check({ strictParams: true, text: { supportedParameters: ["maxTokens"] } }, asked("msgstyle", quiet)),
    ).toEqual([]);
  });

  test("a parameter in words that only its own wire has counts as one", () => {
    const wire = { model: "m", messages: [question], structuredOutputs: true };
    expect(check(nothing, asked("native", wire))).toMatchObject([
      { name: "structuredOutputs", effect: "refuse" },
    ]);
    expect(check(undefined, asked("native", wire))).toEqual([]);
    const odd = {
      model: "m",
      messages: [question],
      reasoning_effort: "extreme",
      include: [],
      include_reasoning: true,
    };
    expect(places(asked("chatstyle", odd))).toEqual({
      reasoningEffort: "/reasoning_effort",
      includeReasoning: "/include_reasoning",
    });
  });

  test("fields are named only where the caller's wire has them", () => {
    const lists: Capabilities = {
      strictParams: true,
      text: { supportedParameters: ["topP", "minP", "maxTokens"] },
    };
    const [issue] = check(
      lists,
      asked("msgstyle", { model: "m", max_tokens: 1, messages: [question], top_k: 1 }),
    );
    expect(issue?.message).toBe(
      "top_k: the parameter is not supported (got 1); the model 'm' accepts top_p and max_tokens.",
    );
  });

  test("a name of the native interface is a misspelling where the wire has its own", () => {
    const lists: Capabilities = { text: { params: { maxTokens: { type: "int", min: 1, max: 8 } } } };
    const wire = { model: "m", messages: [question], maxTokens: 50 };
    expect(check(lists, asked("chatstyle", wire))).toMatchObject([
      { code: "unknown_field", path: "/maxTokens", hint: "max_completion_tokens" },
    ]);
  });

  test("a search that runs upstream is a parameter of its own", () => {
    const wire = { model: "m", messages: [question], webSearchOptions: {} };
    expect(places(asked("native", wire))).toEqual({ webSearchOptions: "/webSearchOptions" });
  });
});
