import { type Event, fold, unfold } from "@manifold-gateway/core/ir";
import { expect, test } from "vitest";

test("folding twice gives the same, and the events are not changed", () => {
  const events: Event[] = [
    { type: "open", index: 0, part: { type: "text" } },
    { type: "delta", index: 0, text: "a" },
    { type: "cite", index: 0, citation: { url: "u" } },
    { type: "logprobs", index: 0, tokens: [{ token: "a", logprob: -1 }] },
    { type: "delta", index: 0, text: "b" },
    { type: "logprobs", index: 0, tokens: [{ token: "b", logprob: -2 }] },
    { type: "close", index: 0 },
  ];
  const before = structuredClone(events);
  const reply = fold(events);
  expect(fold(events)).toEqual(reply);
  expect(events).toEqual(before);
  expect(reply.choices[0]?.parts).toEqual([
    {
      type: "text",
      text: "ab",
      citations: [{ url: "u" }],
      logprobs: [
        { token: "a", logprob: -1 },
        { token: "b", logprob: -2 },
      ],
    },
  ]);
  const once = structuredClone(reply);
  fold([...unfold(reply), { type: "logprobs", index: 0, tokens: [{ token: "c", logprob: -3 }] }]);
  expect(reply).toEqual(once);
});

test("simultaneous parts grow apart", () => {
  const reply = fold([
    { type: "open", index: 0, part: { type: "call", id: "1", name: "a" } },
    { type: "open", index: 1, choice: 1, part: { type: "text" } },
    { type: "delta", index: 0, text: "{" },
    { type: "delta", index: 1, text: "x" },
    { type: "delta", index: 0, text: "}" },
    { type: "close", index: 1 },
    { type: "close", index: 0 },
  ]);
  expect(reply.choices).toEqual([
    { parts: [{ type: "call", id: "1", name: "a", arguments: "{}" }] },
    { parts: [{ type: "text", text: "x" }] },
  ]);
});

test("the last usage counts, and a delta without a part is ignored", () => {
  expect(
    fold([
      { type: "usage", usage: { input: 1, output: 0 } },
      { type: "delta", index: 9, text: "lost" },
      { type: "opaque", protocol: "msgstyle", value: { type: "ping" } },
      { type: "close", index: 9, seal: { protocol: "msgstyle", value: "s" } },
      { type: "usage", usage: { input: 1, output: 5 } },
    ]),
  ).toEqual({ choices: [], usage: { input: 1, output: 5 } });
});
