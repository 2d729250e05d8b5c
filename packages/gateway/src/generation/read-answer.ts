import type { UpstreamBody } from "@manifold-gateway/providers";
import type { Sink } from "../http/exchange.ts";
import type { Limits } from "../ports/limits.ts";

/**
 * Reads a provider's answer that is not streamed, within the limits of its size and of its time: one that comes byte by
 * byte is never silent for long.
 */
export async function readAnswer(
  body: UpstreamBody,
  sink: Pick<Sink, "closed">,
  limits: Pick<Limits, "answer" | "generation">,
): Promise<Uint8Array> {
  const timer = setTimeout(() => body.cancel(timeoutFault(sink)), limits.generation);
  try {
    return await body.bytes(limits.answer);
  } finally {
    clearTimeout(timer);
  }
}

/** The fault of a call that takes longer than a generation may; after its caller has left, nothing is late. */
export const timeoutFault = (sink: Pick<Sink, "closed">): "cancelled" | "timeout" =>
  sink.closed ? "cancelled" : "timeout";
