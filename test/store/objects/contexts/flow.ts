import { expect, it } from "vitest";
import type { Context } from "../suite.ts";

const MB = 1024 * 1024;
const TOTAL = 32 * MB;
const CHUNK = 64 * 1024;

export const flow: Context = (place) => {
  it("an object store takes 32 MB in and returns them while holding a small part of them", async () => {
    const { objects, landed, buffer } = place();
    const before = await landed();
    let produced = 0;
    let most = 0;
    async function* source() {
      while (produced < TOTAL) {
        most = Math.max(most, produced + before - (await landed()));
        produced += CHUNK;
        yield Buffer.alloc(CHUNK, produced / CHUNK);
      }
    }
    const { size } = await objects.put("large.bin", source(), { mediaType: "video/mp4", length: TOTAL });
    expect(size).toBe(TOTAL);
    expect(most).toBeLessThanOrEqual(buffer);

    const found = await objects.get("large.bin");
    let read = 0;
    let largest = 0;
    for await (const chunk of found!.stream) {
      expect(chunk[0]).toBe((Math.floor(read / CHUNK) + 1) % 256);
      largest = Math.max(largest, chunk.length);
      read += chunk.length;
    }
    expect(read).toBe(TOTAL);
    expect(largest).toBeLessThanOrEqual(MB);
    await objects.remove("large.bin");
  });
};
