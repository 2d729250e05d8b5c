import type { Message, Part } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hoist, toTurns } from "../../../packages/core/src/ir/turns.ts";

const part = fc.constantFrom<Part>({ type: "text", text: "x" }, { type: "result", id: "a", parts: [] });
const extra = fc.option(
  fc.record({
    protocol: fc.constantFrom("msgstyle", "genstyle"),
    fields: fc.dictionary(fc.string({ maxLength: 2 }), fc.nat()),
  }),
  { nil: undefined },
);
const message = fc
  .record({
    role: fc.constantFrom("user", "assistant", "system"),
    parts: fc.array(part, { maxLength: 3 }),
    extra,
  })
  .map((each) => each as Message);

test("turns alternate, keep every part, and results come first in a user's turn", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
      const turns = toTurns(messages);
      turns.forEach((turn, i) => {
        if (turn.role !== "system") expect(turns[i - 1]?.role).not.toBe(turn.role);
        if (turn.role !== "user") return;
        const kinds = turn.parts.map((each) => each.type);
        expect(kinds.lastIndexOf("result")).toBeLessThan(
          kinds.indexOf("text") < 0 ? kinds.length : kinds.indexOf("text"),
        );
      });
      const count = (list: Message[]): number => list.flatMap((each) => each.parts as Part[]).length;
      expect(count(turns)).toBe(count(messages));
      expect(toTurns(turns)).toEqual(turns);
    }),
  );
});

test("parts of one kind keep their order", () => {
  const say = (text: string): Message => ({ role: "user", parts: [{ type: "text", text }] });
  const [turn] = toTurns([
    say("a"),
    { role: "user", parts: [{ type: "result", id: "1", parts: [] }] },
    say("b"),
  ]);
  expect(turn?.parts).toEqual([
    { type: "result", id: "1", parts: [] },
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ]);
});

test("extra fields of one protocol are joined when neighbours are", () => {
  const say = (fields: Record<string, number>): Message => ({
    role: "assistant",
    parts: [],
    extra: { protocol: "msgstyle", fields },
  });
  expect(toTurns([say({ a: 1 }), say({ a: 2, b: 3 })])).toEqual([say({ a: 1, b: 3 })]);
});

test("the leading system messages are set apart, later ones stay", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
      const { system, rest } = hoist(messages);
      expect([...system, ...rest]).toEqual(messages);
      expect(system.every((each) => each.role === "system")).toBe(true);
      expect(rest[0]?.role).not.toBe("system");
    }),
  );
});
