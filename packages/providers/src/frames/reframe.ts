import type { Machine } from "@manifold-gateway/core/codec";
import { utf8 } from "../transport/bytes.ts";
import { UpstreamFault } from "../transport/fault.ts";
import type { UpstreamResponse } from "../transport/transport.ts";
import { UpstreamBody } from "../transport/upstream-body.ts";
import { BrokenFrame } from "./binary.ts";

/** The content type of streams in binary frames. */
export const BINARY = "application/vnd.amazon.eventstream";

/** A platform's framing of streams, and the reader that converts it to server-sent events. */
export interface Framing {
  contentType: string;
  read(): Machine<Uint8Array, string>;
}

/** Converts a stream in a platform's framing to server-sent events; any other answer is returned unchanged. */
export function reframe(response: UpstreamResponse, { contentType, read }: Framing): UpstreamResponse {
  const { headers, body } = response;
  if (!String(headers["content-type"]).toLowerCase().startsWith(contentType)) return response;
  const { "content-length": _, ...others } = headers;
  return {
    ...response,
    headers: { ...others, "content-type": "text/event-stream" },
    body: pumped(body, read()),
  };
}

/** The output of a machine over a body, which is read no faster than the output is consumed. */
function pumped(source: UpstreamBody, machine: Machine<Uint8Array, string>): UpstreamBody {
  let paused = false;
  let running = false;
  const target = new UpstreamBody({
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
      void pump();
    },
    abort: () => source.cancel(),
  });
  async function pump(): Promise<void> {
    if (running) return;
    running = true;
    try {
      while (!paused) {
        const bytes = await source.next();
        for (const event of bytes ? machine.step(bytes) : machine.end()) target.push(utf8(event));
        if (!bytes) return target.finish();
      }
    } catch (error) {
      target.fail(error instanceof BrokenFrame ? new UpstreamFault("encoding", error) : (error as Error));
      source.cancel();
    } finally {
      running = false;
    }
  }
  void pump();
  return target;
}
