import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PartHead } from "../../../packages/gateway/src/http/disposition.ts";
import { boundaryOf, Multipart } from "../../../packages/gateway/src/http/multipart.ts";

interface Part {
  name: string;
  filename?: string;
  contents: Uint8Array;
}
type ReadPart = PartHead & { contents: Buffer; from: number; start: number; end: number };

const BOUNDARY = "----edge";
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

function write(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, filename, contents }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}\r\n`,
    filename === undefined ? "\r\n" : "Content-Type: audio/wav\r\n\r\n",
    contents,
    "\r\n",
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece as string)));
}

/** The parts of a form that arrives in pieces of some size, where each piece is overwritten once it was taken. */
function read(bytes: Uint8Array, size = bytes.length, type = TYPE): { parts: ReadPart[]; last: number } {
  const parts: ReadPart[] = [];
  let head: PartHead & { from: number } = { name: "", from: 0 };
  let contents: Buffer[] = [];
  const form = new Multipart(type, {
    begin(part, from) {
      head = { ...part, from };
      contents = [];
    },
    write: (some) => void contents.push(Buffer.from(some)),
    end: (start, end) => void parts.push({ ...head, contents: Buffer.concat(contents), start, end }),
  });
  for (let at = 0; at < bytes.length; at += size) form.push(Buffer.from(bytes.subarray(at, at + size)));
  form.end();
  return { parts, last: form.last };
}

const name = fc
  .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 })
  .filter((text) => !/[%"\\]/.test(text));
/** Contents that look like the ends of parts. */
const contents = fc
  .array(fc.constantFrom("\r\n", "--", BOUNDARY.slice(0, 5), "-", "\r", "\n", "a", "\u0000", "ü"), {
    maxLength: 20,
  })
  .map((texts) => Buffer.from(texts.join("")))
  .filter((bytes) => !bytes.includes(`\r\n--${BOUNDARY}`));
const anyPart: fc.Arbitrary<Part> = fc.record(
  { name, filename: name, contents },
  { requiredKeys: ["name", "contents"] },
);

describe("a form that arrives in pieces", () => {
  it("a form is read alike however it is cut, and its places are those of its bytes", () => {
    const forms = fc.array(anyPart, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(forms, fc.integer({ min: 1, max: 40 }), (parts, size) => {
        const bytes = write(parts);
        const { parts: result, last } = read(bytes, size);
        expect(result.map(({ name, filename, contents }) => ({ name, filename, contents }))).toEqual(
          parts.map(({ name, filename, contents }) => ({ name, filename, contents })),
        );
        const edge = `--${BOUNDARY}`;
        for (const { from, start, end, contents } of result) {
          expect(bytes.subarray(start, end)).toEqual(contents);
          expect(bytes.toString("latin1", from, from + edge.length)).toBe(edge);
        }
        expect(bytes.toString("latin1", last)).toBe(`${edge}--\r\n`);
      }),
      { numRuns: 200 },
    );
  });

  it("a form that ends early, wherever, is refused", () => {
    const bytes = write([
      { name: "model", contents: Buffer.from("m") },
      { name: "file", filename: "a.wav", contents: Buffer.from("RIFF") },
    ]);
    // The line end after the last boundary may be missing.
    for (let end = 0; end <= bytes.length - 3; end++)
      expect(() => read(bytes.subarray(0, end)), String(end)).toThrow(/multipart form/);
    expect(read(bytes.subarray(0, -2)).parts).toHaveLength(2);
  });

  const field = 'Content-Disposition: form-data; name="a"';
  const part = (head: string, value = "1"): string => `--${BOUNDARY}\r\n${head}\r\n\r\n${value}\r\n`;
  const end = `--${BOUNDARY}--\r\n`;
  it.each([
    ["no form", "{}"],
    ["something before it", `hello\r\n${part(field)}${end}`],
    ["something after it", `${part(field)}${end}--more`],
    ["another form after it", `${part(field)}${end}${part(field)}${end}`],
    ["a boundary that goes on", `${part(field)}--${BOUNDARY}x\r\n\r\n\r\n${end}`],
    ["no name", part("Content-Disposition: form-data") + end],
    ["no head", part("X-Other: 1") + end],
    ["another disposition", part('Content-Disposition: attachment; name="a"') + end],
    ["two names", part('Content-Disposition: form-data; name="a"; name="b"') + end],
    ["two dispositions", part(`${field}\r\n${field}`) + end],
    ["a head of many bytes", part(`${field}\r\nX-Long: ${"x".repeat(17_000)}`) + end],
    ["a head without end", `--${BOUNDARY}\r\n${field}${"x".repeat(20_000)}`],
    ["an encoding of its own", part(`${field}\r\nContent-Transfer-Encoding: base64`) + end],
    ["many parts", part(field).repeat(257) + end],
  ])("a form with %s is refused", (_, text) => {
    for (const size of [text.length, 7])
      expect(() => read(Buffer.from(text), size)).toThrow(expect.objectContaining({ status: 400 }));
  });

  it.each([
    ["multipart/form-data; boundary=abc", "abc"],
    ['multipart/form-data; charset=utf-8; boundary="a b"', "a b"],
    ["multipart/form-data;Boundary=abc", "abc"],
  ])("the boundary of %s is found", (type, boundary) => expect(boundaryOf(type)).toBe(boundary));

  it.each(["multipart/form-data; charset=utf-8", `multipart/form-data; boundary=${"x".repeat(71)}`])(
    "%s has no boundary",
    (type) => expect(() => boundaryOf(type)).toThrow(/has no boundary of 1 to 70 characters/),
  );
});
