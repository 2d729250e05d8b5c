import { isObject, type Json, type JsonObject, parseArguments } from "@manifold-gateway/core/codec";
import { hi, list, more, object, says, schema, turn, type UpstreamWire, under } from "./wire.ts";

const said = (text: string): JsonObject[] => [{ text }];
const user = (text: string): JsonObject => turn("user", said(text));
const messageOf = (body: JsonObject): JsonObject => object(object(body.output).message);
const body = (content: JsonObject[], more: JsonObject): JsonObject => ({
  output: { message: turn("assistant", content) },
  ...more,
  metrics: { latencyMs: 7 },
});
const tools = (...names: string[]): JsonObject => ({
  tools: names.map((name) => ({ toolSpec: { name, inputSchema: { json: schema } } })),
});
const delta = (text: string): JsonObject => ({
  contentBlockDelta: { delta: { text }, contentBlockIndex: 0 },
});
const counted = (report: Json | undefined): JsonObject => ({
  metadata: { ...under("usage", report), metrics: { latencyMs: 7 } },
});

const schemaOf = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const spec = (name: string, more: JsonObject = {}): JsonObject => ({
  toolSpec: { name, inputSchema: { json: schemaOf }, ...more },
});
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEA";
const shown = (part: JsonObject): JsonObject => ({ messages: [turn("user", [part])] });
const file = (format: string, bytes: string): JsonObject => ({ format, source: { bytes } });
const chosen = (toolChoice: JsonObject): JsonObject => ({
  toolConfig: { tools: [spec("weather"), spec("clock")], toolChoice },
});
const used = (id: string, city: string): JsonObject => ({
  toolUse: { toolUseId: id, name: "weather", input: { city } },
});
/** A conversation in which a tool was called with these arguments, and what came of it. */
const looped = (...steps: [input: JsonObject, result: JsonObject][]): JsonObject => ({
  toolConfig: {
    tools: [
      {
        toolSpec: {
          name: "weather",
          inputSchema: { json: { type: "object", properties: schemaOf.properties } },
        },
      },
    ],
  },
  messages: [
    user(hi),
    turn(
      "assistant",
      steps.map(([input], i) => ({ toolUse: { toolUseId: `call_${i}`, name: "weather", input } })),
    ),
    turn(
      "user",
      steps.map(([, result], i) => ({ toolResult: { toolUseId: `call_${i}`, ...result } })),
    ),
  ],
});
const sunny = { content: said("It is sunny.") };
const answered = (...content: JsonObject[]): JsonObject => ({ output: { message: { content } } });
const counts = (more: JsonObject): JsonObject => ({ usage: more });
const hello = turn("assistant", said("Hello, friend."));
const mark = { cachePoint: { type: "default" } };
const numbers = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};

/** How it says the features of the matrix. */
const features: UpstreamWire["features"] = {
  "System text": { said: { system: said("Answer in rhyme.") } },
  "An earlier answer": { said: { messages: [user(hi), hello, user(hi)] } },
  "The beginning of the answer": { said: { messages: [user(hi), hello] } },
  "Earlier thoughts without their state": {
    said: {
      messages: [
        user(hi),
        turn("assistant", [
          { reasoningContent: { reasoningText: { text: "They greet." } } },
          { text: "Hello." },
        ]),
        user(hi),
      ],
    },
  },
  "Image, by its bytes": { said: shown({ image: file("png", png) }) },
  "PDF, by its bytes": {
    said: shown({ document: { ...file("pdf", "JVBERi0xLjcKJeLjz9MK"), name: "a pdf" } }),
    near: shown({ document: file("pdf", "JVBERi0xLjcKJeLjz9MK") }),
  },
  "Text document, by its bytes": {
    said: shown({ document: { ...file("txt", btoa("Once upon a time.")), name: "a txt" } }),
    near: shown({ document: file("txt", btoa("Once upon a time.")) }),
  },
  "Audio, by its bytes": { said: shown({ audio: file("wav", wav) }) },
  "Video, by its bytes": { said: shown({ video: file("mp4", "AAAAGGZ0eXBtcDQyAAAAAG1wNDJpc29t") }) },
  "Citations of a document, requested": {
    said: shown({ document: { ...file("pdf", "JVBERi0xLjc="), name: "a", citations: { enabled: true } } }),
  },
  "A function": { said: { toolConfig: { tools: [spec("weather", { description: "Tells it." })] } } },
  "A function with a strict schema": {
    said: {
      toolConfig: {
        tools: [
          spec("weather", {
            strict: true,
            inputSchema: { json: { ...schemaOf, additionalProperties: false } },
          }),
        ],
      },
    },
  },
  "A tool with free-text input": {
    alike: {
      toolConfig: {
        tools: [
          {
            toolSpec: {
              name: "patch",
              inputSchema: {
                json: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
              },
            },
          },
        ],
      },
    },
  },
  "A call is required": { said: chosen({ any: {} }) },
  "One function is required": { said: chosen({ tool: { name: "clock" } }) },
  "A call and its result": { said: looped([{ city: "Bern" }, sunny]) },
  "Parallel calls": { said: looped([{ city: "Bern" }, sunny], [{ city: "Rome" }, sunny]) },
  "Long integers in arguments": {
    said: looped([parseArguments('{"n":9007199254740993}') as JsonObject, sunny]),
  },
  "A result that says that the tool failed": {
    said: looped([{ city: "Bern" }, { content: said("No such city."), status: "error" }]),
  },
  "An image in a result": { said: looped([{ city: "Bern" }, { content: [{ image: file("png", png) }] }]) },
  "An answer with a given schema": {
    said: {
      outputConfig: {
        textFormat: {
          type: "json_schema",
          structure: { jsonSchema: { schema: JSON.stringify(numbers) } },
        },
      },
    },
  },
  "An answer that is JSON": {
    near: { system: said("Answer with one valid JSON object, and nothing before or after it.") },
  },
  "Cache marks": { said: { messages: [turn("user", [{ text: "A long story." }, mark])] } },
  "Cache mark on system text": { said: { system: [{ text: "A long story." }, mark] } },
  "Cache mark on a tool": {
    said: {
      toolConfig: {
        tools: [
          { toolSpec: { name: "weather", inputSchema: { json: { type: "object" } } } },
          { cachePoint: { type: "default", ttl: "1h" } },
        ],
      },
    },
  },
  "Service tier": { said: { serviceTier: { type: "priority" } } },
  "Service tier: the usual one only": { said: { serviceTier: { type: "default" } } },
  Labels: { said: { requestMetadata: { team: "blue" } } },
  "An unknown field": { said: { xField: 1 } },
  Text: { said: answered({ text: "Bern is the capital." }) },
  "A call": { said: { ...answered(used("call_1", "Bern")), stopReason: "tool_use" } },
  "Several calls at once": {
    said: { ...answered(used("call_1", "Bern"), used("call_2", "Rome")), stopReason: "tool_use" },
  },
  Thoughts: {
    said: answered(
      { reasoningContent: { reasoningText: { text: "They ask about Switzerland." } } },
      { text: "Bern is the capital." },
    ),
  },
  "A refusal as text": {
    alike: { ...answered({ text: "I cannot help with that." }), stopReason: "content_filtered" },
  },
  Citations: {
    said: answered({
      citationsContent: {
        content: said("Bern is the capital."),
        citations: [{ title: "Bern", location: { web: { url: "https://example.com/bern" } } }],
      },
    }),
  },
  "An image": { said: answered({ image: file("png", png) }) },
  Audio: { said: answered({ audio: file("wav", wav) }) },
  "Stopped at the token limit": { said: { stopReason: "max_tokens" } },
  "Stopped by a filter": { said: { stopReason: "content_filtered" } },
  "The matched stop sequence": {
    said: { stopReason: "stop_sequence", additionalModelResponseFields: { stop_sequence: "END" } },
  },
  "Input and output tokens": { said: counts({ inputTokens: 70, outputTokens: 30, totalTokens: 100 }) },
  "Tokens read from the cache": {
    said: counts({ inputTokens: 20, cacheReadInputTokens: 50, totalTokens: 73 }),
  },
  "Tokens written to the cache": {
    said: counts({ inputTokens: 20, cacheWriteInputTokens: 50, totalTokens: 73 }),
  },
  "The state of the model's thinking": {
    said: {
      ...answered(
        {
          reasoningContent: { reasoningText: { text: "I need the weather.", signature: "RXJBQ0NvdW50ZXI=" } },
        },
        { toolUse: { toolUseId: "call_1", name: "weather", input: {} } },
      ),
      stopReason: "tool_use",
    },
  },
  "The text of the answer": { said: answered({ text: "I need the weather." }) },
  "The call that the result answers": {
    said: {
      ...answered({ toolUse: { toolUseId: "call_1", name: "weather", input: {} } }),
      stopReason: "tool_use",
    },
  },
};

export const conversestyle: UpstreamWire = {
  features,
  request: { messages: [user(hi)], inferenceConfig: { maxTokens: 2000 } },
  reply: body([], { stopReason: "end_turn", usage: { inputTokens: 4, outputTokens: 3, totalTokens: 7 } }),
  echo: {
    said: (body) => ({ messages: [messageOf(body)] }),
    next(body) {
      const message = messageOf(body);
      const results = list(message.content).flatMap(({ toolUse }): JsonObject[] =>
        isObject(toolUse)
          ? [{ toolResult: { toolUseId: toolUse.toolUseId as Json, content: said("Sunny.") } }]
          : [],
      );
      const turns = [user(hi), message, turn("user", [...results, { text: more }])];
      return { ...conversestyle.request, toolConfig: tools("weather"), messages: turns };
    },
  },
  objectArguments: true,
  wishes: {
    messages: [user("Hi")],
    inferenceConfig: { maxTokens: 10, temperature: 0, stopSequences: ["x"], temprature: 1 },
    toolConfig: { ...tools("look"), toolChoice: { any: {} } },
    outputConfig: {
      textFormat: { type: "json_schema", structure: { jsonSchema: { schema: JSON.stringify(schema) } } },
    },
    additionalModelRequestFields: { thinking: { type: "enabled", budget_tokens: 2000 } },
  },
  report: {
    full: {
      inputTokens: 26,
      outputTokens: 20,
      totalTokens: 60,
      cacheReadInputTokens: 10,
      cacheWriteInputTokens: 4,
      cacheDetails: [
        { ttl: "1h", inputTokens: 1 },
        { ttl: "5m", inputTokens: 3 },
      ],
    },
    body: (report) => body(said(says), { stopReason: "end_turn", ...under("usage", report) }),
    chunks: (early, late): JsonObject[] => [
      { messageStart: { role: "assistant" } },
      delta(says),
      ...(early === undefined ? [] : [counted(early)]),
      { contentBlockStop: { contentBlockIndex: 0 } },
      { messageStop: { stopReason: "end_turn" } },
      counted(late),
    ],
  },
  cut: (message) => ({
    content: [{ messageStart: { role: "assistant" } }, delta("Hi")],
    failure: { unrecognizedClientException: { message } },
  }),
  bill: ({ input, output }) => ({
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output,
  }),
  ended: (end, calls) =>
    body(calls ? [{ toolUse: { toolUseId: "c1", name: "look", input: {} } }] : said("Said."), {
      ...(end !== undefined && { stopReason: end }),
      usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
    }),
  empty: { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } },
  named: (name) => [
    { messageStart: { role: "assistant" } },
    delta(name),
    { contentBlockStop: { contentBlockIndex: 0 } },
    { messageStop: { stopReason: "end_turn" } },
    counted({ inputTokens: 3, outputTokens: 4, totalTokens: 7 }),
  ],
  error: (message, own) => ({ __type: "ValidationException", message, ...own }),
};
