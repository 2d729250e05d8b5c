import { codecs, collectLosses, encodeRequest, type Loss } from "@manifold-gateway/core";
import { type JsonObject, parseJson, run } from "@manifold-gateway/core/codec";
import { type AssistantPart, type Event, type Reply, unfold } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modelstyle } from "../../../packages/client/src/ai-sdk/codec.ts";
import { reply as anyReply, streamed } from "../../laws/arbitraries/replies.ts";
import { head } from "../../laws/fixtures.ts";

interface Part extends JsonObject {
  type: string;
}

function write(events: Iterable<Event>): { chunks: Part[]; content: Part[]; losses: Loss[] } {
  const { losses, lose } = collectLosses();
  const chunks = run(modelstyle.reply.encode(head, lose), events) as Part[];
  return { chunks, content: modelstyle.reply.gather(structuredClone(chunks)).content as Part[], losses };
}

/** The next turn's part for a part of the answer, as the AI SDK makes it. */
const toPrompt = ({ providerMetadata, ...part }: Part): JsonObject => ({
  ...part,
  ...(part.type === "tool-call" && { input: parseJson(part.input as string) ?? part.input }),
  ...(providerMetadata !== undefined && { providerOptions: providerMetadata }),
});

const nextTurn = (content: Part[]): AssistantPart[] => {
  const prompt = [
    { role: "assistant", content: content.filter(({ type }) => type !== "source").map(toPrompt) },
  ];
  return modelstyle.request.decode({ model: "m", prompt }).messages[0]?.parts as AssistantPart[];
};

/** What a part has to bring back on the next turn. */
const essence = (part: AssistantPart): object => {
  const value = (text: string) => parseJson(text || "{}") ?? text;
  switch (part.type) {
    case "text":
      return { text: part.text, refusal: part.refusal };
    case "reasoning":
      return { thought: part.text, seal: part.seal, redacted: part.redacted };
    case "call":
      return { id: part.id, name: part.name, value: value(part.arguments), seal: part.seal };
    default:
      return part;
  }
};

const mainParts = ({ choices }: Reply): AssistantPart[] => choices[0]?.parts ?? [];

describe("the model interface as a protocol", () => {
  it("an answer's texts, thoughts, calls and seals come back unchanged as the next turn", () => {
    fc.assert(
      fc.property(
        anyReply.chain((reply) => fc.tuple(fc.constant(reply), streamed(reply))),
        ([reply, events]) => {
          const { content } = write(events);
          expect(nextTurn(content).map(essence)).toEqual(mainParts(reply).map(essence));
        },
      ),
    );
  });

  it("a stream in whatever pieces gathers to the content of the whole answer", () => {
    fc.assert(
      fc.property(
        anyReply.chain((reply) => fc.tuple(fc.constant(reply), streamed(reply))),
        ([reply, events]) => {
          expect(write(events).content).toEqual(write(unfold(reply)).content);
        },
      ),
    );
  });

  it("parts of a stream begin before they grow and end once, and nothing follows the finish", () => {
    fc.assert(
      fc.property(anyReply.chain(streamed), (events) => {
        const open = new Set<string>();
        const { chunks } = write(events);
        for (const { type, id } of chunks) {
          const [, kind, stage] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(type) ?? [];
          if (kind === undefined) continue;
          const name = `${kind} ${id}`;
          if (stage !== "start") expect(open).toContain(name);
          if (stage === "start") open.add(name);
          if (stage === "end") open.delete(name);
        }
        expect(open.size).toBe(0);
        const finishes = chunks.filter(({ type }) => type === "finish" || type === "error");
        expect(finishes).toEqual(chunks.slice(-1));
      }),
    );
  });

  it("what the interface has no place for is a loss: probabilities and further alternatives", () => {
    const { losses, content } = write(
      unfold({
        choices: [
          {
            parts: [{ type: "text", text: "a", logprobs: [{ token: "a", logprob: -1 }] }],
            finish: { reason: "stop" },
          },
          { parts: [{ type: "text", text: "b" }], finish: { reason: "stop" } },
        ],
      }),
    );
    expect(content).toEqual([{ type: "text", text: "a" }]);
    expect(losses.map(({ path }) => path).sort()).toEqual([
      "/choices/0/parts/0/logprobs",
      "/choices/1/finish",
      "/choices/1/parts/0",
    ]);
  });

  it("counts of tokens are split as the interface splits them", () => {
    const usage = { input: 100, output: 50, cacheRead: 60, cacheWrite: 10, reasoning: 30 };
    const { chunks } = write(
      unfold({ choices: [{ parts: [{ type: "text", text: "a" }], finish: { reason: "length" } }], usage }),
    );
    expect(chunks.at(-1)).toMatchObject({
      type: "finish",
      finishReason: { unified: "length" },
      usage: {
        inputTokens: { total: 100, noCache: 30, cacheRead: 60, cacheWrite: 10 },
        outputTokens: { total: 50, text: 20, reasoning: 30 },
      },
    });
  });
});

describe("the options of a call", () => {
  const decode = (options: JsonObject) => modelstyle.request.decode({ model: "m", prompt: [], ...options });

  it("the options of a call have their places in the canonical request", () => {
    const schema = { type: "object", properties: { city: { type: "string" } } };
    expect(
      decode({
        maxOutputTokens: 10,
        stopSequences: ["END"],
        topK: 3,
        reasoning: "low",
        responseFormat: { type: "json", schema, name: "place" },
        tools: [{ type: "function", name: "look", inputSchema: schema, strict: true }],
        toolChoice: { type: "tool", toolName: "look" },
        providerOptions: {
          manifold: { serviceTier: "flex", parallelToolCalls: false, reasoning: { show: "auto" } },
        },
      }),
    ).toMatchObject({
      params: { maxTokens: 10, stop: ["END"], topK: 3, serviceTier: "flex" },
      reasoning: { effort: "low", show: "auto" },
      format: { type: "schema", schema, name: "place" },
      tools: [{ type: "function", name: "look", schema, strict: true }],
      toolChoice: { mode: "required", names: ["look"], parallel: false },
    });
  });

  it("files are read by their bytes, their address or their text, and results by their kind", () => {
    const png = "iVBORw0KGgoAAAANSUhEUg==";
    const [user, tool] = decode({
      prompt: [
        {
          role: "user",
          content: [
            { type: "file", mediaType: "image/*", data: { type: "data", data: png } },
            { type: "file", mediaType: "image", data: { type: "url", url: "https://example.com/a" } },
            { type: "file", mediaType: "text/plain", data: { type: "text", text: "note" } },
          ],
          providerOptions: { any: { cacheControl: { type: "ephemeral", ttl: "1h" } } },
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "c1",
              toolName: "look",
              output: { type: "json", value: { a: 1 } },
            },
            {
              type: "tool-result",
              toolCallId: "c2",
              toolName: "look",
              output: { type: "error-text", value: "no" },
            },
            { type: "tool-result", toolCallId: "c3", toolName: "look", output: { type: "execution-denied" } },
          ],
        },
      ],
    }).messages;
    expect(user?.parts).toEqual([
      { type: "media", kind: "image", source: { type: "base64", mediaType: "image/png", data: png } },
      { type: "media", kind: "image", source: { type: "url", url: "https://example.com/a" } },
      { type: "text", text: "note", cache: { ttl: "1h" } },
    ]);
    expect(tool?.parts).toMatchObject([
      { type: "result", id: "c1", parts: [{ text: '{"a":1}' }] },
      { type: "result", id: "c2", parts: [{ text: "no" }], failed: true },
      { type: "result", id: "c3", failed: true },
    ]);
  });

  it("what no provider can be sent of a prompt is a loss at the place of the caller's option", () => {
    const request = decode({
      prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
      tools: [{ type: "provider", id: "vendor.search", name: "search", args: {} }],
    });
    expect(encodeRequest(request, codecs.chatstyle).losses).toMatchObject([
      { path: "/tools/0", why: "unsupported" },
    ]);
  });

  it("any JSON in place of options is read without throwing", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("prompt", "tools", "toolChoice", "responseFormat", "reasoning", "providerOptions"),
          fc.jsonValue(),
        ),
        (wire) => {
          expect(Array.isArray(modelstyle.request.decode(wire as JsonObject).messages)).toBe(true);
        },
      ),
    );
  });
});
