/** What a stream is read from. */
export interface PulledSource {
  /** The next bytes; undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Called when the stream is not read any further, before its end. */
  leave(): void;
}

/** A stream whose bytes are made at its reader's pace. An abort breaks it off whether it is read or not. */
export function pulledStream(source: PulledSource, signal: AbortSignal): ReadableStream<Uint8Array> {
  let abort = (): void => {};
  const end = (): void => signal.removeEventListener("abort", abort);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        abort = () => {
          controller.error(signal.reason);
          source.leave();
        };
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort, { once: true });
      },
      async pull(controller) {
        try {
          const bytes = await source.next();
          if (signal.aborted) return;
          if (bytes) return controller.enqueue(bytes);
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel() {
        end();
        source.leave();
      },
    },
    { highWaterMark: 0 },
  );
}
