import { readFrames } from "@manifold-gateway/core";
import { type Json, parseJson } from "@manifold-gateway/core/codec";

/** What the parts of a stream are made of. */
interface Reader<Part> {
  /** The parts before those of the answer. */
  start(): Part[];
  chunk(json: Json): Part[];
  /** The parts for a stream that broke off, or was aborted. */
  fault(error: unknown): Part[];
}

/** The most characters of one event: a whole picture in base64. */
const LIMIT = 64 * 1024 * 1024;

/** The events of an answer as parts, read as they are taken. Cancelling it cancels the answer. */
export function readEvents<Part>(
  response: Response,
  { start, chunk, fault }: Reader<Part>,
): ReadableStream<Part> {
  const frames = readFrames(LIMIT);
  const reader = response.body?.getReader();
  const partsOf = (events: { data: string }[]): Part[] =>
    events.flatMap(({ data }) => {
      const json = parseJson(data);
      return json === undefined ? [] : chunk(json);
    });
  return new ReadableStream<Part>(
    {
      start(controller) {
        for (const part of start()) controller.enqueue(part);
      },
      async pull(controller) {
        try {
          for (;;) {
            const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
            const parts = partsOf(done ? frames.end() : frames.step(value as Uint8Array));
            for (const part of parts) controller.enqueue(part);
            if (done) return controller.close();
            if (parts.length > 0) return;
          }
        } catch (error) {
          for (const part of fault(error)) controller.enqueue(part);
          controller.close();
        }
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
