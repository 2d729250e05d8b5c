import type { Content, GenerateContentConfig } from "@google/genai";
import { FunctionCallingConfigMode } from "@google/genai";
import { expect, test } from "vitest";
import { collect, PNG, stage, WEATHER } from "./setup.ts";

const set = stage();
const model = "sim-text";
const tools: GenerateContentConfig["tools"] = [
  { functionDeclarations: [{ name: "get_weather", parametersJsonSchema: WEATHER }] },
  { functionDeclarations: [{ name: "get_time" }] },
];
const user = (text: string): Content => ({ role: "user", parts: [{ text }] });

test("genstyle answers text and images, and a stream adds up to the same text and usage", async () => {
  const contents = [
    { role: "user", parts: [{ text: "čau 🌍" }, { inlineData: { mimeType: "image/png", data: PNG } }] },
  ];
  const unary = await set.google.models.generateContent({ model, contents });
  expect(unary.text).toBe("You said: čau 🌍 I see 1 image (image/png, 70 bytes).");
  const chunks = await collect(await set.google.models.generateContentStream({ model, contents }));
  expect(chunks.map((chunk) => chunk.text ?? "").join("")).toBe(unary.text);
  expect(chunks.at(-1)?.usageMetadata).toEqual(unary.usageMetadata);
  expect(chunks.map((chunk) => chunk.candidates?.[0]?.finishReason).filter(Boolean)).toEqual(["STOP"]);
});

test("a call comes whole in one chunk, sealed, and the end in a later one", async () => {
  const chunks = await collect(
    await set.google.models.generateContentStream({
      model,
      contents: "get_weather city: Pisa",
      config: { tools },
    }),
  );
  const at = chunks.findIndex((chunk) => chunk.functionCalls);
  expect(chunks[at]?.functionCalls).toEqual([{ name: "get_weather", args: { city: "Pisa" } }]);
  expect(chunks[at]?.candidates?.[0]).toMatchObject({
    content: { parts: [{ thoughtSignature: expect.any(String) }] },
  });
  expect(chunks[at]?.candidates?.[0]?.finishReason).toBeUndefined();
  expect(chunks.slice(at + 1).at(-1)?.candidates?.[0]?.finishReason).toBe("STOP");
});

test("the first of parallel calls alone is sealed, and its seal must come back", async () => {
  const question = user("get_weather and get_time");
  const first = await set.google.models.generateContent({ model, contents: [question], config: { tools } });
  const said = first.candidates![0]!.content!;
  expect(said.parts?.map((part) => part.thoughtSignature !== undefined)).toEqual([true, false]);
  const results: Content = {
    role: "user",
    parts: [
      { functionResponse: { name: "get_weather", response: { output: "mild" } } },
      { functionResponse: { name: "get_time", response: { hour: 12 } } },
    ],
  };
  const replay = (parts: Content["parts"]) =>
    set.google.models.generateContent({
      model,
      contents: [question, { role: "model", parts }, results],
      config: { tools },
    });
  expect((await replay(said.parts)).text).toBe('get_weather returned: mild\nget_time returned: {"hour":12}');
  const with_ = (thoughtSignature?: string) =>
    said.parts?.map((part, index) => ({
      functionCall: part.functionCall,
      ...(index === 0 && thoughtSignature ? { thoughtSignature } : {}),
    }));
  await expect(replay(with_())).rejects.toThrow(/missing a thought_signature/);
  await expect(replay(with_("Zm9yZWlnbg=="))).rejects.toThrow(/Thought signature is not valid/);
  expect((await replay(with_("skip_thought_signature_validator"))).text).toContain("mild");
});

test("thoughts are shown on request and counted apart", async () => {
  const ask = (thinkingConfig: GenerateContentConfig["thinkingConfig"]) =>
    set.google.models.generateContent({ model, contents: "think", config: { thinkingConfig } });
  const shown = await ask({ includeThoughts: true, thinkingBudget: 512 });
  expect(shown.candidates?.[0]?.content?.parts?.[0]).toMatchObject({ thought: true });
  expect(shown.text).toBe("You said: think");
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, totalTokenCount } =
    shown.usageMetadata!;
  expect(thoughtsTokenCount).toBeGreaterThan(0);
  expect(totalTokenCount).toBe(promptTokenCount! + candidatesTokenCount! + thoughtsTokenCount!);
  expect((await ask({ thinkingBudget: 0 })).usageMetadata?.thoughtsTokenCount).toBeUndefined();
});

test("structured output, forced calls, candidates and the output limit are obeyed", async () => {
  const ask = (contents: string, config: GenerateContentConfig) =>
    set.google.models.generateContent({ model, contents, config });
  const responseSchema = {
    type: "OBJECT",
    properties: { n: { type: "INTEGER", minimum: 3 } },
    required: ["n"],
  };
  const json = await ask("x", {
    responseMimeType: "application/json",
    responseSchema: responseSchema as never,
  });
  expect(JSON.parse(json.text!)).toEqual({ n: 3 });
  const functionCallingConfig = { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ["get_time"] };
  expect((await ask("x", { tools, toolConfig: { functionCallingConfig } })).functionCalls).toEqual([
    { name: "get_time", args: {} },
  ]);
  expect((await ask("x", { candidateCount: 2 })).candidates?.map((one) => one.index)).toEqual([0, 1]);
  expect((await ask("long enough", { maxOutputTokens: 1 })).candidates?.[0]?.finishReason).toBe("MAX_TOKENS");
  expect((await ask("[[refuse]]", {})).candidates?.[0]).toMatchObject({ finishReason: "SAFETY" });
});

test("names may be spelled in snake case, and a stream without SSE is one array", async () => {
  const body = {
    contents: [{ parts: [{ inline_data: { mime_type: "image/png", data: PNG } }, { text: "a" }] }],
    system_instruction: { parts: [{ text: "s" }] },
    generation_config: { max_output_tokens: 100, response_mime_type: "text/plain" },
    tools: [
      {
        function_declarations: [
          { name: "f", parameters: { type: "object", properties: { snake_case: { type: "string" } } } },
        ],
      },
    ],
  };
  const array = await (await set.post("/v1beta/models/sim-text:streamGenerateContent", body)).json();
  const text = array
    .map(
      (chunk: { candidates: { content: { parts: { text: string }[] } }[] }) =>
        chunk.candidates[0]?.content.parts[0]?.text,
    )
    .join("");
  expect(text).toBe("You said: a I see 1 image (image/png, 70 bytes).");
});

test("tokens are counted and contents embedded, alone and in a batch", async () => {
  expect((await set.google.models.countTokens({ model, contents: "12345678" })).totalTokens).toBe(2);
  const embedded = await set.google.models.embedContent({ model: "sim-embed", contents: ["a", "b"] });
  expect(embedded.embeddings).toHaveLength(2);
  const alone = await set.post("/v1beta/models/sim-embed:embedContent", {
    content: { parts: [{ text: "b" }] },
  });
  expect((await alone.json()).embedding.values).toEqual(embedded.embeddings?.[1]?.values);
});
