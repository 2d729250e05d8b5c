import { type UpstreamBody, UpstreamFault } from "@manifold-gateway/providers";
import { timeoutFault } from "../generation/read-answer.ts";
import type { Sink } from "../http/exchange.ts";
import type { Limits } from "../ports/limits.ts";
import type { ReplyHandler } from "./reply-handler.ts";

/**
 * Milliseconds in which a provider has to end its response after the reply is complete. Some keep the response open,
 * which would delay the end of the reply; some cut it off, which no longer matters.
 */
const PARTING = 1_000;

type Handler = Pick<ReplyHandler, "onData" | "onEnd" | "onError"> & Partial<Pick<ReplyHandler, "isOver">>;

/**
 * Pumps one stream into its handler, at the caller's pace. If the caller leaves, it goes on reading for `drain`
 * milliseconds, so that what the provider generates is counted and settled.
 */
export async function pumpStream(
  body: UpstreamBody,
  sink: Pick<Sink, "closed">,
  handler: Handler,
  limits: Pick<Limits, "stream" | "generation" | "drain">,
  drain = limits.drain,
): Promise<undefined> {
  let size = 0;
  /**
   * Handles what has arrived; returns undefined at the end. A separate function, because an async one would keep the
   * bytes in memory until the next ones arrive.
   */
  const handle = (): Promise<void> | true | undefined => {
    const bytes = body.take();
    if (bytes === undefined) return undefined;
    size += bytes.length;
    if (size > limits.stream) throw new UpstreamFault("too_large");
    return handler.onData(bytes) ?? true;
  };
  let draining = false;
  let isOver = false;
  let timer = setTimeout(() => body.cancel(timeoutFault(sink)), limits.generation);
  const allow = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => body.cancel(), ms);
  };
  try {
    for (;;) {
      const arrival = body.arrival();
      if (arrival) await arrival;
      const handled = handle();
      if (handled === undefined) break;
      if (handled !== true) await handled;
      if (isOver) continue;
      isOver = handler.isOver?.() ?? false;
      if (isOver) allow(PARTING);
      else if (sink.closed && !draining) {
        draining = true;
        allow(drain);
      }
    }
  } catch (error) {
    clearTimeout(timer);
    body.cancel();
    if (isOver && error instanceof UpstreamFault) await handler.onEnd();
    else await handler.onError(error);
    return undefined;
  }
  clearTimeout(timer);
  await handler.onEnd();
  return undefined;
}
