import type { Machine } from "@manifold-gateway/core/codec";
import { UpstreamBody } from "../body.ts";
import { UpstreamFault } from "../fault.ts";
import type { UpstreamResponse } from "../transport.ts";
import { BrokenFrame } from "./binary.ts";

/** Frames that a platform streams in, and the reader that makes server-sent events of them. */
export interface Framing {
  contentType: string;
  read(): Machine<Uint8Array, string>;
}

/** A stream in a platform's own frames as server-sent events; any other answer as it is. */
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

/** The bytes of what a machine makes of a body, read no faster than they are taken. */
function pumped(source: UpstreamBody, machine: Machine<Uint8Array, string>): UpstreamBody {
  let paused = false;
  let running = false;
  const target = new UpstreamBody(
    {
      pause() {
        paused = true;
      },
      resume() {
        paused = false;
        void pump();
      },
      abort: () => source.cancel(),
    },
    undefined,
  );
  async function pump(): Promise<void> {
    if (running) return;
    running = true;
    try {
      while (!paused) {
        const bytes = await source.next();
        for (const event of bytes ? machine.step(bytes) : machine.end()) target.push(Buffer.from(event));
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
