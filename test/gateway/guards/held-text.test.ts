import { protocols } from "@manifold-gateway/core";
import type { Event } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyTexts, withTexts } from "../../../packages/gateway/src/guards/body-texts.ts";
import { HeldText } from "../../../packages/gateway/src/guards/held-text.ts";

const words = fc.array(
  fc.oneof(fc.constantFrom("a", "b. ", "c! ", "3.5", "\n", "。", "é"), fc.string({ maxLength: 40 })),
);
const parts = fc.array(
  fc.record({ type: fc.constantFrom("text" as const, "reasoning" as const), pieces: words }),
  { minLength: 1, maxLength: 3 },
);

/** The events of parts, one after the other. */
const eventsOf = (of: { type: "text" | "reasoning"; pieces: string[] }[]): Event[] => [
  { type: "start" },
  ...of.flatMap(({ type, pieces }, index): Event[] => [
    { type: "open", index, part: { type } },
    ...pieces.map((text): Event => ({ type: "delta", index, text })),
    { type: "close", index },
  ]),
  { type: "finish", reason: "stop" },
];
const textOf = (events: readonly Event[], index: number): string =>
  events.map((event) => (event.type === "delta" && event.index === index ? event.text : "")).join("");

describe("texts that are held back", () => {
  it("come out whole and in order after their check, and never before it", () => {
    fc.assert(
      fc.property(parts, (of) => {
        const held = new HeldText();
        const out: Event[] = [];
        const checked = new Map<number, string>();
        const release = () => {
          for (const { place, text } of held.waiting()) {
            const index = Number.parseInt(place, 10);
            checked.set(index, (checked.get(index) ?? "") + text);
          }
          out.push(...held.release(new Map()));
        };
        for (const event of eventsOf(of)) {
          out.push(...held.step(event));
          for (const [index] of of.entries()) expect(checked.get(index) ?? "").toContain(textOf(out, index));
          release();
        }
        out.push(...held.end());
        release();
        for (const [index, { pieces }] of of.entries()) expect(textOf(out, index)).toBe(pieces.join(""));
        const shape = (events: readonly Event[]) => events.filter(({ type }) => type !== "delta");
        expect(shape(out)).toEqual(shape(eventsOf(of)));
      }),
    );
  });

  it("are no more than a thousand characters and one piece, whatever a text looks like", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 200 }), { minLength: 20 }), (pieces) => {
        const held = new HeldText();
        held.step({ type: "open", index: 0, part: { type: "text" } });
        let inside = 0;
        for (const text of pieces) {
          held.step({ type: "delta", index: 0, text });
          inside += text.length;
          inside -= held.waiting().reduce((sum, one) => sum + one.text.length, 0);
          held.release(new Map());
          expect(inside).toBeLessThanOrEqual(1_000);
        }
      }),
    );
  });

  it("lose the proof and the tokens of a text that was changed", () => {
    const held = new HeldText();
    const seal = { protocol: "msgstyle" as const, value: "s" };
    held.step({ type: "open", index: 0, part: { type: "reasoning" } });
    held.step({ type: "delta", index: 0, text: "Ada." });
    expect(held.step({ type: "logprobs", index: 0, tokens: [{ token: "Ada", logprob: -1 }] })).toEqual([]);
    held.step({ type: "close", index: 0, seal });
    const [{ place } = { place: "" }] = held.waiting();
    expect(held.release(new Map([[place, "X."]]))).toEqual([
      { type: "delta", index: 0, text: "X." },
      { type: "close", index: 0 },
    ]);
  });
});

describe("the texts of a body", () => {
  const body = fc.dictionary(
    fc.constantFrom("messages", "input", "a/b", "c~d", "content"),
    fc.jsonValue({ maxDepth: 4 }),
    { maxKeys: 4 },
  );

  it("are all its strings, each at its place, and can be exchanged there alone", () => {
    fc.assert(
      fc.property(body, (of) => {
        const value = of as never;
        const texts = bodyTexts(value, protocols);
        const strings = JSON.stringify(of).length > 0 ? stringsIn(of) : [];
        expect(texts.map(({ text }) => text)).toEqual(strings.filter((text) => text !== ""));
        expect(withTexts(value, new Map(), protocols)).toEqual(of);
        const changed = withTexts(
          value,
          new Map(texts.map(({ place }, at) => [place, `text ${at}`])),
          protocols,
        );
        expect(bodyTexts(changed, protocols).map(({ text }) => text)).toEqual(
          texts.map((_, at) => `text ${at}`),
        );
      }),
    );
  });

  const stringsIn = (value: unknown): string[] => {
    if (typeof value === "string") return [value];
    if (Array.isArray(value)) return value.flatMap(stringsIn);
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
  };
});
