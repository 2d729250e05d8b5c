import type { FileHandle } from "node:fs/promises";
import { ReadableStream } from "node:stream/web";

/** The bytes of one chunk. */
const CHUNK = 64 * 1024;

/** The bytes from `start` to `end`, read as they are pulled. Closes the file at the end or when cancelled. */
export function readFileRange(handle: FileHandle, start: number, end: number): ReadableStream<Uint8Array> {
  let position = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const length = Math.min(CHUNK, end + 1 - position);
          if (length > 0) {
            const { bytesRead, buffer } = await handle.read(
              Buffer.allocUnsafeSlow(length),
              0,
              length,
              position,
            );
            if (bytesRead === 0) throw new Error("the file became shorter while it was read");
            position += bytesRead;
            controller.enqueue(buffer.subarray(0, bytesRead));
          }
          if (position <= end) return;
          await handle.close();
          controller.close();
        } catch (error) {
          await handle.close();
          throw error;
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
}
