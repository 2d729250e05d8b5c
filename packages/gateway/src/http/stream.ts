import type { Sink } from "./exchange.ts";

/** The headers of every event stream: proxies must not cache, transform or buffer it. */
export const streamHeaders = { "cache-control": "no-cache, no-transform", connection: "keep-alive" } as const;

/** Writes a body as it arrives, at the client's pace. If the source fails, the answer breaks off. */
export async function pipeBody(
  sink: Sink,
  status: number,
  headers: Record<string, string>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  sink.head(status, headers);
  try {
    for await (const chunk of chunks) {
      if (sink.closed) return;
      await sink.write(chunk);
    }
  } catch {
    return sink.abort();
  }
  sink.end();
}
