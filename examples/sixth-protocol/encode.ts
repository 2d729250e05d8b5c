import type { Head } from "@manifold-gateway/core";
import { extraFor, type JsonObject, type Lose, type Machine } from "@manifold-gateway/core/codec";
import type { Event, Finish, Usage } from "@manifold-gateway/core/ir";
import { type Chunk, protocol } from "./schema.ts";

interface Part {
  path: string;
  type: "text" | "call";
  /** Its position among the parts of its kind. */
  at: number;
  blank: boolean;
}

const words: { readonly [reason in Finish["reason"]]?: string } = {
  stop: "COMPLETE",
  stop_sequence: "STOP_SEQUENCE",
  length: "MAX_TOKENS",
  tool_calls: "TOOL_CALL",
};

/** Writes text and calls of the first choice; the wire has no place for anything else. */
export function encodeReply(head: Head, lose: Lose): Machine<Event, Chunk> {
  const parts = new Map<number, Part>();
  const counts = new Map<number, number>();
  const kinds = { text: 0, call: 0 };
  let started = false;
  let finish: Finish | undefined;
  let usage: Usage | undefined;
  let failed = false;

  const begin = (): Chunk[] => {
    if (started) return [];
    started = true;
    return [{ type: "message-start", id: head.id, delta: { message: { role: "assistant" } } }];
  };
  const say = ({ type, at }: Part, stage: "start" | "delta" | "end", member?: JsonObject): Chunk => ({
    type: `${type === "text" ? "content" : "tool-call"}-${stage}`,
    index: at,
    ...(member && { delta: { message: { [type === "text" ? "content" : "tool_calls"]: member } } }),
  });
  const grow = (part: Part | undefined, text: string): Chunk[] => {
    if (!part || text === "") return [];
    if (text.trim() !== "") part.blank = false;
    return [say(part, "delta", part.type === "text" ? { text } : { function: { arguments: text } })];
  };
  const open = ({ index, choice = 0, part }: Extract<Event, { type: "open" }>): Chunk[] => {
    const order = counts.get(choice) ?? 0;
    counts.set(choice, order + 1);
    const path = `/choices/${choice}/parts/${order}`;
    if (choice !== 0 || (part.type !== "text" && part.type !== "call")) {
      lose(path, "unsupported");
      return [];
    }
    extraFor(protocol, part.extra, lose, path);
    if (part.type === "text" && part.refusal) lose(`${path}/refusal`, "unsupported");
    if (part.type === "call" && part.seal) lose(`${path}/seal`, "unsupported");
    if (part.type === "call" && part.freeform) lose(`${path}/freeform`, "unsupported");
    const opened: Part = { path, type: part.type, at: kinds[part.type]++, blank: true };
    parts.set(index, opened);
    if (part.type === "text") return [...begin(), say(opened, "start", { type: "text", text: "" })];
    const call = { id: part.id, type: "function", function: { name: part.name, arguments: "" } };
    return [...begin(), say(opened, "start", call)];
  };
  const close = (index: number, sealed: boolean): Chunk[] => {
    const part = parts.get(index);
    parts.delete(index);
    if (!part) return [];
    if (sealed) lose(`${part.path}/seal`, "unsupported");
    // Clients parse the arguments: none of them is an empty object.
    const text = part.type === "call" && part.blank ? grow(part, "{}") : [];
    return [...text, say(part, "end")];
  };
  const tell = (index: number, member: string): void => {
    const part = parts.get(index);
    if (part) lose(`${part.path}/${member}`, "unsupported");
  };

  return {
    step(event) {
      if (failed) return [];
      switch (event.type) {
        case "open":
          return open(event);
        case "delta":
          return grow(parts.get(event.index), event.text);
        case "close":
          return close(event.index, event.seal !== undefined);
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
          if (usage) lose("/usage", "unsupported", "a failed reply has no usage");
          return [{ type: "message-end", delta: { finish_reason: "ERROR", error: event.failure.message } }];
        default:
          return [];
      }
    },
    end() {
      if (failed || !finish) return [];
      const word = words[finish.reason];
      if (!word) lose("/choices/0/finish/reason", "approximated", "became COMPLETE");
      if (finish.sequence !== undefined) lose("/choices/0/finish/sequence", "unsupported");
      if (finish.note !== undefined) lose("/choices/0/finish/note", "unsupported");
      const delta = { finish_reason: word ?? "COMPLETE", ...(usage && { usage: writeUsage(usage, lose) }) };
      return [...begin(), { type: "message-end", delta }];
    },
  };
}

function writeUsage({ input, output, cacheRead, ...details }: Usage, lose: Lose): JsonObject {
  for (const [name, count] of Object.entries(details)) if (count) lose(`/usage/${name}`, "unsupported");
  return {
    tokens: { input_tokens: input, output_tokens: output },
    ...(cacheRead !== undefined && { cached_tokens: cacheRead }),
  };
}
