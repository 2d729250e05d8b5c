import type { Failure } from "@manifold-gateway/core";
import { type UpstreamBody, UpstreamFault } from "@manifold-gateway/providers";
import { isLeft } from "../http/client-left.ts";
import type { Sink } from "../http/exchange.ts";
import type { Outcome } from "../ports/billing.ts";
import type { Limits } from "../ports/limits.ts";
import type { StreamTransform } from "./stream-transform.ts";

export interface DriveOptions {
  limits: Limits;
  /** The head of the streamed answer. */
  head: Record<string, string>;
  /** Called after each chunk of bytes that arrived. */
  progress?(): void;
  /** Settles the generation, with the error that ended it; resolves after the commit. */
  settle(status: Outcome["status"], error: unknown): Promise<void>;
  /** The caller's message for an error in the middle of the stream. */
  say(error: unknown): string;
  /** Converts an error from before anything was written to the one to throw. */
  fail(error: unknown): unknown;
  /** Logs an error in the middle of the stream, which is not thrown. */
  broke(error: unknown): void;
  /** The answer to a failure from before anything was written. If undefined, the stream reports it. */
  early:
    | ((failure: Failure) => { status: number; headers: Record<string, string>; body: string })
    | undefined;
}

/**
 * Pumps one stream at the caller's pace. If the caller leaves, it goes on reading without writing, up to the drain
 * limit, so that what the provider generates is counted and settled. The end is written after settlement.
 */
export async function pumpStream(
  body: UpstreamBody,
  sink: Sink,
  pump: StreamTransform,
  options: DriveOptions,
): Promise<void> {
  const { limits } = options;
  let cause: unknown;
  let size = 0;
  let timer = setTimeout(() => body.cancel(), limits.generation);
  let draining = false;
  try {
    for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next()) {
      size += chunk.length;
      if (size > limits.stream) throw new UpstreamFault("too_large");
      const text = pump.push(chunk);
      options.progress?.();
      if (sink.closed) {
        if (draining) continue;
        draining = true;
        clearTimeout(timer);
        timer = setTimeout(() => body.cancel(), limits.drain);
      } else if (text !== "") {
        sink.head(200, options.head);
        const wait = sink.write(text, pump.encoding);
        if (wait) await wait;
      }
    }
  } catch (error) {
    cause = error;
    body.cancel();
  } finally {
    clearTimeout(timer);
  }
  const left = sink.closed;
  let rest = "";
  try {
    rest = pump.finish(cause === undefined ? undefined : options.say(cause));
  } catch (error) {
    cause ??= error;
    rest = pump.finish(options.say(error));
  }
  const { failure } = pump.observation();
  const failed = (failure !== undefined || cause !== undefined) && !isLeft(cause, sink);
  await options.settle(failed ? "failed" : left ? "aborted" : "succeeded", cause);
  if (cause !== undefined && (sink.closed || sink.started)) options.broke(cause);
  if (sink.closed) return;
  if (!sink.started) {
    if (cause !== undefined) throw options.fail(cause);
    // An empty stream is a failed connection, not an answer.
    if (failure && size === 0) throw options.fail(new UpstreamFault("reset"));
    if (failure && options.early) {
      const { status, headers, body: text } = options.early(failure);
      sink.head(status, headers);
      sink.end(text);
      return;
    }
    sink.head(200, options.head);
  }
  sink.end(rest, pump.encoding);
}
