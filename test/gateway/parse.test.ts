import fc from "fast-check";
import { expect, it } from "vitest";
import { parseText } from "../../packages/gateway/src/http/parse.ts";

/** Strings on both sides of the length from which on they are cut out. */
const text = fc
  .tuple(
    fc.constantFrom("Q", "é", "🌊", '"', "\\", "\n", "a b"),
    fc.constantFrom(0, 1, 5_000, 17_000, 40_000),
  )
  .map(([piece, times]) => piece.repeat(times));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.jsonValue(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(text, fc.string()), tie("value"), { maxKeys: 3 }),
  ),
})).value;

it("reads every text as JSON.parse does", () => {
  fc.assert(
    fc.property(json, fc.nat(100), (value, spaces) => {
      const written = JSON.stringify(value).replaceAll('":', `"${" ".repeat(spaces)}:`);
      expect(parseText(written)).toEqual(JSON.parse(written));
    }),
  );
});

it("throws what JSON.parse throws", () => {
  fc.assert(
    fc.property(json, fc.nat(), fc.constantFrom("", '"', "{", ",", "\\", "x"), (value, place, put) => {
      const written = JSON.stringify({ value, end: "Q".repeat(20_000) });
      const at = place % written.length;
      const broken = written.slice(0, at) + put + written.slice(at + 1);
      const read = (parse: (text: string) => unknown): unknown => {
        try {
          return parse(broken);
        } catch (error) {
          return (error as Error).message;
        }
      };
      expect(read(parseText)).toEqual(read(JSON.parse));
    }),
  );
});
