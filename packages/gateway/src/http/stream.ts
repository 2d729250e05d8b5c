import type { Sink } from "./exchange.ts";

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
