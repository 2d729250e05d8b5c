import {
  ApiError,
  type Content,
  type GenerateContentParameters,
  type GenerateContentResponse,
} from "@google/genai";
import { describe, expect, it } from "vitest";
import {
  ANSWER_SCHEMA,
  CALL,
  expectChargeOfAborted,
  MODELS,
  PNG,
  SLOW,
  TWO_CALLS,
  WEATHER,
} from "./shared.ts";
import { stage } from "./stage.ts";

const set = stage({ listens: false });

const tools = [
  {
    functionDeclarations: [
      { name: WEATHER.name, description: WEATHER.description, parametersJsonSchema: WEATHER.parameters },
    ],
  },
];
const user = (text: string): Content => ({ role: "user", parts: [{ text }] });

interface Turn {
  text: string;
  content: Content;
  calls: NonNullable<GenerateContentResponse["functionCalls"]>;
  finish: string | undefined;
  usage: GenerateContentResponse["usageMetadata"];
}

/** One turn; a streamed one is put together as the SDK's chats do it, one content a chunk. */
async function turn(stream: boolean, params: GenerateContentParameters): Promise<Turn> {
  const chunks = stream
    ? await Array.fromAsync(await set.genstyle.models.generateContentStream(params))
    : [await set.genstyle.models.generateContent(params)];
  // As the SDK's own chats keep a history: empty text that carries nothing is left out.
  const parts = chunks
    .flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
    .filter((part) => part.text !== "" || part.thoughtSignature);
  return {
    text: parts.map((part) => (part.thought ? "" : (part.text ?? ""))).join(""),
    content: { role: "model", parts },
    calls: parts.flatMap((part) => (part.functionCall ? [part.functionCall] : [])),
    finish: chunks
      .map((chunk) => chunk.candidates?.[0]?.finishReason)
      .findLast((reason) => reason !== undefined),
    usage: chunks.findLast((chunk) => chunk.usageMetadata)?.usageMetadata,
  };
}

describe.each(MODELS)("generate content on $protocol", ({ model }) => {
  describe.each([false, true])("generation, streamed: %s", (stream) => {
    it("the generate-content SDK gets plain text, with system text and usage", async () => {
      const reply = await turn(stream, {
        model,
        contents: "Hello, wörld 🌍 [[system]]",
        config: { systemInstruction: "Be brief." },
      });
      expect(reply.text).toContain("You said: Hello, wörld 🌍");
      expect(reply.text).toContain("Be brief.");
      expect(reply.finish).toBe("STOP");
      const truth = set.h.simulator.ledger.last();
      expect(reply.usage?.promptTokenCount).toBe(truth?.usage.input);
      expect((reply.usage?.candidatesTokenCount ?? 0) + (reply.usage?.thoughtsTokenCount ?? 0)).toBe(
        truth?.usage.output,
      );
    });

    it("the generate-content SDK calls tools, with the second turn", async () => {
      const first = await turn(stream, { model, contents: [user(`Weather ${CALL}`)], config: { tools } });
      expect(first.calls).toMatchObject([{ name: "get_weather", args: { city: "Paris", unit: "c" } }]);
      const response = {
        name: "get_weather",
        response: { output: "21 degrees" },
        ...(first.calls[0]?.id && { id: first.calls[0].id }),
      };
      const second = await turn(stream, {
        model,
        contents: [
          user(`Weather ${CALL}`),
          first.content,
          { role: "user", parts: [{ functionResponse: response }] },
        ],
        config: { tools },
      });
      expect(second.text).toContain("get_weather returned: 21 degrees");
    });

    it("parallel tools work with reasoning, and a second turn that returns the upstream's own state", async () => {
      const ask = {
        model,
        config: { tools, thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } },
      };
      const contents = [user(`Both ${TWO_CALLS} [[reason]]`)];
      const first = await turn(stream, { ...ask, contents });
      expect(first.calls.map((call) => call.args?.city)).toEqual(["Paris", "Oslo"]);
      const parts = first.calls.map((call) => ({
        functionResponse: {
          name: call.name ?? "",
          response: { output: `sunny in ${call.args?.city}` },
          ...(call.id && { id: call.id }),
        },
      }));
      const second = await turn(stream, {
        ...ask,
        contents: [...contents, first.content, { role: "user", parts }],
      });
      expect(second.text).toContain("sunny in Paris");
      expect(second.text).toContain("sunny in Oslo");
    });

    it("the generate-content SDK sends an image", async () => {
      const contents: Content[] = [
        {
          role: "user",
          parts: [{ text: "What is this?" }, { inlineData: { mimeType: "image/png", data: PNG } }],
        },
      ];
      expect((await turn(stream, { model, contents })).text).toMatch(/I see 1 image \(image\/png/);
    });

    it("the generate-content SDK gets structured output", async () => {
      const reply = await turn(stream, {
        model,
        contents: "Who?",
        config: { responseMimeType: "application/json", responseJsonSchema: ANSWER_SCHEMA },
      });
      expect(JSON.parse(reply.text)).toEqual({ name: expect.any(String), age: expect.any(Number) });
    });
  });

  it.each([400, 401, 404, 429, 500])(
    "an upstream %i is the SDK's own error with its status",
    async (status) => {
      const call = set.genstyle.models.generateContent({ model, contents: `[[fault:status=${status}]]` });
      const error = await call.catch((e: unknown) => e);
      expect(error).toBeInstanceOf(ApiError);
      expect((error as ApiError).status).toBe(status);
    },
  );

  it("a client that aborts midway is billed for what upstream generated", async () => {
    const before = (await set.h.balance()).balance;
    const leaving = new AbortController();
    const stream = await set.genstyle.models.generateContentStream({
      model,
      contents: SLOW,
      config: { abortSignal: leaving.signal },
    });
    await stream.next();
    leaving.abort();
    await expect(Array.fromAsync(stream)).rejects.toThrow();
    await expectChargeOfAborted(set.h, before);
  });

  it("the generate-content SDK counts tokens", async () => {
    const { totalTokens } = await set.genstyle.models.countTokens({
      model,
      contents: "Hello there, how are you?",
    });
    expect(totalTokens).toBeGreaterThan(3);
  });
});

describe("the other routes of the generate-content SDK", () => {
  it("the generate-content SDK lists and reads models", async () => {
    const names: (string | undefined)[] = [];
    for await (const entry of await set.genstyle.models.list()) names.push(entry.name);
    expect(names).toEqual(expect.arrayContaining(MODELS.map(({ model }) => `models/${model}`)));
    expect((await set.genstyle.models.get({ model: "sim-chatstyle" })).name).toBe("models/sim-chatstyle");
  });

  it("ids with the provider in front are routed, in every spelling", async () => {
    for (const path of [
      "v1/models/msgstyle/sim-msgstyle",
      "v1beta/msgstyle/sim-msgstyle",
      "v1beta/models/msgstyle%2Fsim-msgstyle",
    ]) {
      const response = await set.h.call(`/api/genstyle/${path}:generateContent`, { contents: "hi" });
      expect([path, response.status]).toEqual([path, 200]);
    }
  });

  it("a stream without alt=sse is a JSON array", async () => {
    for (const { model } of MODELS) {
      const response = await set.h.call(`/api/genstyle/v1beta/models/${model}:streamGenerateContent`, {
        contents: [user("Hello")],
      });
      expect(response.headers.get("content-type")).toContain("application/json");
      const chunks = (await response.json()) as GenerateContentResponse[];
      expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe("STOP");
    }
  });

  it("snake_case bodies are accepted for every model", async () => {
    for (const { model } of MODELS) {
      const response = await set.h.call(`/api/genstyle/v1beta/models/${model}:generateContent`, {
        system_instruction: { parts: [{ text: "Be brief." }] },
        contents: [
          {
            role: "user",
            parts: [{ text: "[[system]]" }, { inline_data: { mime_type: "image/png", data: PNG } }],
          },
        ],
        generation_config: { max_output_tokens: 400 },
      });
      const body = (await response.json()) as GenerateContentResponse;
      const text = body.candidates?.[0]?.content?.parts?.map((part) => part.text).join("");
      expect(text).toContain("Be brief.");
      expect(text).toContain("image/png");
    }
  });
});
