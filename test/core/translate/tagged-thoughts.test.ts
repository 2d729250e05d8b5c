import { codecs, encodeRequest, type TextRequest } from "@manifold-gateway/core";
import { type Machine, run, type Traits, toArray, toObject } from "@manifold-gateway/core/codec";
import { type Event, fold, type Part } from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { untagThoughts } from "../../../packages/core/src/translate/untag-thoughts.ts";

const { chatstyle } = codecs;

/** The events of a reply of one text in these pieces, and of a call behind it. */
const eventsOf = (pieces: readonly string[], before: readonly Event[] = []): Event[] => [
  ...before,
  { type: "open", index: before.length / 2, part: { type: "text" } },
  ...pieces.map((text): Event => ({ type: "delta", index: before.length / 2, text })),
  { type: "close", index: before.length / 2 },
  { type: "open", index: before.length / 2 + 1, part: { type: "call", id: "1", name: "look" } },
  { type: "delta", index: before.length / 2 + 1, text: "{}" },
  { type: "close", index: before.length / 2 + 1 },
  { type: "finish", reason: "tool_calls", raw: "tool_calls" },
];

const read = (machine: Machine<Event, Event>, events: readonly Event[]): readonly Part[] =>
  fold(run(machine, events)).choices[0]?.parts ?? [];

/** The kinds and texts of the parts of a reply, without the call that ends it. */
function partsOf(events: readonly Event[], begun = false): [type: string, text: string][] {
  const parts = read(untagThoughts("think", begun), events);
  expect(parts.at(-1)).toMatchObject({ type: "call", name: "look", arguments: "{}" });
  return parts.slice(0, -1).map((part) => [part.type, "text" in part ? part.text : ""]);
}

const replies: [title: string, text: string, parts: [string, string][], begun?: boolean][] = [
  [
    "thoughts and an answer",
    "<think>\nWhy?\n</think>\n\nSo.",
    [
      ["reasoning", "Why?"],
      ["text", "So."],
    ],
  ],
  [
    "white space before the tag",
    "\n <think>Why?</think>So.",
    [
      ["reasoning", "Why?"],
      ["text", "So."],
    ],
  ],
  ["thoughts alone", "<think>Why?</think>\n\n", [["reasoning", "Why?"]]],
  ["thoughts that are cut off", "<think>Why? <", [["reasoning", "Why? <"]]],
  ["no thoughts in the tag", "<think>\n\n</think>\n\nSo.", [["text", "So."]]],
  ["no tag", " So <b>.", [["text", " So <b>."]]],
  ["a tag inside the answer", "Write <think>x</think>.", [["text", "Write <think>x</think>."]]],
  [
    "a second tag",
    "<think>a</think>b<think>c</think>",
    [
      ["reasoning", "a"],
      ["text", "b<think>c</think>"],
    ],
  ],
  ["another tag", "<thinker>a</thinker>", [["text", "<thinker>a</thinker>"]]],
  [
    "a part of the closing tag in thoughts",
    "<think>a </th b</think>c",
    [
      ["reasoning", "a </th b"],
      ["text", "c"],
    ],
  ],
  ["a closing tag alone", "</think>\nSo.", [["text", "So."]]],
  [
    "a tag that the prompt began",
    "Why?\n</think>\n\nSo.",
    [
      ["reasoning", "Why?"],
      ["text", "So."],
    ],
    true,
  ],
  [
    "one that the model begins again",
    "<think>Why?</think>So.",
    [
      ["reasoning", "Why?"],
      ["text", "So."],
    ],
    true,
  ],
  ["the end of a text that is no tag", "So <", [["text", "So <"]]],
  ["an empty text", "", [["text", ""]]],
];

describe.each(replies)("a reply with %s", (_, text, parts, begun) => {
  test("has its thoughts as a part of their own", () =>
    expect(partsOf(eventsOf([text]), begun)).toEqual(parts));

  test("has them however the text is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const ends = [...cuts, text.length].sort((a, b) => a - b);
        const pieces = ends.map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1], end));
        expect(partsOf(eventsOf(pieces), begun)).toEqual(parts);
      }),
    );
  });
});

test("a reply whose thoughts the server has taken out does not begin with more of them", () => {
  const thoughts: Event[] = [
    { type: "open", index: 0, part: { type: "reasoning" } },
    { type: "close", index: 0 },
  ];
  expect(partsOf(eventsOf(["So."], thoughts), true)).toEqual([
    ["reasoning", ""],
    ["text", "So."],
  ]);
});

test("places of citations are those in the answer, and tokens of thoughts are left out", () => {
  const text = "<think>Why?</think>\n\nSo it is.";
  const events = eventsOf([text]);
  const start = text.indexOf("it");
  events.splice(
    2,
    0,
    { type: "cite", index: 0, citation: { url: "https://a.test", start, end: start + 2 } },
    { type: "logprobs", index: 0, tokens: [{ token: text, logprob: -1 }] },
  );
  const [, answer] = read(untagThoughts("think", false), events);
  expect(answer).toEqual({
    type: "text",
    text: "So it is.",
    citations: [{ url: "https://a.test", start: 3, end: 5 }],
  });
});

const conversation = (reasoning?: TextRequest["reasoning"]): TextRequest => ({
  model: "m",
  stream: false,
  params: {},
  messages: [
    { role: "user", parts: [{ type: "text", text: "Why?" }] },
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "So." },
      ],
    },
    { role: "user", parts: [{ type: "text", text: "And?" }] },
  ],
  ...(reasoning && { reasoning }),
});
const answerIn = (traits: Traits) =>
  toObject(toArray(encodeRequest(conversation(), chatstyle, traits).wire.messages)[1]);

test("earlier thoughts go back in the tag where the model wants them, and are left out elsewhere", () => {
  expect(answerIn({ thoughtTag: "think", reasoningBack: true })).toEqual({
    role: "assistant",
    content: "<think>\nHm.\n</think>\n\nSo.",
  });
  expect(answerIn({ thoughtTag: "think" })).toEqual({ role: "assistant", content: "So." });
});

test("a request that switches thinking off gets no thoughts that the prompt began", () => {
  const traits: Traits = { thoughtTag: "think", thoughtBegun: true };
  const answer = (reasoning?: TextRequest["reasoning"]) =>
    read(encodeRequest(conversation(reasoning), chatstyle, traits).restore(), eventsOf(["So."]))[0];
  expect(answer({ mode: "off" })).toEqual({ type: "text", text: "So." });
  expect(answer()).toEqual({ type: "reasoning", text: "So." });
});
