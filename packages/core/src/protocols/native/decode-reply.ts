import { DONE } from "../../codec/codec-base.ts";
import type { ReplyDecoder } from "../../codec/provider-codec.ts";
import { truncated } from "../../ir/failure.ts";
import { areCounts, type Event, type FinishReason, finishReasons, toCount } from "../../ir/index.ts";
import { isObject, type Json, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { decodeFailure } from "./decode-failure.ts";

const reasons: readonly string[] = finishReasons;

export function decodeReply(): ReplyDecoder {
  let started = false;
  /** The part that grows, and how many there were. */
  let growing: "text" | "reasoning" | undefined;
  let parts = 0;
  /** Why the reply ends. */
  let ending: string | undefined;
  let over = false;
  let failed = false;

  const begin = (): Event[] => {
    if (started) return [];
    started = true;
    return [{ type: "start" }];
  };
  const closed = (): Event[] => {
    if (!growing) return [];
    growing = undefined;
    return [{ type: "close", index: parts - 1 }];
  };
  const grow = (type: "text" | "reasoning", text: string): Event[] => {
    const before = growing === type ? [] : closed();
    const opening: Event[] = growing === type ? [] : [{ type: "open", index: parts++, part: { type } }];
    growing = type;
    return [...before, ...opening, { type: "delta", index: parts - 1, text }];
  };
  const called = (json: Json): Event[] => {
    const { id, name, arguments: text } = toObject(json);
    const before = closed();
    const index = parts++;
    return [
      ...before,
      { type: "open", index, part: { type: "call", id: toText(id), name: toText(name) } },
      { type: "delta", index, text: toText(text) },
      { type: "close", index },
    ];
  };
  const finish = (word: string | undefined): Event[] => {
    if (over) return [];
    over = true;
    const reason = word === undefined ? "stop" : reasons.includes(word) ? (word as FinishReason) : "other";
    return [...closed(), { type: "finish", reason, ...(word !== undefined && { raw: word }) }];
  };

  return {
    step(chunk) {
      if (failed) return [];
      // The reason is optional: a clean end without one is a stop.
      if (chunk === DONE) return started ? finish(ending) : [];
      if (!isObject(chunk)) return [];
      if (chunk.error) {
        failed = true;
        return [{ type: "failure", failure: decodeFailure(500, chunk) }];
      }
      const events = begin();
      for (const [at, json] of [chunk.reasoning ?? null].flat().entries()) {
        const thought = textOf(json);
        // An empty thought ends the one before it.
        if ((thought === "" || at > 0) && growing === "reasoning") events.push(...closed());
        if (thought && !over) events.push(...grow("reasoning", thought));
      }
      const text = textOf(chunk.delta);
      if (text && !over) events.push(...grow("text", text));
      if (Array.isArray(chunk.logprobs) && growing === "text" && !over)
        events.push({ type: "logprobs", index: parts - 1, tokens: chunk.logprobs as never });
      if (!over) events.push(...toArray(chunk.toolCalls).flatMap(called));
      ending = textOf(chunk.finishReason) || ending;
      const { promptTokens, completionTokens, totalTokens } = toObject(chunk.usage);
      const input = toCount(promptTokens);
      const output = toCount(completionTokens);
      if (!areCounts([promptTokens, completionTokens, totalTokens])) events.push({ type: "usage" });
      else if (input !== undefined && output !== undefined)
        events.push({ type: "usage", usage: { input, output } });
      return events;
    },
    end() {
      if (over || failed) return [];
      return ending === undefined ? [{ type: "failure", failure: truncated }] : finish(ending);
    },
  };
}
