import type { Protocol } from "@manifold-gateway/core";
import { type Capabilities, check } from "@manifold-gateway/core/capability";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { describe, expect, test } from "vitest";
import { wires } from "../../support/wires/index.ts";
import { asked, places } from "./asked.ts";

describe("the caller's own names", () => {
  test.each<[Protocol, Record<string, string>]>([
    [
      "chatstyle",
      {
        maxTokens: "/max_tokens",
        temperature: "/temperature",
        stop: "/stop",
        candidates: "/n",
        user: "/user",
        tools: "/tools",
        toolChoice: "/tool_choice",
        parallelToolCalls: "/parallel_tool_calls",
        responseFormat: "/response_format",
        reasoningEffort: "/reasoning_effort",
      },
    ],
    [
      "responses",
      {
        maxTokens: "/max_output_tokens",
        temperature: "/temperature",
        verbosity: "/text/verbosity",
        tools: "/tools",
        toolChoice: "/tool_choice",
        parallelToolCalls: "/parallel_tool_calls",
        responseFormat: "/text/format",
        reasoningEffort: "/reasoning/effort",
        includeReasoning: "/reasoning/summary",
      },
    ],
    [
      "msgstyle",
      {
        maxTokens: "/max_tokens",
        temperature: "/temperature",
        stop: "/stop_sequences",
        user: "/metadata/user_id",
        tools: "/tools",
        toolChoice: "/tool_choice",
        parallelToolCalls: "/tool_choice/disable_parallel_tool_use",
        responseFormat: "/output_config/format",
        reasoningEffort: "/output_config/effort",
        thinking: "/thinking",
        includeReasoning: "/thinking",
      },
    ],
    [
      "genstyle",
      {
        maxTokens: "/generationConfig/maxOutputTokens",
        temperature: "/generationConfig/temperature",
        stop: "/generationConfig/stopSequences",
        candidates: "/generationConfig/candidateCount",
        tools: "/tools",
        toolChoice: "/toolConfig",
        responseFormat: "/generationConfig/responseJsonSchema",
        thinking: "/generationConfig/thinkingConfig/thinkingBudget",
        includeReasoning: "/generationConfig/thinkingConfig/includeThoughts",
      },
    ],
    [
      "native",
      {
        maxTokens: "/maxTokens",
        temperature: "/temperature",
        stop: "/stop",
        tools: "/tools",
        toolChoice: "/toolChoice",
        parallelToolCalls: "/parallelToolCalls",
        responseFormat: "/responseFormat",
        reasoningEffort: "/reasoningEffort",
        thinking: "/thinking",
      },
    ],
  ])("findings on %s have the caller's own names", (protocol, expected) => {
    expect(places(asked(protocol, wires[protocol].wishes))).toEqual(expected);
  });

  test("findings on a wire that takes both have snake spellings where the caller used them", () => {
    const wire = {
      contents: wires.genstyle.wishes.contents as JsonObject[],
      generation_config: { top_p: 0.5 },
    };
    expect(places(asked("genstyle", wire))).toEqual({ topP: "/generation_config/top_p" });
  });
});

test("bounds name the caller's field", () => {
  const capabilities: Capabilities = {
    text: {
      params: {
        maxTokens: { type: "int", min: 1, max: 8 },
        temperature: { type: "range", min: 0, max: 1 },
        "thinking.budgetTokens": { type: "int", min: 1024, max: 1999 },
      },
    },
  };
  expect(check(capabilities, asked("genstyle", wires.genstyle.wishes)).map(({ message }) => message)).toEqual(
    [
      "generationConfig.maxOutputTokens: 10 is not allowed; the model 'm' accepts whole numbers from 1 to 8.",
      "generationConfig.thinkingConfig.thinkingBudget: 2000 is not allowed; the model 'm' accepts whole numbers from 1024 to 1999.",
      "generationConfig.temprature: there is no such field (got 1); the model 'm' accepts generationConfig.temperature. Did you mean 'generationConfig.temperature'?",
    ],
  );
});
