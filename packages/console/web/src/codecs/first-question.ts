import type { WireName } from "./wires.ts";

const QUESTION = "Say hello in one short sentence.";

/** A first question in each protocol, for screens and for programs to copy. */
export const FIRST_QUESTIONS = {
  chat: (model: string) => ({ model, messages: [{ role: "user", content: QUESTION }] }),
  messages: (model: string) => ({
    model,
    max_tokens: 256,
    messages: [{ role: "user", content: QUESTION }],
  }),
  generate: () => ({ contents: [{ role: "user", parts: [{ text: QUESTION }] }] }),
} as const satisfies { [name in WireName]?: (model: string) => object };
