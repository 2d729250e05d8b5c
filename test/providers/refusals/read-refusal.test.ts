import { traitSchemas } from "@manifold-gateway/core/configuration";
import { readRefusal } from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { z } from "zod";
import { bodies, others } from "./bodies/index.ts";

const traits = z.strictObject(traitSchemas).partial();

describe("the reader of refusals", () => {
  test.each(bodies.map((row) => [row.vendor, JSON.stringify(row.body), row] as const))(
    "reads what a body of %s says of its model: %s",
    (_, _body, { status = 400, body, before, traits: expected }) => {
      const reading = readRefusal(status, body as never, before);
      expect(reading?.traits).toEqual(expected);
      expect(traits.parse(reading?.traits)).toEqual(expected);
      expect(reading?.because).toMatch(/\w{3}/);
    },
  );

  it("knows more than forty bodies of more than ten vendors", () => {
    expect(bodies.length).toBeGreaterThan(60);
    expect(new Set(bodies.map(({ vendor }) => vendor)).size).toBeGreaterThan(15);
  });

  test.each(others)("learns nothing from $what ($status)", ({ status, body }) => {
    expect(readRefusal(status, body as never)).toBeUndefined();
  });

  it("does not repeat a caller's words", () => {
    const text = "words of another account";
    const message = `Unsupported value: 'temperature' does not support ${text} with this model. Only the default (1) value is supported.`;
    const reading = readRefusal(400, { error: { message, param: "temperature" } });
    expect(reading?.because).toContain("does not support … with this model");
    expect(JSON.stringify(reading)).not.toContain(text);
  });

  it("gives known traits or nothing for any body, and does not throw", () => {
    const words = fc.oneof(
      fc.string(),
      fc.constantFrom(...bodies.map(({ body }) => body).flatMap((body) => stringsIn(body))),
      fc
        .tuple(fc.constantFrom(...bodies.flatMap(({ body }) => stringsIn(body))), fc.nat(80), fc.string())
        .map(([text, at, added]) => text.slice(0, at) + added + text.slice(at)),
    );
    const names = fc.constantFrom(
      "error",
      "message",
      "param",
      "code",
      "detail",
      "loc",
      "msg",
      "metadata",
      "raw",
      "details",
    );
    const { body } = fc.letrec((tie) => ({
      body: fc.oneof(
        { maxDepth: 6 },
        words,
        fc.jsonValue(),
        fc.array(tie("body"), { maxLength: 4 }),
        fc.dictionary(names, tie("body")),
      ),
    }));
    fc.assert(
      fc.property(fc.constantFrom(400, 401, 422, 429, 500, 503), body, (status, value) => {
        const reading = readRefusal(status, value as never);
        if (reading) expect(traits.safeParse(reading.traits).error).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});

/** All texts in a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
