import type { Sink } from "./exchange.ts";

/** The headers of every stream of events: nothing on the way may answer from a copy, or change or gather its bytes. */
export const streamHeaders = { "cache-control": "no-cache, no-transform", connection: "keep-alive" } as const;

/** Writes a body as it comes, at the reader's pace. A source that fails breaks the answer off. */
export async function pour(
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
