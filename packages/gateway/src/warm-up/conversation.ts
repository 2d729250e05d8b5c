import type { Event, TextRequest } from "@manifold-gateway/core/ir";

const SENTENCE = "The quick brown fox jumps over the lazy dog. ";
const text = SENTENCE.repeat(22);

/** A request of about 2 KB for a model. */
export const conversation = (model: string, stream: boolean): TextRequest => ({
  model,
  stream,
  messages: [
    { role: "system", parts: [{ type: "text", text }] },
    { role: "user", parts: [{ type: "text", text }] },
  ],
  params: { maxTokens: 512, temperature: 0.5 },
});

/** The answer to it, of about 1 KB. */
export const answer: readonly Event[] = [
  { type: "start" },
  { type: "open", index: 0, part: { type: "text" } },
  ...Array.from({ length: 20 }, (): Event => ({ type: "delta", index: 0, text: SENTENCE })),
  { type: "close", index: 0 },
  { type: "usage", usage: { input: 500, output: 200 } },
  { type: "finish", reason: "stop" },
];
