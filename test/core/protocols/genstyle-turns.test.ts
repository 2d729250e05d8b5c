import type { TextRequest } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import type { Message, Part } from "@manifold-gateway/core/ir";
import { describe, expect, test } from "vitest";
import {
  asked,
  call,
  decode,
  encode,
  hello,
  messagesOf,
  model,
  partsOf,
  result,
  user,
} from "./genstyle-kit.ts";

const SENTINEL = "skip_thought_signature_validator";
const text = (said: string): Part => ({ type: "text", text: said });
const answer = (id: string, ...parts: Part[]): Message => ({
  role: "user",
  parts: [{ type: "result", id, parts: parts as never }],
});
const calling = (id: string, more: JsonObject = {}): Part =>
  ({ type: "call", id, name: "f", arguments: "{}", ...more }) as Part;

describe("thoughts and their signatures", () => {
  test("a signature on a visible text follows it", () => {
    const contents = [user({ text: "Hi." }), model({ text: "Hello.", thoughtSignature: "c2ln" })];
    const seal = { protocol: "genstyle", value: "c2ln" };
    expect(partsOf(...contents).slice(1)).toEqual([text("Hello."), { type: "reasoning", text: "", seal }]);
    expect(encode(decode({ contents })).wire.contents[1]?.parts).toEqual([
      { text: "Hello." },
      { text: "", thoughtSignature: "c2ln" },
    ]);
  });
  test("what a chat kept as one content a chunk is one message, its thought whole", () => {
    const chunks: JsonObject[] = [
      { text: "I th", thought: true },
      { text: "ink.", thought: true },
      { text: "", thought: true, thoughtSignature: "c2ln" },
      { text: "One, " },
      { text: "two." },
      { text: "" },
    ];
    const expected = [
      { type: "reasoning", text: "I think.", seal: { protocol: "genstyle", value: "c2ln" } },
      text("One, two."),
    ];
    const messages = messagesOf(
      user({ text: "Count." }),
      ...chunks.map((part) => model(part)),
      user({ text: "Go on." }),
    );
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages[1]?.parts).toEqual(expected);
  });
  test("text and pictures of the model's turns have signatures or placeholders where a model demands them", () => {
    const inlineData = { mimeType: "image/png", data: "AAAA" };
    const contents = [
      user({ text: "Draw." }),
      model({ text: "Hm.", thought: true }, { text: "Here.", thoughtSignature: "c2ln" }, { inlineData }),
      user({ text: "Again." }),
      model({ text: "So be it." }, { inlineData }, { text: "Or this:" }),
      user({ text: "Once more." }),
    ];
    const signed = { turnSignatures: true };
    expect(encode(decode({ contents }), signed).wire.contents.map(({ parts }) => parts)).toEqual([
      [{ text: "Draw." }],
      [
        { text: "Hm.", thought: true },
        { text: "Here.", thoughtSignature: "c2ln" },
        { inlineData, thoughtSignature: SENTINEL },
      ],
      [{ text: "Again." }],
      [
        { text: "So be it.", thoughtSignature: SENTINEL },
        { inlineData, thoughtSignature: SENTINEL },
        { text: "Or this:" },
      ],
      [{ text: "Once more." }],
    ]);
    expect(JSON.stringify(encode(decode({ contents })).wire)).not.toContain(SENTINEL);
  });
  test("a foreign seal is not sent, and its text stays a thought", () => {
    const seal = { protocol: "msgstyle" as const, value: "x" };
    const { wire, losses } = encode(
      asked([
        hello,
        {
          role: "assistant",
          parts: [
            { type: "reasoning", text: "Hm.", seal },
            { type: "reasoning", text: "", redacted: true, seal },
            { type: "text", text: "Yes." },
          ],
        },
      ]),
    );
    expect(wire.contents[1]?.parts).toEqual([{ text: "Hm.", thought: true }, { text: "Yes." }]);
    expect(losses.map(({ path }) => path)).toEqual(["/messages/1/parts/0/seal", "/messages/1/parts/1"]);
  });
  const own = { seal: { protocol: "genstyle", value: "c2ln" } };
  const loop = [
    hello,
    { role: "assistant", parts: [calling("a")] },
    answer("a"),
    { role: "assistant", parts: [text("Done.")] },
    hello,
    { role: "assistant", parts: [text("I look."), calling("b", own), calling("c")] },
    { role: "user", parts: [...answer("b").parts, ...answer("c").parts, text("Careful.")] },
    {
      role: "assistant",
      parts: [calling("d", { seal: { protocol: "responses", value: "x" } }), calling("e")],
    },
    { role: "user", parts: [...answer("d").parts, ...answer("e").parts] },
  ] as Message[];
  const signatures = (what: TextRequest, traits = {}): unknown[] =>
    encode(what, traits).wire.contents.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.functionCall ? [part.thoughtSignature] : [])),
    );
  test("the first call of each step since the user spoke carries a signature, true or not", () => {
    expect(signatures(asked(loop))).toEqual([undefined, "c2ln", undefined, SENTINEL, undefined]);
    expect(signatures(asked(loop), { thinkingBy: "budget" })).toEqual([
      undefined,
      "c2ln",
      undefined,
      undefined,
      undefined,
    ]);
  });
  test.each([SENTINEL, btoa(SENTINEL), btoa("context_engineering_is_the_way_to_go")])(
    "the stand-in for a signature seals nothing when it comes back: %s",
    (thoughtSignature) => {
      expect(partsOf(model({ ...call("f"), thoughtSignature }))[0]).not.toHaveProperty("seal");
    },
  );
});

describe("genstyle turns", () => {
  test("neighbours of one role are joined, results first, system text in its place", () => {
    const { wire, losses } = encode(
      asked([
        { role: "system", parts: [{ type: "text", text: "A" }] },
        { role: "system", parts: [{ type: "text", text: "B" }], developer: true },
        hello,
        { role: "assistant", parts: [calling("a")] as never },
        { role: "user", parts: [{ type: "text", text: "Here." }, ...answer("a").parts] as never },
        { role: "system", parts: [{ type: "text", text: "C" }] },
      ]),
    );
    expect(wire.systemInstruction).toEqual({ parts: [{ text: "A" }, { text: "B" }] });
    expect(wire.contents.map(({ role }) => role)).toEqual(["user", "model", "user"]);
    expect(wire.contents[2]?.parts).toEqual([
      result("f", { output: "" }, "a"),
      { text: "Here." },
      { text: "C" },
    ]);
    expect(losses.map(({ path }) => path)).toEqual(["/messages/1/developer", "/messages/5"]);
  });
  test("a conversation of system text alone is the user's", () => {
    const { wire } = encode(asked([{ role: "system", parts: [{ type: "text", text: "A" }] }]));
    expect(wire).toEqual({ contents: [user({ text: "A" })] });
  });
  test("system text beside empty turns is the user's", () => {
    const system = { role: "system", parts: [{ type: "text", text: "A" }] } as const;
    const { wire, losses } = encode(
      asked([system as never, { role: "user", parts: [{ type: "text", text: "" }] }]),
    );
    expect(wire).toEqual({ contents: [user({ text: "A" })] });
    expect(losses.map(({ path }) => path)).toContain("/messages/0");
  });
  test("calls are never the first turn", () => {
    const { wire } = encode(asked([{ role: "assistant", parts: [calling("a")] as never }, answer("a")]));
    expect(wire.contents.map(({ role }) => role)).toEqual(["user", "model", "user"]);
  });
  test("an empty turn is left out, by name", () => {
    const { wire, losses } = encode(asked([hello, { role: "assistant", parts: [] }, hello]));
    expect(wire.contents).toEqual([user({ text: "Hello." }, { text: "Hello." })]);
    expect(losses.map(({ path }) => path)).toEqual(["/messages/1"]);
  });
});
