import fc from "fast-check";
import { expect, test } from "vitest";
import { firstBytes, readBytes } from "../../../../packages/providers/src/adapters/bytes.ts";

const { signal } = new AbortController();

/** An answer in chunks that tells whether it was let go. */
function answer(chunks: Uint8Array[]): { response: Response; left: () => number; cancelled: () => boolean } {
  const queue = [...chunks];
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = queue.shift();
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body), left: () => queue.length, cancelled: () => cancelled };
}

const anyChunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 9 }), { maxLength: 6 });

async function all(chunks: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  if (chunks) for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

test("all bytes arrive up to the limit; beyond it the answer is cancelled", async () => {
  await fc.assert(
    fc.asyncProperty(anyChunks, fc.nat(60), async (chunks, limit) => {
      const whole = Buffer.concat(chunks);
      const { response, cancelled } = answer(chunks);
      const read = firstBytes(readBytes(response, limit, signal)).then(all);
      if (whole.length <= limit) expect(await read).toEqual(whole);
      else {
        await expect(read).rejects.toMatchObject({ kind: "too_large" });
        expect(cancelled()).toBe(true);
      }
    }),
  );
});

test("nothing is read before it is needed, and a listener that stops cancels the answer", async () => {
  const { response, left, cancelled } = answer(Array.from({ length: 8 }, () => Uint8Array.of(1)));
  const chunks = await firstBytes(readBytes(response, 100, signal));
  expect(left()).toBeGreaterThanOrEqual(6);
  for await (const _ of chunks ?? []) break;
  expect(cancelled()).toBe(true);
});

test("an empty answer has not begun", async () => {
  expect(await firstBytes(readBytes(new Response(null), 10, signal))).toBeUndefined();
  expect(await firstBytes(readBytes(answer([]).response, 10, signal))).toBeUndefined();
});

test("an abort signal ends the reading", async () => {
  const reading = readBytes(answer([Uint8Array.of(1)]).response, 10, AbortSignal.abort());
  await expect(all(reading)).rejects.toMatchObject({ kind: "cancelled" });
});
