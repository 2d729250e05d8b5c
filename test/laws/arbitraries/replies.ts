import type { Protocol, Usage } from "@manifold-gateway/core";
import {
  type CallPart,
  type Choice,
  type Event,
  type Reply,
  type TextPart,
  unfold,
} from "@manifold-gateway/core/ir";
import fc from "fast-check";
import { callArguments, maybe, saidText, sealed, sparse, thoughts, words } from "./common.ts";

const usage: fc.Arbitrary<Usage> = fc
  .record({
    fresh: fc.nat({ max: 5000 }),
    cacheRead: maybe(fc.integer({ min: 1, max: 5000 })),
    cacheWrite: maybe(fc.integer({ min: 1, max: 5000 })),
    visible: fc.nat({ max: 5000 }),
    reasoning: maybe(fc.integer({ min: 1, max: 5000 })),
  })
  .map(({ fresh, cacheRead, cacheWrite, visible, reasoning: thinking }) => ({
    input: fresh + (cacheRead ?? 0) + (cacheWrite ?? 0),
    output: visible + (thinking ?? 0),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(thinking !== undefined && { reasoning: thinking }),
  }));

const answer: fc.Arbitrary<TextPart> = fc.oneof(
  { weight: 5, arbitrary: saidText },
  {
    weight: 1,
    arbitrary: words.map(
      (said): TextPart => ({
        type: "text",
        text: said,
        citations: [{ url: "https://example.com/", title: "Example", start: 0, end: said.length }],
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: words.map(
      (said): TextPart => ({ type: "text", text: said, logprobs: [{ token: said, logprob: -0.5 }] }),
    ),
  },
);

const refusal: fc.Arbitrary<Choice> = words.map((said) => ({
  parts: [{ type: "text", text: said, refusal: true }],
  finish: { reason: "refusal" },
}));

/** One answer. Neighbouring texts would be one text on most wires, so there are none. */
const choice = (...issuers: Protocol[]): fc.Arbitrary<Choice> =>
  fc.oneof(
    { weight: 1, arbitrary: refusal },
    {
      weight: 8,
      arbitrary: fc
        .record({
          thoughts: thoughts(...issuers),
          said: fc.array(answer, { maxLength: 1 }),
          calls: fc.array(
            sparse<CallPart>({
              type: fc.constant("call"),
              id: fc.constant(""),
              name: fc.constantFrom("get_weather", "search"),
              arguments: callArguments,
              // Of all issuers one seals its calls.
              seal: issuers.includes("genstyle") ? maybe(sealed("genstyle")) : fc.constant(undefined),
            }),
            { maxLength: 3 },
          ),
          reason: fc.constantFrom(
            "stop" as const,
            "length" as const,
            "content_filter" as const,
            "stop_sequence" as const,
          ),
        })
        .filter(({ thoughts: thought, said, calls }) => thought.length + said.length + calls.length > 0)
        .map(({ thoughts: thought, said, calls, reason }): Choice => {
          const cut = reason === "length" || reason === "content_filter";
          const parts = [...thought, ...said, ...calls.map((call, i) => ({ ...call, id: `call_${i}` }))];
          return { parts, finish: { reason: calls.length > 0 && !cut ? "tool_calls" : reason } };
        }),
    },
  );

/** The events of a reply as streams bring them: texts in pieces, and calls side by side. */
export const streamed = (whole: Reply): fc.Arbitrary<Event[]> => {
  const events = unfold(whole);
  const callsFrom = events.findIndex((event) => event.type === "open" && event.part.type === "call");
  const isOfPart = (event: Event): boolean =>
    event.type === "open" || event.type === "delta" || event.type === "close";
  const callsTo = callsFrom < 0 ? 0 : events.findLastIndex((event) => isOfPart(event)) + 1;
  return fc.array(fc.nat(), { minLength: 8, maxLength: 8 }).map((dice) => {
    let at = 0;
    const roll = (sides: number): number => (dice[at++ % dice.length] as number) % sides;
    const pieces = events.flatMap((event): Event[] => {
      if (event.type !== "delta" || event.text.length < 2) return [event];
      const cut = 1 + roll(event.text.length - 1);
      return [
        { ...event, text: event.text.slice(0, cut) },
        { ...event, text: event.text.slice(cut) },
      ];
    });
    if (callsFrom < 0 || callsTo === 0) return pieces;
    // Calls open in order; what else comes of them may come in any order between them.
    const first = pieces.findIndex((event) => event.type === "open" && event.part.type === "call");
    const end = pieces.findLastIndex((event) => isOfPart(event)) + 1;
    const queues = new Map<number, Event[]>();
    for (const event of pieces.slice(first, end)) {
      const { index } = event as Extract<Event, { type: "open" }>;
      queues.set(index, [...(queues.get(index) ?? []), event]);
    }
    const waiting = [...queues.values()];
    const running: Event[][] = [];
    const mixed: Event[] = [];
    while (waiting.length + running.length > 0) {
      const pick = roll(running.length + (waiting.length > 0 ? 1 : 0));
      const queue = pick < running.length ? (running[pick] as Event[]) : (waiting.shift() as Event[]);
      mixed.push(queue.shift() as Event);
      if (pick >= running.length) running.push(queue);
      else if (queue.length === 0) running.splice(pick, 1);
    }
    return [...pieces.slice(0, first), ...mixed, ...pieces.slice(end)];
  });
};

/** Replies as a model of one of `issuers` gives them. */
export const replyOf = (...issuers: Protocol[]): fc.Arbitrary<Reply> =>
  sparse<Reply>({
    choices: choice(...issuers).map((one) => [one]),
    usage: maybe(usage),
  });
export const reply = replyOf("msgstyle", "genstyle", "responses", "chatstyle", "conversestyle");
