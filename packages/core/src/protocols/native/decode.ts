import { DONE } from "../../codec.ts";
import { truncated } from "../../failure.ts";
import { areCounts, type Event, type FinishReason, finishReasons, toCount } from "../../ir/index.ts";
import { isObject, type Json, textOf, toObject } from "../../json.ts";
import type { Machine } from "../../machine.ts";
import { decodeFailure } from "./failure.ts";

const reasons: readonly string[] = finishReasons;

export function decodeReply(): Machine<Json, Event> {
  let started = false;
  let opened = false;
  let over = false;
  let failed = false;

  const begin = (): Event[] => {
    if (started) return [];
    started = true;
    return [{ type: "start" }];
  };
  const finish = (word: string | undefined): Event[] => {
    over = true;
    const reason = word === undefined ? "stop" : reasons.includes(word) ? (word as FinishReason) : "other";
    const closing: Event[] = opened ? [{ type: "close", index: 0 }] : [];
    return [...closing, { type: "finish", reason, ...(word !== undefined && { raw: word }) }];
  };

  return {
    step(chunk) {
      if (failed) return [];
      // The reason is optional: a clean end without one is a stop.
      if (chunk === DONE) return over ? [] : started ? finish(undefined) : [];
      if (!isObject(chunk)) return [];
      if (chunk.error) {
        failed = true;
        return [{ type: "failure", failure: decodeFailure(500, chunk) }];
      }
      const events = begin();
      const text = textOf(chunk.delta);
      if (text && !over) {
        if (!opened) events.push({ type: "open", index: 0, part: { type: "text" } });
        opened = true;
        events.push({ type: "delta", index: 0, text });
      }
      const word = textOf(chunk.finishReason);
      if (word && !over) events.push(...finish(word));
      const { promptTokens, completionTokens, totalTokens } = toObject(chunk.usage);
      const input = toCount(promptTokens);
      const output = toCount(completionTokens);
      if (!areCounts([promptTokens, completionTokens, totalTokens])) events.push({ type: "usage" });
      else if (input !== undefined && output !== undefined)
        events.push({ type: "usage", usage: { input, output } });
      return events;
    },
    end: () => (over || failed ? [] : [{ type: "failure", failure: truncated }]),
  };
}
