import { protocols, splice } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { bytesOf, type Pieces } from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyLimits, parseBody } from "../../../packages/gateway/src/http/body.ts";
import { markExclusive } from "../../../packages/gateway/src/http/buffer-release.ts";
import { JsonBody } from "../../../packages/gateway/src/http/json-body.ts";
import { Measured } from "../../../packages/gateway/src/http/measure.ts";
import { COPIED } from "../../../packages/gateway/src/http/skeleton.ts";
import { storable } from "../../../packages/gateway/src/http/storable-body.ts";

/** Strings on both sides of the lengths from which on they are left where they are. */
const text = fc
  .tuple(
    fc.constantFrom("Q", "é", "🌊", '"', "\\", "\n", "a b", ": [1, ", "data:;base64,QUJD", "mfseal1"),
    fc.constantFrom(0, 1, 5_000, 17_000, 40_000),
  )
  .map(([piece, times]) => piece.repeat(times));
const name = fc.oneof(fc.constantFrom("url", "data", "file_data", "content", "model"), text, fc.string());
const numbers = fc.constant(Array.from({ length: 20_000 }, (_, i) => i % 10));
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.jsonValue(),
    numbers,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(name, json, { maxKeys: 4 }) as fc.Arbitrary<JsonObject>;

const read = (written: string): JsonBody => parseBody(Buffer.from(written), bodyLimits.media);

it("a JSON body reads every text as JSON.parse does", () => {
  fc.assert(
    fc.property(object, fc.nat(100), (value, spaces) => {
      const written = JSON.stringify(value).replaceAll('":', `"${" ".repeat(spaces)}:`);
      expect(read(written).value).toEqual(JSON.parse(written));
      expect(read(`\ufeff${written}`).value).toEqual(JSON.parse(written));
    }),
  );
});

it("a JSON body reports invalid text as JSON.parse does", () => {
  const told = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return /position \d+|$/.exec((error as Error).message)?.[0];
    }
  };
  fc.assert(
    fc.property(json, fc.nat(), fc.constantFrom("", '"', "{", ",", "\\", "x"), (value, place, put) => {
      const written = JSON.stringify({ value, end: "Q".repeat(40_000) });
      const at = 1 + (place % (written.length - 1));
      // A pair of surrogates that is torn apart is no longer the same in UTF-8.
      const broken = Buffer.from(written.slice(0, at) + put + written.slice(at + 1)).toString();
      expect(told(() => read(broken).value)).toEqual(told(() => JSON.parse(broken)));
    }),
  );
});

it("a JSON body does not parse a text that is too large", () => {
  const bytes = Buffer.from(`{"messages":[${"[".repeat(10_000)}`);
  expect(() => parseBody(bytes, 9_999)).toThrow(/may have at most 9999 bytes/);
  expect(() => parseBody(bytes, 99_999)).toThrow(/not valid JSON/);
});

it("a JSON body changes members as if all of it were text", () => {
  fc.assert(
    fc.property(object, fc.dictionary(name, fc.oneof(json, fc.constant(undefined))), (value, edits) => {
      const written = JSON.stringify(value);
      const edited = Buffer.from(bytesOf(read(written).edited(edits as JsonObject))).toString();
      expect(edited).toBe(splice(written, edits as JsonObject));
    }),
  );
});

it("a JSON body is measured and stored the same, decoded or not", () => {
  fc.assert(
    fc.property(object, (value) => {
      const written = JSON.stringify(value);
      const body = read(written);
      expect(body.measure).toEqual(new Measured(body.value, protocols));
      const decoded = new JsonBody(body.bytes, { text: written, largeStrings: [] }, body.value);
      expect(storable(read(written))).toEqual(storable(decoded));
    }),
  );
});

it("a body that was sent keeps its measures alone, and a large one its bytes until they are released", () => {
  fc.assert(
    fc.property(object, fc.constantFrom("", "m".repeat(COPIED)), (value, name) => {
      const body = read(JSON.stringify({ ...value, name }));
      const { size } = body;
      const measure = new Measured(body.value, protocols);
      body.forget();
      expect({ size: body.size, measure: body.measure }).toEqual({ size, measure });
      for (const read of [() => body.skeleton.text, () => Object.keys(body.lazy), () => body.value])
        expect(read).toThrow("revoked");
      if (size < COPIED) expect(() => body.bytes).toThrow("released");
      else expect(body.bytes.length).toBe(size);
    }),
  );
});

it("a member of a JSON body that is decoded late is like any other", () => {
  const data = "QUJD".repeat(20_000);
  const body = read(JSON.stringify({ source: { data, type: "base64" } }));
  const copy = (): unknown => ({ ...(body.value.source as JsonObject) });
  expect(Object.keys(body.value.source as JsonObject)).toEqual(["data", "type"]);
  expect(JSON.parse(JSON.stringify(body.value))).toEqual({ source: { data, type: "base64" } });
  expect(copy()).toEqual({ data, type: "base64" });
  (body.value.source as JsonObject).data = "other";
  expect(copy()).toEqual({ data: "other", type: "base64" });
});

describe("the memory of a large body", () => {
  const written = JSON.stringify({ model: "m", image_url: { url: "A".repeat(300_000) }, n: 1 });
  const large = (): { body: JsonBody; bytes: Buffer } => {
    const bytes = Buffer.concat([Buffer.from(written)]);
    markExclusive(bytes);
    return { body: parseBody(bytes, bodyLimits.media), bytes };
  };
  const changes: [string, JsonObject][] = [
    ["as it came", {}],
    ["with another model", { model: "other" }],
  ];

  it.each(changes)("the memory of a large body is freed when it was sent %s", (_, edits) => {
    const { body, bytes } = large();
    const sent = bytesOf(body.edited(edits));
    expect(JSON.parse(Buffer.from(sent).toString())).toEqual({ ...JSON.parse(written), ...edits });
    body.release();
    expect(bytes).toHaveLength(0);
  });

  it.each(changes)(
    "the memory of a large body is kept while a piece may still be on its way: %s",
    (_, edits) => {
      const { body, bytes } = large();
      const whole = bytes.length;
      for (const piece of body.edited(edits) as Pieces) if (piece.length > 100_000) break;
      body.release();
      expect(bytes).toHaveLength(whole);
    },
  );

  it("a large body cannot be sent again after its memory was freed", () => {
    const { body } = large();
    const sent = body.edited({ model: "other" }) as Pieces;
    body.release();
    expect(() => [...sent]).toThrow("has been released");
  });

  it("memory of a large body that others may share is not freed", () => {
    const bytes = Buffer.from(written);
    parseBody(bytes, bodyLimits.media).release();
    expect(bytes.toString()).toBe(written);
  });
});
