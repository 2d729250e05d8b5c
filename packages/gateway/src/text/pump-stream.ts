import { type UpstreamBody, UpstreamFault } from "@manifold-gateway/providers";
import type { Sink } from "../http/exchange.ts";
import type { Limits } from "../ports/limits.ts";
import type { ReplyHandler } from "./reply-handler.ts";

/**
 * Pumps one stream into its handler, at the caller's pace. If the caller leaves, it goes on reading up to the drain
 * limit, so that what the provider generates is counted and settled.
 */
export async function pumpStream(
  body: UpstreamBody,
  sink: Pick<Sink, "closed">,
  handler: Pick<ReplyHandler, "onData" | "onEnd" | "onError">,
  limits: Pick<Limits, "stream" | "generation" | "drain">,
): Promise<undefined> {
  let size = 0;
  /**
   * Handles what has arrived; returns undefined at the end. It stands apart, because a function that waits would keep
   * the bytes in memory until the next ones arrive.
   */
  const handle = (): Promise<void> | true | undefined => {
    const bytes = body.take();
    if (bytes === undefined) return undefined;
    size += bytes.length;
    if (size > limits.stream) throw new UpstreamFault("too_large");
    return handler.onData(bytes) ?? true;
  };
  let draining = false;
  let timer = setTimeout(() => body.cancel(), limits.generation);
  try {
    for (;;) {
      const arrival = body.arrival();
      if (arrival) await arrival;
      const handled = handle();
      if (handled === undefined) break;
      if (handled !== true) await handled;
      if (!sink.closed || draining) continue;
      draining = true;
      clearTimeout(timer);
      timer = setTimeout(() => body.cancel(), limits.drain);
    }
  } catch (error) {
    clearTimeout(timer);
    body.cancel();
    await handler.onError(error);
    return undefined;
  }
  clearTimeout(timer);
  await handler.onEnd();
  return undefined;
}
