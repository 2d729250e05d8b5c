import { isObject, type Json, type JsonObject } from "@manifold-gateway/core/codec";
import { hi, list, model, more, object, says, schema, type UpstreamWire, under } from "./wire.ts";

const piece = (text: string, finish: JsonObject, report?: Json): JsonObject => ({
  responseId: "gen-1",
  modelVersion: "up",
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...finish }],
  ...under("usageMetadata", report),
});

export const genstyle: UpstreamWire = {
  ask: (model, stream) => [
    `/api/genstyle/v1beta/models/${encodeURIComponent(model)}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    { contents: "Hello" },
  ],
  request: {
    contents: [{ role: "user", parts: [{ text: hi }] }],
    generationConfig: { maxOutputTokens: 2000 },
  },
  reply: {
    responseId: "r-1",
    modelVersion: model,
    candidates: [{ index: 0, content: { role: "model", parts: [{ text: "Hi." }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 3, totalTokenCount: 7 },
  },
  echo: {
    said: (body) => ({ contents: [object(list(body.candidates)[0]?.content)] }),
    next(body) {
      const content = object(list(body.candidates)[0]?.content);
      const results = list(content.parts).flatMap(({ functionCall }): JsonObject[] => {
        if (!isObject(functionCall)) return [];
        const { id, name } = functionCall;
        const which = { ...(id !== undefined && { id }), name: name as Json };
        return [{ functionResponse: { ...which, response: { output: "Sunny." } } }];
      });
      const [first] = list(genstyle.request.contents);
      return {
        ...genstyle.request,
        tools: [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: schema }] }],
        contents: [first as JsonObject, content, { role: "user", parts: [...results, { text: more }] }],
      };
    },
  },
  objectArguments: true,
  wishes: {
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
  report: {
    full: {
      promptTokenCount: 40,
      candidatesTokenCount: 20,
      totalTokenCount: 65,
      thoughtsTokenCount: 5,
      toolUsePromptTokenCount: 6,
      cachedContentTokenCount: 10,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 37 },
        { modality: "AUDIO", tokenCount: 3 },
      ],
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 2 }],
    },
    body: (report) => piece(says, { finishReason: "STOP" }, report),
    chunks: (early, late) => [piece(says, {}, early), piece("", { finishReason: "STOP" }, late)],
  },
  cut: (message) => ({
    content: [{ candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }] }],
    failure: { error: { code: 401, message, status: "UNAUTHENTICATED" } },
  }),
  bill: ({ input, output }) => ({ promptTokenCount: input, candidatesTokenCount: output }),
  ended: (end, calls) => ({
    candidates: [
      {
        content: {
          role: "model",
          parts: [calls ? { functionCall: { name: "look", args: {} } } : { text: "Said." }],
        },
        ...(end !== undefined && { finishReason: end }),
      },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
  }),
  empty: {
    candidates: [{ content: { parts: [] } }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 },
  },
  named(name) {
    const content = { parts: [{ text: `It is called ${name}.` }] };
    return [
      { candidates: [{ content }], modelVersion: name },
      { modelVersion: name, candidates: [{ content, finishReason: "STOP" }] },
    ];
  },
  error: (message, own) => ({ error: { message, status: "INVALID_ARGUMENT", ...own, code: 400 } }),
};
