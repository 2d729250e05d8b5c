import fc from "fast-check";
import { expect, it } from "vitest";
import { GatheredPieces } from "../../../packages/gateway/src/http/gather-pieces.ts";

const PROMPT = 64;
const BLOCK = 4 * 1024;

/** The pieces that `sizes` bytes at a time are passed on as. */
async function gathered(sizes: readonly number[], isSlow = false): Promise<Uint8Array[]> {
  const taken: Uint8Array[] = [];
  const pieces = new GatheredPieces((piece) => {
    taken.push(piece);
    return isSlow ? Promise.resolve() : undefined;
  });
  for (const [at, size] of sizes.entries()) await pieces.add(new Uint8Array(size).fill(at));
  await pieces.end();
  return taken;
}

it("gathered pieces are the same bytes in the same order, and of later ones no two neighbours fit one block", async () => {
  const sizes = fc.array(fc.oneof(fc.nat(10), fc.nat(10_000)), { maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.boolean(), async (given, isSlow) => {
      const taken = await gathered(given, isSlow);
      expect(Buffer.concat(taken)).toEqual(
        Buffer.concat(given.map((size, at) => new Uint8Array(size).fill(at))),
      );
      const later = taken.slice(PROMPT);
      for (const [at, { length }] of later.slice(1).entries())
        expect(length + (later[at] as Uint8Array).length).toBeGreaterThan(BLOCK);
    }),
  );
});

it("a body of very many short pieces is refused, and one of as many longer ones is not", async () => {
  await expect(gathered(Array(20_000).fill(1))).rejects.toMatchObject({ code: "body_too_complex" });
  expect(await gathered(Array(16_000).fill(1))).toHaveLength(PROMPT + 4);
  expect(await gathered(Array(20_000).fill(200))).toHaveLength(PROMPT + 997);
});
