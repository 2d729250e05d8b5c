import fc from "fast-check";
import { expect, it } from "vitest";
import { inChunks, keys, pattern, readAll, sha256 } from "../bytes.ts";
import { NOW } from "../places/place.ts";
import type { Context } from "../suite.ts";

export const storing: Context = (place) => {
  it("an object is returned as it was put, whatever form it came in", async () => {
    const content = fc.record({
      key: keys,
      bytes: fc.uint8Array({ maxLength: 2_000 }),
      chunk: fc.integer({ min: 1, max: 700 }),
      mediaType: fc.constantFrom(
        "image/png",
        "video/mp4",
        "text/plain; charset=utf-8",
        "application/x-subrip",
      ),
      atOnce: fc.boolean(),
      announced: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(content, async ({ key, bytes, chunk, mediaType, atOnce, announced }) => {
        const { objects } = place();
        const stored = await objects.put(key, atOnce ? bytes : inChunks(bytes, chunk), {
          mediaType,
          length: announced ? bytes.length : undefined,
        });
        expect(stored).toEqual({ size: bytes.length, sha256: sha256(bytes) });
        const found = await objects.get(key);
        expect(found).toMatchObject({ key, size: bytes.length, mediaType, modified: NOW });
        expect(await readAll(found!.stream)).toEqual(Buffer.from(bytes));
        const { stream: _, ...info } = found!;
        expect(await objects.head(key)).toEqual(info);
        await objects.remove(key);
        expect(await objects.get(key)).toBeUndefined();
        expect(await objects.head(key)).toBeUndefined();
      }),
      { numRuns: 40 },
    );
  });

  it("an object can come as a web stream, and replaces what its key held", async () => {
    const { objects } = place();
    await objects.put("a/1.png", pattern(10), { mediaType: "image/png" });
    const first = await objects.head("a/1.png");
    await objects.put("a/1.png", new Blob([new Uint8Array(pattern(99))]).stream(), {
      mediaType: "image/webp",
    });
    const second = await objects.get("a/1.png");
    expect(await readAll(second!.stream)).toEqual(pattern(99));
    expect(second?.mediaType).toBe("image/webp");
    expect(second?.etag).not.toBe(first?.etag);
  });

  it("a key that was never put is not found, and can be removed all the same", async () => {
    const { objects } = place();
    await objects.remove("never/put.png");
    expect(await objects.get("never/put.png")).toBeUndefined();
    expect(await objects.head("never/put.png")).toBeUndefined();
  });

  it("a reader may leave in the middle of an object", async () => {
    const { objects } = place();
    await objects.put("left/early.bin", pattern(300_000), { mediaType: "image/png" });
    const found = await objects.get("left/early.bin");
    const reader = found!.stream.getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    expect((await reader.read()).done).toBe(true);
  });

  it.each([
    "",
    "/",
    "../a",
    "a/../b",
    "/a",
    "a/",
    "a//b",
    "A",
    "a b",
    "a\\b",
    "a%2fb",
    "a\0",
    "a.b.c",
    ".a",
    "é",
    "a\n",
  ])("the key %j is refused in every method", async (key) => {
    const { objects } = place();
    const terms = { mediaType: "image/png", expires: NOW + 1000 };
    const fault = { code: "bad_key" };
    await expect(objects.put(key, pattern(1), terms)).rejects.toMatchObject(fault);
    await expect(objects.get(key)).rejects.toMatchObject(fault);
    await expect(objects.head(key)).rejects.toMatchObject(fault);
    await expect(objects.remove(key)).rejects.toMatchObject(fault);
    await expect(objects.link(key, terms)).rejects.toMatchObject(fault);
  });

  it.each(["", "png", "image/", "image/png\r\nx: y", 'image/png; q="a"', "a/b/c"])(
    "the media type %j is refused",
    async (mediaType) => {
      const { objects } = place();
      await expect(objects.put("a", pattern(1), { mediaType })).rejects.toMatchObject({ code: "bad_terms" });
      const link = objects.link("a", { mediaType, expires: NOW + 1000 });
      await expect(link).rejects.toMatchObject({ code: "bad_terms" });
    },
  );
};
