import { ApiError, type Content, type GenerateContentResponse, GoogleGenAI, type Part } from "@google/genai";
import { type Ask, type Driver, PERSON, type Send, thrownBy, WEATHER } from "../driver.ts";

const genaiOf = (send: Send): GoogleGenAI =>
  new GoogleGenAI({ apiKey: "unused", httpOptions: { fetch: send } });

async function turn(ask: Ask, contents: Content[]): Promise<GenerateContentResponse[]> {
  const { name, description, parameters } = WEATHER;
  const params = {
    model: ask.model,
    contents,
    config: {
      ...(ask.tools && {
        tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] }],
      }),
      ...(ask.format && { responseMimeType: "application/json", responseJsonSchema: PERSON }),
      ...(ask.reasons && { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } }),
      ...(ask.signal && { abortSignal: ask.signal }),
    },
  };
  const { models } = genaiOf(ask.send);
  if (!ask.stream) return [await models.generateContent(params)];
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of await models.generateContentStream(params)) {
    chunks.push(chunk);
    if (chunk.text) ask.onText?.(chunk.text);
  }
  return chunks;
}

export const genai: Driver = {
  name: "@google/genai",
  wire: "genstyle",
  thrown: (error) => thrownBy(error, [ApiError], (own) => own.status),
  open(ask) {
    const contents: Content[] = [];
    const next = async (asked: Part[]) => {
      contents.push({ role: "user", parts: asked });
      const chunks = await turn(ask, contents);
      // The SDK's own chats keep a history like this.
      const parts = chunks
        .flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
        .filter((part) => part.text !== "" || part.thoughtSignature);
      contents.push({ role: "model", parts });
      const usage = chunks.findLast((chunk) => chunk.usageMetadata)?.usageMetadata;
      return {
        text: parts.map((part) => (part.thought ? "" : (part.text ?? ""))).join(""),
        calls: parts.flatMap(({ functionCall: call }) =>
          call ? [{ id: call.id ?? "", name: call.name ?? "", args: call.args }] : [],
        ),
        usage: {
          input: usage?.promptTokenCount,
          output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
        },
      };
    };
    return {
      say: (text, image) =>
        next([{ text }, ...(image ? [{ inlineData: { mimeType: "image/png", data: image } }] : [])]),
      result: (calls, text) =>
        next(
          calls.map(({ id, name }) => ({
            functionResponse: { name, response: { output: text }, ...(id && { id }) },
          })),
        ),
    };
  },
  async embed({ send, model, texts }) {
    const { embeddings } = await genaiOf(send).models.embedContent({ model, contents: texts });
    return (embeddings ?? []).map(({ values }) => values ?? []);
  },
  async draw({ send, model, prompt }) {
    const reply = await genaiOf(send).models.generateContent({
      model,
      contents: prompt,
      config: { responseModalities: ["IMAGE"] },
    });
    return reply.candidates?.[0]?.content?.parts?.find((part) => part.inlineData)?.inlineData?.data;
  },
};
