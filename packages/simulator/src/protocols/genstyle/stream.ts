import type { JsonObject } from "../../content/request-content.ts";
import { pieces } from "../../model/pieces.ts";
import type { Chunk, Exchange } from "../protocol.ts";
import type { Body } from "./schema.ts";
import { envelope, FINISH, logprobsOf, partsOf, trailingSeal, usageOf } from "./write.ts";

/** Text in increments, calls whole, and a last chunk per candidate that ends it; usage on every chunk, growing. */
export function stream(exchange: Exchange<Body>): Chunk[] {
  const { usage, replies } = exchange;
  const begun = usage && { promptTokenCount: usage.input, totalTokenCount: usage.input };
  const chunk = (candidate: JsonObject, part: Chunk["part"], counts: JsonObject | undefined): Chunk => ({
    data: {
      candidates: [candidate],
      ...(counts ? { usageMetadata: counts } : {}),
      ...envelope(exchange),
    },
    part,
  });
  return replies.flatMap((reply, index) => {
    const contents = partsOf(exchange, reply).flatMap(({ part, text }) =>
      text === undefined ? [part] : pieces(text).map((piece) => ({ ...part, text: piece })),
    );
    const [last] = trailingSeal(exchange, reply);
    const final = index === replies.length - 1;
    return [
      ...contents.map((part) =>
        chunk({ content: { role: "model", parts: [part] }, index }, "content", begun),
      ),
      chunk(
        {
          content: { role: "model", parts: [last?.part ?? { text: "" }] },
          finishReason: FINISH[reply.finish],
          ...(reply.refusal === undefined ? {} : { finishMessage: reply.refusal }),
          index,
          ...logprobsOf(exchange.body, reply),
        },
        "done",
        final && usage ? usageOf(usage) : begun,
      ),
    ];
  });
}
