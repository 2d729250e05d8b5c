import fc from "fast-check";
import { expect, it } from "vitest";
import { GrowingObject } from "../../../packages/core/src/json/growing-object.ts";
import { parseObject } from "../../../packages/core/src/json/json.ts";

const text = fc.oneof(
  fc.json(),
  fc.object().map((value) => ` ${JSON.stringify(value, null, 1)}\n`),
  fc.array(fc.constantFrom(...'{}[]"\\:,1 a\u00a0\n')).map((characters) => characters.join("")),
);

it("an object that grows is whole whenever its text is that of an object", () => {
  fc.assert(
    fc.property(text, text, fc.array(fc.nat()), (first, second, cuts) => {
      const growing = new GrowingObject();
      const whole = first + second;
      const at = [...cuts.map((cut) => cut % (whole.length + 1)), first.length, whole.length];
      let from = 0;
      for (const to of at.sort((a, b) => a - b)) {
        growing.add(whole.slice(from, to));
        from = to;
        expect(growing.isWhole()).toBe(parseObject(whole.slice(0, to)) !== undefined);
      }
      expect(growing.text).toBe(whole);
    }),
  );
});
