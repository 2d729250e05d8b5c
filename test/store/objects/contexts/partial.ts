import { expect, it } from "vitest";
import { inChunks, pattern, readAll } from "../bytes.ts";
import type { Context } from "../suite.ts";

const KEY = "account/job/0.bin";
const MB = 1024 * 1024;

/** Chunks, then an error; and whether the source was told that nobody reads on. */
function breaking(chunks: number, size: number, error?: Error) {
  const state = { closed: false };
  async function* source() {
    try {
      for (let at = 0; at < chunks; at++) yield Buffer.alloc(size, at);
      if (error) throw error;
    } finally {
      state.closed = true;
    }
  }
  return { state, source: source() };
}

export const partial: Context = (place) => {
  it.each([
    ["in its first bytes", 1, 100],
    ["after several parts", 20, MB],
  ])("an upload whose source breaks %s leaves nothing visible", async (_, chunks, size) => {
    const { objects, leftovers } = place();
    await objects.put(KEY, pattern(5), { mediaType: "image/png" });
    const broken = new Error("the provider hung up");
    const { source, state } = breaking(chunks, size, broken);
    await expect(objects.put(KEY, source, { mediaType: "video/mp4" })).rejects.toBe(broken);
    expect(state.closed).toBe(true);
    const found = await objects.get(KEY);
    expect(found?.mediaType).toBe("image/png");
    expect(await readAll(found!.stream)).toEqual(pattern(5));
    expect(await leftovers()).toBe(0);
  });

  it("an upload leaves the object before it visible until the last byte is in", async () => {
    const { objects } = place();
    await objects.put(KEY, pattern(5), { mediaType: "image/png" });
    const seen: (number | undefined)[] = [];
    async function* source() {
      for (let at = 0; at < 12; at++) {
        yield Buffer.alloc(MB);
        seen.push((await objects.head(KEY))?.size);
      }
    }
    await objects.put(KEY, source(), { mediaType: "video/mp4" });
    expect(new Set(seen)).toEqual(new Set([5]));
    expect((await objects.head(KEY))?.size).toBe(12 * MB);
  });

  it("an upload is stored up to the limit and not a byte more", async () => {
    const { open, leftovers } = place();
    const bounded = await open(1000);
    await bounded.put("bounded", inChunks(pattern(1000), 64), { mediaType: "image/png" });
    const { source, state } = breaking(11, 100);
    await expect(bounded.put("bounded", source, { mediaType: "image/png" })).rejects.toMatchObject({
      code: "too_large",
    });
    expect(state.closed).toBe(true);
    const announced = bounded.put("bounded", pattern(10), { mediaType: "image/png", length: 1001 });
    await expect(announced).rejects.toMatchObject({ code: "too_large" });
    expect((await bounded.head("bounded"))?.size).toBe(1000);
    expect(await leftovers()).toBe(0);
    await bounded.close();
  });

  it.each([99, 101])("an upload of 100 bytes that were announced as %i is not stored", async (length) => {
    const { objects } = place();
    const put = objects.put("announced", inChunks(pattern(100), 9), { mediaType: "image/png", length });
    await expect(put).rejects.toMatchObject({ code: "length_mismatch" });
    expect(await objects.head("announced")).toBeUndefined();
  });

  it("simultaneous uploads under one key leave one whole object", async () => {
    const { objects } = place();
    const puts = Array.from({ length: 8 }, (_, at) =>
      objects.put("raced", inChunks(Buffer.alloc(5000 + at, at), 500), { mediaType: "image/png" }),
    );
    await Promise.all(puts);
    const found = await objects.get("raced");
    const bytes = await readAll(found!.stream);
    expect(bytes).toEqual(Buffer.alloc(bytes.length, bytes.length - 5000));
    expect(bytes.length).toBe(found?.size);
  });
};
