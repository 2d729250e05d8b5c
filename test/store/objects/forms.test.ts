import { resolve, sep } from "node:path";
import { parse } from "content-disposition";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentDisposition, safeFilename } from "../../../packages/store/src/objects/disposition.ts";
import { isObjectKey } from "../../../packages/store/src/objects/key.ts";
import { readRange } from "../../../packages/store/src/objects/range.ts";
import { keys } from "./bytes.ts";

describe("object keys", () => {
  it("object keys are those that this service makes", () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(isObjectKey(key)).toBe(true);
      }),
    );
    expect(isObjectKey(`${"a/".repeat(7)}a.png`)).toBe(true);
    expect(isObjectKey(`${"a/".repeat(8)}a.png`)).toBe(false);
    expect(isObjectKey("a".repeat(65))).toBe(false);
    expect(isObjectKey(Array(4).fill("a".repeat(60)).join("/"))).toBe(false);
  });

  it("object keys never lead out of a folder, and stand in an address as they are", () => {
    const pieces = fc.constantFrom(
      "a",
      "0",
      "..",
      ".",
      "/",
      "\\",
      "%2e",
      "%2f",
      "\0",
      "~",
      ":",
      "C:",
      "é",
      " ",
      "-",
      "_",
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
        (text) => {
          if (!isObjectKey(text)) return;
          expect(resolve("/root", text).startsWith(`/root${sep}`)).toBe(true);
          expect(new URL(`https://x/${text}`).pathname).toBe(`/${text}`);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("file names", () => {
  const name = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.string({ unit: "grapheme" }));

  it("a file name makes a header of printable ASCII from which it can be read again", () => {
    fc.assert(
      fc.property(name, (text) => {
        const header = contentDisposition("video/mp4", text);
        expect(header).toMatch(/^inline[ -~]*$/);
        expect(parse(header).parameters.filename ?? "").toBe(safeFilename(text));
      }),
    );
  });

  it("a cleaned file name contains no folder and no hidden characters", () => {
    fc.assert(
      fc.property(name, (text) => {
        const safe = safeFilename(text);
        expect(safe).not.toMatch(/^[.\s]|[/\\:*?"<>|\p{Cc}\p{Cf}]/u);
        expect([...safe].length).toBeLessThanOrEqual(150);
        expect(safeFilename(safe)).toBe(safe);
      }),
    );
    expect(safeFilename("../../etc/passwd")).toBe("_.._etc_passwd");
    expect(safeFilename("cat\u202Egpj.exe")).toBe("catgpj.exe");
    expect(contentDisposition("application/zip", " . ")).toBe("attachment");
  });
});

describe("range headers", () => {
  it("a range header is read without harm, whatever it says", () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^bytes=[0-9, -]{0,40}$/));
    fc.assert(
      fc.property(text, fc.nat(1_000), (header, size) => {
        const range = readRange(header, size);
        if (range === undefined || range === "outside") return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThan(size);
      }),
      { numRuns: 1_000 },
    );
  });
});
