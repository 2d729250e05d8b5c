import type { LanguageModelV4Content, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Json } from "@manifold-gateway/core/codec";
import type { Body } from "./wire.ts";

type Part = LanguageModelV4StreamPart;
type Written = { type: "text" | "reasoning"; text: string };

/** The parts of a stream as one result. */
export function gather(chunks: Iterable<object | Json>): Body {
  const body: Body = {
    content: [],
    finishReason: { unified: "other", raw: undefined },
    usage: { inputTokens: {}, outputTokens: {} } as Body["usage"],
    response: {},
  };
  const open = new Map<string, Written>();
  for (const part of chunks as Iterable<Part>) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const written: Written = { type: part.type === "text-start" ? "text" : "reasoning", text: "" };
        open.set(part.id, written);
        body.content.push(written);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const written = open.get(part.id);
        if (written) written.text += part.delta;
        break;
      }
      case "text-end":
      case "reasoning-end": {
        const { type: _, id, ...rest } = part;
        Object.assign(open.get(id) ?? {}, rest);
        break;
      }
      case "tool-call":
      case "file":
      case "source":
      case "custom":
        body.content.push(part as LanguageModelV4Content);
        break;
      case "response-metadata": {
        const { type: _, ...response } = part;
        body.response = response as unknown as Body["response"];
        break;
      }
      case "finish": {
        const { type: _, ...finish } = part;
        Object.assign(body, finish);
        break;
      }
    }
  }
  return body;
}
