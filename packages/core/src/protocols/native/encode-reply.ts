import type { Head } from "../../codec/caller-codec.ts";
import { DONE } from "../../codec/codec-base.ts";
import type { Machine } from "../../codec/machine.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Event, Finish, Usage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import type { Chunk, TextChunk, ToolCall } from "./schema.ts";

/** A part of the reply, and its chunks that wait for the parts before it. */
interface PendingPart {
  path: string;
  type: "text" | "reasoning" | "call";
  waiting: TextChunk[];
  call?: ToolCall;
}

/** Writes text, reasoning and calls of the first choice; the wire has no place for anything else. */
export function encodeReply(_head: Head, lose: Lose): Machine<Event, Chunk> {
  const parts = new Map<number, PendingPart>();
  /** Parts whose end is not written, in order. A call is written whole, so the parts after it wait. */
  const queue: PendingPart[] = [];
  const counts = new Map<number, number>();
  let last: PendingPart["type"] | undefined;
  let finish: Finish | undefined;
  let usage: Usage | undefined;
  let failed = false;

  const open = ({ index, choice = 0, part }: Extract<Event, { type: "open" }>): void => {
    const at = counts.get(choice) ?? 0;
    counts.set(choice, at + 1);
    const path = `/choices/${choice}/parts/${at}`;
    const { type } = part;
    if (choice !== 0 || (type !== "text" && type !== "call" && type !== "reasoning")) {
      lose(path, "unsupported");
      return;
    }
    if (type === "reasoning" && part.redacted) {
      lose(path, "unsupported");
      return;
    }
    extraFor("native", part.extra, lose, path);
    if (type !== "text" && part.seal) lose(`${path}/seal`, "unsupported");
    if (type === "text" && part.refusal) lose(`${path}/refusal`, "unsupported");
    if (type === "call" && part.freeform) lose(`${path}/freeform`, "unsupported");
    const call = type === "call" ? { id: part.id, name: part.name, arguments: "" } : undefined;
    // An empty thought separates thoughts that follow each other.
    const waiting = type === "reasoning" && last === "reasoning" ? [{ delta: "", reasoning: "" }] : [];
    const pending: PendingPart = { path, type, waiting, ...(call && { call }) };
    last = type;
    parts.set(index, pending);
    queue.push(pending);
  };

  /** Takes out the chunks that may be written now. */
  const flush = (): TextChunk[] => {
    const out: TextChunk[] = [];
    for (const pending of queue) {
      out.push(...pending.waiting.splice(0));
      if (pending.call) break;
    }
    while (queue[0] && !queue[0].call && ![...parts.values()].includes(queue[0])) queue.shift();
    return out;
  };

  const grow = (index: number, text: string): void => {
    const pending = parts.get(index);
    if (!pending || text === "") return;
    if (pending.call) pending.call.arguments += text;
    else pending.waiting.push(pending.type === "text" ? { delta: text } : { delta: "", reasoning: text });
  };

  const close = (index: number, sealed: boolean): void => {
    const pending = parts.get(index);
    if (!pending) return;
    if (sealed && pending.type !== "text") lose(`${pending.path}/seal`, "unsupported");
    if (pending.call) pending.waiting.push({ delta: "", toolCalls: [pending.call] });
    delete pending.call;
    parts.delete(index);
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

  const loseMember = (index: number, member: string): void => {
    const path = parts.get(index)?.path;
    if (path !== undefined) lose(`${path}/${member}`, "unsupported");
  };

  return {
    step(event) {
      if (failed) return [];
      switch (event.type) {
        case "open":
          open(event);
          return flush();
        case "delta":
          grow(event.index, event.text);
          return flush();
        case "close":
          close(event.index, event.seal !== undefined);
          return flush();
        case "cite":
          loseMember(event.index, "citations");
          return [];
        case "logprobs": {
          const pending = parts.get(event.index);
          if (pending?.type === "text") pending.waiting.push({ delta: "", logprobs: event.tokens });
          return flush();
        }
        case "usage":
          usage = event.usage;
          return [];
        case "finish": {
          const { type: _, choice = 0, ...fields } = event;
          if (choice === 0) finish = fields;
          else lose(`/choices/${choice}/finish`, "unsupported");
          return [];
        }
        case "failure":
          failed = true;
          if (usage) lose("/usage", "unsupported", "a failed reply has no usage");
          return [{ error: event.failure.message }];
        default:
          return [];
      }
    },
    end: () => (failed || !finish ? [] : [ending(finish), DONE]),
  };
}
