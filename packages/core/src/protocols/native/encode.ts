import { DONE, type Head } from "../../codec.ts";
import { extraFor } from "../../extra.ts";
import type { Event, Finish, Usage } from "../../ir/index.ts";
import type { Lose } from "../../loss.ts";
import type { Machine } from "../../machine.ts";
import type { Chunk, TextChunk } from "./schema.ts";

/** Writes the text of the first choice; the wire has no place for anything else. */
export function encodeReply(_head: Head, lose: Lose): Machine<Event, Chunk> {
  /** The paths of the parts that are said. */
  const texts = new Map<number, string>();
  const counts = new Map<number, number>();
  let finish: Finish | undefined;
  let usage: Usage | undefined;
  let failed = false;

  const open = ({ index, choice = 0, part }: Extract<Event, { type: "open" }>): void => {
    const at = counts.get(choice) ?? 0;
    counts.set(choice, at + 1);
    const path = `/choices/${choice}/parts/${at}`;
    if (choice !== 0 || part.type !== "text") {
      lose(path, "unsupported");
      return;
    }
    extraFor("native", part.extra, lose, path);
    if (part.refusal) lose(`${path}/refusal`, "unsupported");
    texts.set(index, path);
  };

  const ending = ({ reason, sequence, note }: Finish): TextChunk => {
    if (sequence !== undefined) lose("/choices/0/finish/sequence", "unsupported");
    if (note !== undefined) lose("/choices/0/finish/note", "unsupported");
    if (!usage) return { delta: "", finishReason: reason };
    const { input, output, ...details } = usage;
    for (const [name, count] of Object.entries(details)) if (count) lose(`/usage/${name}`, "unsupported");
    const counted = { promptTokens: input, completionTokens: output, totalTokens: input + output };
    return { delta: "", finishReason: reason, usage: counted };
  };

  const tell = (index: number, member: string): void => {
    const path = texts.get(index);
    if (path !== undefined) lose(`${path}/${member}`, "unsupported");
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
        case "cite":
          tell(event.index, "citations");
          return [];
        case "logprobs":
          tell(event.index, "logprobs");
          return [];
        case "usage":
          usage = event.usage;
          return [];
        case "finish": {
          const { type: _, choice = 0, ...said } = event;
          if (choice === 0) finish = said;
          else lose(`/choices/${choice}/finish`, "unsupported");
          return [];
        }
        case "failure":
          failed = true;
          if (usage) lose("/usage", "unsupported", "a failed reply tells no usage");
          return [{ error: event.failure.message }];
        default:
          return [];
      }
    },
    end: () => (failed || !finish ? [] : [ending(finish), DONE]),
  };
}
