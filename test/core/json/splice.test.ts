import { memberText, splice } from "@manifold-gateway/core";
import fc from "fast-check";
import { expect, test } from "vitest";

/** A member as a client may write it: any white space, any spelling of the name, any number spelling. */
interface Piece {
  before: string;
  name: string;
  spelling: string;
  colon: string;
  value: string;
  after: string;
}

const space = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r"), maxLength: 3 });
const names = ["a", "b", "model", 'q"uote', "back\\slash", "é", "x\ud800", "", "__proto__", "a,b", "}{"];
const escaped = (name: string): string =>
  `"${Array.from({ length: name.length }, (_, i) => `\\u${name.charCodeAt(i).toString(16).padStart(4, "0")}`).join("")}"`;
const spelled = fc
  .tuple(fc.constantFrom(...names), fc.boolean())
  .map(([name, asEscapes]) => [name, asEscapes ? escaped(name) : JSON.stringify(name)] as const);
const loose = fc.json({ depthSize: "small" }).map((text) => JSON.stringify(JSON.parse(text), null, 1));
const value = fc.oneof(
  fc.constantFrom(
    "1.0",
    "1E5",
    "-0",
    "9007199254740993",
    '"\\\\"',
    '"\\""',
    '"}"',
    '"a,b"',
    "{}",
    "[ ]",
    '"\\ud83d"',
  ),
  fc.constantFrom('[{"x":"]}"},[1 , 2],"\\\\\\""]', '{"a":{"model":"no","b":[{}]}}'),
  loose,
);
const piece: fc.Arbitrary<Piece> = fc
  .record({
    before: space,
    spelt: spelled,
    colon: fc.tuple(space, space).map(([left, right]) => `${left}:${right}`),
    value,
    after: space,
  })
  .map(({ spelt: [name, spelling], ...rest }) => ({ ...rest, name, spelling }));
const edits = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom(...names, "new", "zz"), fc.option(fc.jsonValue(), { nil: undefined })),
    {
      selector: ([name]) => name,
      maxLength: 5,
    },
  )
  .map((entries) => {
    const record: Record<string, never> = {};
    for (const [key, edited] of entries)
      Object.defineProperty(record, key, {
        value: edited,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    return record;
  });

const write = (pieces: Piece[], around: [string, string, string]): string =>
  `${around[0]}{${pieces.length === 0 ? around[1] : pieces.map((p) => p.before + p.spelling + p.colon + p.value + p.after).join(",")}}${around[2]}`;

test("the edited text parses to the edited object, and no byte outside the edits changes", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 6 }),
      fc.tuple(space, space, space),
      edits,
      (pieces, around, wanted) => {
        const text = write(pieces, around);
        const out = splice(text, wanted);
        const expected = new Map(pieces.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
        for (const [name, edited] of Object.entries(wanted)) {
          if (edited === undefined) expected.delete(name);
          else expected.set(name, JSON.parse(JSON.stringify(edited)));
        }
        expect(new Map(Object.entries(JSON.parse(out) as object))).toEqual(expected);
        // What is kept stands in its own spelling, in order.
        let from = 0;
        for (const kept of pieces.filter((p) => !Object.hasOwn(wanted, p.name))) {
          const at = out.indexOf(kept.spelling + kept.colon + kept.value, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + kept.spelling.length;
        }
      },
    ),
    { numRuns: 1500 },
  );
});

test("edits that replace leave exactly the text around the value", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      fc.jsonValue(),
      (pieces, pick, next) => {
        const { name } = pieces[pick % pieces.length] as Piece;
        const wanted = Object.defineProperty({}, name, { value: next, enumerable: true });
        const replaced = pieces.map((p) => (p.name === name ? { ...p, value: JSON.stringify(next) } : p));
        expect(splice(write(pieces, ["", "", "\n"]), wanted)).toBe(write(replaced, ["", "", "\n"]));
      },
    ),
  );
});

test("a text without edits is unchanged", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.tuple(space, space, space), (pieces, around) => {
      const text = write(pieces, around);
      expect(splice(text, {})).toBe(text);
      expect(splice(text, { absent: undefined })).toBe(text);
    }),
  );
});

test.each([
  ['{"a":1,"b":2,"c":3}', { a: undefined }, '{"b":2,"c":3}'],
  ['{"a":1,"b":2,"c":3}', { b: undefined }, '{"a":1,"c":3}'],
  ['{"a":1,"b":2,"c":3}', { c: undefined }, '{"a":1,"b":2}'],
  ['{"a":1,"b":2}', { a: undefined, b: undefined }, "{}"],
  ['{ "a" : 1 , "b" : 2 }', { b: undefined }, '{ "a" : 1 }'],
  ['{"a":1}', { a: undefined, n: 2 }, '{"n":2}'],
  ["{}", { n: [1] }, '{"n":[1]}'],
  ['{"a":1,"a":2}', { a: 3 }, '{"a":3,"a":3}'],
])("the text %s is edited with %o", (text, wanted, expected) => {
  expect(splice(text, wanted)).toBe(expected);
});

test("a large inline image is skipped", () => {
  const data = `${"A".repeat(1_000_000)}\\"${"\\\\".repeat(1000)}`;
  const text = `{"messages":[{"image":"${data}"}],"model":"one","tail":"${data}"}`;
  expect(splice(text, { model: "two" })).toBe(text.replace('"one"', '"two"'));
});

test("the text of a member is what parsers read of the object by that name", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 6 }),
      fc.tuple(space, space, space),
      fc.constantFrom(...names),
      (pieces, around, name) => {
        const last = pieces.findLast((one) => one.name === name);
        expect(memberText(write(pieces, around), name)).toBe(last?.value);
      },
    ),
  );
});
