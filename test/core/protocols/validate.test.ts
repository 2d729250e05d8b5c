import { restoreDigits, validate } from "@manifold-gateway/core/codec";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const schema = z.looseObject({
  name: z.string().min(1).max(8),
  list: z.array(z.unknown()).min(1).nullish(),
  either: z.union([z.string().min(1), z.looseObject({})]).nullish(),
});
const bare = () => ({ toString: 1, valueOf: 1 });

describe("a schema", () => {
  it.each([{ name: { length: bare() } }, { name: "x", list: { length: bare() } }])(
    "a schema finds the wrong type of %j, where zod alone throws",
    (value) => {
      expect(() => schema.safeParse(value)).toThrow(TypeError);
      expect(validate(schema, value).error?.issues[0]).toMatchObject({ code: "invalid_type" });
    },
  );

  it("a schema takes a value with such a `length` where any object will do, and leaves it as it was", () => {
    const value = { name: "x", either: { length: bare(), more: 1 } };
    expect(() => schema.safeParse(value)).toThrow(TypeError);
    const { data } = validate(schema, value);
    expect(JSON.stringify(data)).toBe(JSON.stringify(value));
    expect(Object.keys(data?.either as object)).toEqual(["length", "more"]);
  });

  it("a schema finds the wrong type of an object whose `length` is a long integer", () => {
    const text = '{"name":{"length":12345678901234567890}}';
    const value = restoreDigits(JSON.parse(text), text);
    expect(validate(schema, value).success).toBe(false);
  });

  it("an error thrown inside a schema by a defect is not swallowed", () => {
    const broken = z.unknown().refine(() => {
      throw new TypeError("a defect");
    });
    expect(() => validate(broken, {})).toThrow("a defect");
  });
});
