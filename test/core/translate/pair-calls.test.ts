import { collectLosses } from "@manifold-gateway/core";
import type { Message, Part } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pairCalls } from "../../../packages/core/src/translate/pair-calls.ts";
import { asked } from "./text-request.ts";

const id = fc.constantFrom("a", "b", "c", "a_2", "");
const text = fc.constantFrom("x", "y", "").map((said) => ({ type: "text" as const, text: said }));
const call = id.map((each) => ({ type: "call" as const, id: each, name: `tool_${each}`, arguments: "{}" }));
const result = fc
  .tuple(id, fc.array(text, { maxLength: 2 }))
  .map(([each, parts]) => ({ type: "result" as const, id: each, parts }));
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    role: fc.constant("assistant" as const),
    parts: fc.array(fc.oneof(text, call), { maxLength: 3 }),
  }),
  fc.record({
    role: fc.constant("user" as const),
    parts: fc.array(fc.oneof(text, result), { maxLength: 3 }),
  }),
  fc.record({ role: fc.constant("system" as const), parts: fc.array(text, { maxLength: 1 }) }),
);
const history = fc.array(message, { maxLength: 8 });

const mend = (messages: Message[]) => {
  const { losses, lose } = collectLosses();
  return { messages: pairCalls(asked(messages), lose).messages, losses };
};
const calls = (message: Message): string[] =>
  message.parts.flatMap((part: Part) => (part.type === "call" ? [part.id] : []));
const results = (message: Message | undefined): string[] =>
  (message?.parts ?? []).flatMap((part: Part) => (part.type === "result" ? [part.id] : []));

describe("the repair of any history", () => {
  test("a repaired step ends with one result for each call, behind its calls, in their order, first in the turn", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const mended = mend(messages).messages;
        const seen: string[] = [];
        mended.forEach((each, i) => {
          if (calls(each).length > 0) {
            const next = mended[i + 1];
            expect(next?.role).toBe("user");
            expect(
              next?.parts.slice(0, calls(each).length).map((part) => part.type === "result" && part.id),
            ).toEqual(calls(each));
            seen.push(...calls(each));
          }
          expect(results(each).length).toBe(i === 0 ? 0 : calls(mended[i - 1] as Message).length);
        });
        expect(new Set(seen).size).toBe(seen.length);
      }),
      { numRuns: 2000 },
    );
  });

  test("a second repair changes nothing and loses nothing", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const once = mend(messages).messages;
        expect(mend(once)).toEqual({ messages: once, losses: [] });
      }),
      { numRuns: 1000 },
    );
  });

  test("a repair keeps every text, and every result is there or named in a loss", () => {
    const texts = (messages: Message[]): string[] =>
      messages
        .flatMap((each) => each.parts as Part[])
        .flatMap((part) => (part.type === "text" ? [part] : part.type === "result" ? part.parts : []))
        .flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []));
    fc.assert(
      fc.property(history, (messages) => {
        const { messages: mended, losses } = mend(messages);
        const dropped = losses.filter((loss) => loss.why === "unsupported");
        const gone = dropped.flatMap(({ path }) => {
          const [, , at, , which] = path.split("/");
          const part = messages[Number(at)]?.parts[Number(which)] as Part;
          return texts([{ role: "user", parts: [part] } as Message]);
        });
        const invented = ["No result.", "(empty tool result)"];
        const left = texts(mended).filter((each) => !invented.includes(each));
        expect([...left, ...gone].sort()).toEqual(texts(messages).sort());
        const paired = mended.flatMap((each) => results(each)).length;
        const unanswered = losses.filter((loss) => loss.detail?.startsWith("the call")).length;
        const orphans = losses.filter((loss) => loss.detail?.startsWith("no call")).length;
        expect(paired - unanswered + orphans + dropped.length).toBe(
          messages.flatMap((each) => results(each)).length,
        );
      }),
      { numRuns: 1000 },
    );
  });

  test("a history without tools is left as it is", () => {
    fc.assert(
      fc.property(
        fc.array(message.filter((each) => calls(each).length + results(each).length === 0)),
        (messages) => {
          expect(mend(messages)).toEqual({ messages, losses: [] });
        },
      ),
    );
  });
});

const say = (role: "user" | "assistant" | "system", ...parts: Part[]): Message =>
  ({ role, parts }) as Message;
const said = (words: string): Part => ({ type: "text", text: words });
const asks = (...ids: string[]): Message =>
  say("assistant", ...ids.map((each): Part => ({ type: "call", id: each, name: "t", arguments: "{}" })));
const answers = (each: string, words = each): Part => ({
  type: "result",
  id: each,
  parts: [{ type: "text", text: words }],
});

describe("the repair of a step", () => {
  test("a well-formed step is left alone, to the object", () => {
    const messages = [
      say("user", said("hi")),
      asks("a", "b"),
      say("user", answers("a"), answers("b"), said("go on")),
    ];
    const mended = mend(messages);
    expect(mended.losses).toEqual([]);
    mended.messages.forEach((each, i) => {
      expect(each).toBe(messages[i]);
    });
  });

  test("what stands between a call and its results is moved behind them", () => {
    const system = say("system", said("be brief"));
    expect(mend([asks("a"), system, say("user", answers("a"))]).messages).toEqual([
      asks("a"),
      say("user", answers("a")),
      system,
    ]);
  });

  test("results that come late in the step are found", () => {
    const mended = mend([
      asks("a", "b"),
      say("user", answers("b")),
      say("user", said("wait")),
      say("user", answers("a")),
    ]);
    expect(mended.messages).toEqual([
      asks("a", "b"),
      say("user", answers("a"), answers("b")),
      say("user", said("wait")),
    ]);
    expect(mended.losses).toEqual([]);
  });

  test("calls that share an id are paired in order, and told apart", () => {
    const mended = mend([asks("a", "a"), say("user", answers("a", "first"), answers("a", "second"))]);
    expect(mended.messages).toEqual([
      asks("a", "a_2"),
      say("user", answers("a", "first"), { ...answers("a", "second"), id: "a_2" } as Part),
    ]);
  });

  test("the last of several results is kept, and the others are named", () => {
    const mended = mend([asks("a"), say("user", answers("a", "old")), say("user", answers("a", "new"))]);
    expect(mended.messages).toEqual([asks("a"), say("user", answers("a", "new"))]);
    expect(mended.losses).toMatchObject([{ path: "/messages/1/parts/0", why: "unsupported" }]);
  });

  test("a result without its call becomes text of the user", () => {
    const mended = mend([say("user", answers("gone", "42"))]);
    expect(mended.messages).toEqual([say("user", said("42"))]);
    expect(mended.losses).toMatchObject([{ path: "/messages/0/parts/0", why: "approximated" }]);
  });

  test("a call without a result is answered", () => {
    const mended = mend([asks("a"), say("user", said("never mind"))]);
    expect(mended.messages[1]?.parts).toMatchObject([
      { type: "result", id: "a", failed: true },
      said("never mind"),
    ]);
    expect(mended.losses).toMatchObject([{ path: "/messages/0/parts/0", why: "approximated" }]);
  });
});
