import { DONE, type Head } from "../../codec.ts";
import type { Event, Finish, Usage } from "../../ir/index.ts";
import type { Lose } from "../../loss.ts";
import type { Machine } from "../../machine.ts";
import type { Chunk, TextChunk } from "./schema.ts";

/** Writes the text of the first choice; the wire has no place for anything else. */
export function encodeReply(_head: Head, lose: Lose): Machine<Event, Chunk> {
  const texts = new Set<number>();
  const counts = new Map<number, number>();
  let finish: Finish | undefined;
  let usage: Usage | undefined;
  let failed = false;

  const open = ({ index, choice = 0, part }: Extract<Event, { type: "open" }>): void => {
    const at = counts.get(choice) ?? 0;
    counts.set(choice, at + 1);
    if (choice === 0 && part.type === "text") texts.add(index);
    else lose(`/choices/${choice}/parts/${at}`, "unsupported");
  };

  const ending = (): TextChunk => {
    const chunk: TextChunk = { delta: "" };
    if (finish) chunk.finishReason = finish.reason;
    if (usage) {
      const { input, output } = usage;
      chunk.usage = { promptTokens: input, completionTokens: output, totalTokens: input + output };
    }
    return chunk;
  };

  return {
    step(event) {
      if (failed) return [];
      switch (event.type) {
        case "open":
          open(event);
          return [];
        case "delta":
          return event.text !== "" && texts.has(event.index) ? [{ delta: event.text }] : [];
        case "usage":
          usage = event.usage;
          return [];
        case "finish": {
          const { type: _, choice = 0, ...said } = event;
          if (choice === 0) finish = said;
          return [];
        }
        case "failure":
          failed = true;
          return [{ error: event.failure.message }];
        default:
          return [];
      }
    },
    end: () => (failed || !finish ? [] : [ending(), DONE]),
  };
}
