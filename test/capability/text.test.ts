import {
  type Ask,
  askOf,
  type Capabilities,
  check,
  codecs,
  type JsonObject,
  type Protocol,
  type TextRequest,
  type Tool,
  traceOrigins,
  withoutDropped,
} from "@manifold/core";
import { describe, expect, test } from "vitest";

/** What a body of a protocol wants. */
function asked(protocol: Protocol, wire: JsonObject): Ask {
  const codec = codecs[protocol];
  const origins = traceOrigins(codec.params);
  const parsed = codec.request.schema.parse(wire) as never;
  return askOf({ ...codec.request.decode(parsed, origins.trace), model: "m" }, { codec, wire, origins });
}
const places = (ask: Ask): Record<string, string> =>
  Object.fromEntries(ask.params.filter(({ extra }) => !extra).map(({ name, path }) => [name, path]));

const question = { role: "user", content: "Hi" };
const schema = { type: "object", properties: {} };
const tool = { type: "function", function: { name: "look", parameters: schema } };

/** The same wishes on every wire. */
const wires: Record<Protocol, JsonObject> = {
  chatstyle: {
    model: "m",
    messages: [question],
    max_tokens: 10,
    temperature: 0,
    stop: "x",
    tools: [tool],
    tool_choice: "required",
    parallel_tool_calls: false,
    response_format: { type: "json_schema", json_schema: { name: "a", schema } },
    reasoning_effort: "high",
    n: 2,
    user: "u",
    temprature: 1,
  },
  responses: {
    model: "m",
    input: "Hi",
    max_output_tokens: 100,
    temperature: 0,
    tools: [{ type: "function", name: "look", parameters: schema }],
    tool_choice: "required",
    parallel_tool_calls: false,
    text: { format: { type: "json_schema", name: "a", schema }, verbosity: "low" },
    reasoning: { effort: "high", summary: "auto" },
    temprature: 1,
  },
  msgstyle: {
    model: "m",
    messages: [question],
    max_tokens: 10,
    temperature: 0,
    stop_sequences: ["x"],
    tools: [{ name: "look", input_schema: schema }],
    tool_choice: { type: "any", disable_parallel_tool_use: true },
    output_config: { format: { type: "json_schema", schema }, effort: "high" },
    thinking: { type: "enabled", budget_tokens: 2000 },
    metadata: { user_id: "u" },
    temprature: 1,
  },
  genstyle: {
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    tools: [{ functionDeclarations: [{ name: "look" }] }],
    toolConfig: { functionCallingConfig: { mode: "ANY" } },
    generationConfig: {
      maxOutputTokens: 10,
      temperature: 0,
      stopSequences: ["x"],
      candidateCount: 2,
      responseMimeType: "application/json",
      responseJsonSchema: schema,
      thinkingConfig: { thinkingBudget: 2000, includeThoughts: true },
      temprature: 1,
    },
  },
  native: {
    model: "m",
    messages: [question],
    maxTokens: 10,
    temperature: 0,
    stop: ["x"],
    tools: [tool],
    toolChoice: "required",
    parallelToolCalls: false,
    responseFormat: { type: "json_schema", jsonSchema: { schema } },
    reasoningEffort: "high",
    thinking: { type: "enabled", budgetTokens: 2000 },
  },
};

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
  ])("on %s", (protocol, expected) => {
    expect(places(asked(protocol, wires[protocol]))).toEqual(expected);
  });

  test("snake spellings of a wire that takes both", () => {
    const wire = { contents: wires.genstyle.contents as JsonObject[], generation_config: { top_p: 0.5 } };
    expect(places(asked("genstyle", wire))).toEqual({ topP: "/generation_config/top_p" });
  });
});

describe("what a model lists", () => {
  const every = Object.keys(wires) as Protocol[];
  const nothing: Capabilities = { strictParams: true, text: { supportedParameters: [] } };

  test.each(every)("refuses each wish that it does not list, in the words of %s", (protocol) => {
    const ask = asked(protocol, wires[protocol]);
    const wishes = ask.params.filter(({ free, extra }) => !free && !extra).map(({ path }) => path);
    expect(check(nothing, ask).map(({ path, effect }) => `${effect} ${path}`)).toEqual(
      wishes.map((path) => `refuse ${path}`),
    );
    expect(wishes.length).toBeGreaterThan(5);
  });

  test.each(every)("takes all of %s where all of it is listed", (protocol) => {
    const ask = asked(protocol, wires[protocol]);
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
    "hints at a misspelt field of %s",
    (protocol) => {
      const [issue, ...more] = check(
        { text: { supportedParameters: ["temperature"] } },
        asked(protocol, wires[protocol]),
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

  test("to ask for what is so anyway is to ask for nothing", () => {
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

  test("a wish in words that only its own wire has is a wish all the same", () => {
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
      "top_k: the parameter is not supported (1 was asked); the model 'm' takes top_p and max_tokens.",
    );
  });

  test("a name of the native interface is a misspelling where the wire has its own", () => {
    const lists: Capabilities = { text: { params: { maxTokens: { type: "int", min: 1, max: 8 } } } };
    const wire = { model: "m", messages: [question], maxTokens: 50 };
    expect(check(lists, asked("chatstyle", wire))).toMatchObject([
      { code: "unknown_field", path: "/maxTokens", hint: "max_completion_tokens" },
    ]);
  });

  test("a search that runs upstream is its own wish", () => {
    const wire = { model: "m", messages: [question], webSearchOptions: {} };
    expect(places(asked("native", wire))).toEqual({ webSearchOptions: "/webSearchOptions" });
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
  expect(check(capabilities, asked("genstyle", wires.genstyle)).map(({ message }) => message)).toEqual([
    "generationConfig.maxOutputTokens: 10 is not allowed; the model 'm' takes whole numbers from 1 to 8.",
    "generationConfig.thinkingConfig.thinkingBudget: 2000 is not allowed; the model 'm' takes whole numbers from 1024 to 1999.",
    "generationConfig.temprature: there is no such field (1 was asked); the model 'm' takes generationConfig.temperature. Did you mean 'generationConfig.temperature'?",
  ]);
});

describe("media", () => {
  const capabilities: Capabilities = {
    text: { inputs: { image: { max: 1, mediaTypes: ["image/png"], maxBytes: 3 } } },
  };
  const url = (data: string, type = "image/png") => ({
    type: "image_url",
    image_url: { url: `data:${type};base64,${data}` },
  });
  const told = (content: JsonObject[]): string[] =>
    check(capabilities, asked("chatstyle", { model: "m", messages: [{ role: "user", content }] })).map(
      ({ code, path }) => `${code} ${path}`,
    );

  test.each<[string, JsonObject[], string[]]>([
    ["taken", [{ type: "text", text: "a" }, url("QUJD")], []],
    ["too large", [url("QUJDRA==")], ["input_too_large /messages/0/content/0"]],
    ["of another type", [url("QUJD", "image/gif")], ["unsupported_media_type /messages/0/content/0"]],
    ["too many", [url("QUJD"), url("QUI=")], ["too_many_inputs /messages/0/content/1"]],
    [
      "of another kind",
      [{ type: "input_audio", input_audio: { data: "QUJD", format: "wav" } }],
      ["unsupported_input /messages/0/content/0"],
    ],
  ])("%s", (_, content, expected) => {
    expect(told(content)).toEqual(expected);
  });
});

describe("leaving out", () => {
  test.each(Object.keys(wires) as Protocol[])(
    "what is dropped from %s is gone, and the rest stays",
    (protocol) => {
      const codec = codecs[protocol];
      const request = codec.request.decode(codec.request.schema.parse(wires[protocol]) as never);
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
    const wire = { ...wires.native, structuredOutputs: true };
    const request = codec.request.decode(codec.request.schema.parse(wire) as never);
    const issues = check({ text: { supportedParameters: ["maxTokens"] } }, askOf(request, { codec, wire }));
    expect(request.extra?.fields).toEqual({ structuredOutputs: true });
    expect(withoutDropped(request, issues).extra).toBe(undefined);
  });

  test("members of a wish are left out by themselves", () => {
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
    const request = codecs.native.request.decode(codecs.native.request.schema.parse(wires.native) as never);
    expect(withoutDropped(request, check(undefined, askOf(request)))).toEqual(request);
  });
});
