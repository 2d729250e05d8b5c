import { codecs, type Protocol, type TextRequest } from "@manifold-gateway/core";
import { askOf, type Capabilities, check, withoutDropped } from "@manifold-gateway/core/capability";
import type { Tool } from "@manifold-gateway/core/ir";
import { describe, expect, test } from "vitest";
import { wires } from "../../support/wires/index.ts";

describe("parameters that are left out", () => {
  test.each(Object.keys(wires) as Protocol[])(
    "what is dropped from %s is gone, and the rest stays",
    (protocol) => {
      const codec = codecs[protocol];
      const request = codec.request.decode(codec.request.schema.parse(wires[protocol].wishes) as never);
      const lax: Capabilities = { text: { supportedParameters: ["maxTokens"] } };
      const issues = check(lax, askOf(request));
      expect(issues.some(({ effect }) => effect === "drop")).toBe(true);
      const left = withoutDropped(request, issues);
      expect(check({ ...lax, strictParams: true }, askOf({ ...left, extra: undefined } as never))).toEqual(
        [],
      );
      expect(left).toMatchObject({
        messages: request.messages,
        params: { maxTokens: request.params.maxTokens },
      });
      expect(left.params.user).toBe(request.params.user);
    },
  );

  test("fields that only the caller's wire has are left out by their own name", () => {
    const codec = codecs.native;
    const wire = { ...wires.native.wishes, structuredOutputs: true };
    const request = codec.request.decode(codec.request.schema.parse(wire) as never);
    const issues = check({ text: { supportedParameters: ["maxTokens"] } }, askOf(request, { codec, wire }));
    expect(request.extra?.fields).toEqual({ structuredOutputs: true });
    expect(withoutDropped(request, issues).extra).toBe(undefined);
  });

  test("members of a parameter are left out by themselves", () => {
    const request: TextRequest = {
      model: "m",
      messages: [],
      stream: false,
      params: {},
      reasoning: { mode: "on", budget: 2000, effort: "low" },
    };
    const left = (member: string) => {
      const text = { unsupported: { [`thinking.${member}`]: "drop" as const } };
      return withoutDropped(request, check({ text }, askOf(request))).reasoning;
    };
    expect(left("budgetTokens")).toEqual({ mode: "on", effort: "low" });
    expect(left("type")).toEqual({ budget: 2000, effort: "low" });
  });

  test("a search and the other tools are left out without each other", () => {
    const search: Tool = { type: "opaque", protocol: "chatstyle", value: { web_search_options: {} } };
    const tools: Tool[] = [
      { type: "function", name: "f", schema: { type: "object" } },
      { type: "opaque", protocol: "chatstyle", value: { type: "custom", custom: {} } },
    ];
    const request: TextRequest = {
      model: "m",
      messages: [],
      stream: false,
      params: {},
      tools: [...tools, search],
    };
    const left = (name: string) => {
      const text = { unsupported: { [name]: "drop" as const } };
      return withoutDropped(request, check({ text }, askOf(request))).tools;
    };
    expect(left("webSearchOptions")).toEqual(tools);
    expect(left("tools")).toEqual([search]);
  });

  test("nothing is left out where nothing is dropped", () => {
    const request = codecs.native.request.decode(
      codecs.native.request.schema.parse(wires.native.wishes) as never,
    );
    expect(withoutDropped(request, check(undefined, askOf(request)))).toEqual(request);
  });
});
