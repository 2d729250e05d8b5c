import {
  isObject,
  type Json,
  type JsonObject,
  type Machine,
  toObject,
  toText,
  truncated,
} from "@manifold-gateway/core/codec";
import { areCounts, type Event, type FinishReason, type Opening, toCount } from "@manifold-gateway/core/ir";

const reasons: Readonly<Record<string, FinishReason>> = {
  COMPLETE: "stop",
  STOP_SEQUENCE: "stop_sequence",
  MAX_TOKENS: "length",
  TOOL_CALL: "tool_calls",
};

/** Reads the chunks of a reply, by their types. */
export function decodeReply(): Machine<Json, Event> {
  let started = false;
  let over = false;
  let parts = 0;
  /** The parts that are open, by the kind and index of their chunks. */
  const open = new Map<string, number>();

  const opened = (key: string, part: Opening, text: string): Event[] => {
    const before = closed(key);
    const index = parts++;
    open.set(key, index);
    return [...before, { type: "open", index, part }, ...grown(key, text)];
  };
  const grown = (key: string, text: string): Event[] => {
    const index = open.get(key);
    return index === undefined || text === "" ? [] : [{ type: "delta", index, text }];
  };
  const closed = (key: string): Event[] => {
    const index = open.get(key);
    open.delete(key);
    return index === undefined ? [] : [{ type: "close", index }];
  };
  const ended = (delta: JsonObject): Event[] => {
    over = true;
    const word = toText(delta.finish_reason);
    const left = [...open.keys()].flatMap(closed);
    const usage = readUsage(delta.usage);
    if (word === "ERROR" || word === "TIMEOUT") {
      const message = toText(delta.error) || "The provider broke off without a reason.";
      const kind = word === "ERROR" ? ("server" as const) : ("timeout" as const);
      return [
        ...left,
        ...usage,
        { type: "failure", failure: { kind, status: kind === "server" ? 500 : 504, message } },
      ];
    }
    const reason = Object.hasOwn(reasons, word) ? (reasons[word] as FinishReason) : "other";
    return [...left, { type: "finish", reason, ...(word !== "" && { raw: word }) }, ...usage];
  };

  return {
    step(json) {
      if (over || !isObject(json)) return [];
      const begin: Event[] = started
        ? []
        : [{ type: "start", ...(toText(json.id) && { id: toText(json.id) }) }];
      started = true;
      const delta = toObject(json.delta);
      const { content, tool_calls: call } = toObject(delta.message);
      const { id, function: called } = toObject(call);
      const { name, arguments: text } = toObject(called);
      const said = toText(toObject(content).text);
      const kind = toText(json.type);
      const key = `${kind.startsWith("tool") ? "call" : "text"} ${String(json.index)}`;
      switch (kind) {
        case "content-start":
          return [...begin, ...opened(key, { type: "text" }, said)];
        case "tool-call-start":
          return [
            ...begin,
            ...opened(key, { type: "call", id: toText(id), name: toText(name) }, toText(text)),
          ];
        case "content-delta":
          return [...begin, ...grown(key, said)];
        case "tool-call-delta":
          return [...begin, ...grown(key, toText(text))];
        case "content-end":
        case "tool-call-end":
          return [...begin, ...closed(key)];
        case "message-end":
          return [...begin, ...ended(delta)];
        default:
          return begin;
      }
    },
    end: () => (over ? [] : [{ type: "failure", failure: truncated }]),
  };
}

function readUsage(json: Json | undefined): Event[] {
  if (!isObject(json)) return [];
  const { input_tokens: input, output_tokens: output } = toObject(json.tokens);
  const { cached_tokens: cached } = json;
  if (!areCounts([input, output, cached])) return [{ type: "usage" }];
  const usage = {
    input: toCount(input) ?? 0,
    output: toCount(output) ?? 0,
    ...(cached !== undefined && { cacheRead: toCount(cached) ?? 0 }),
  };
  return [{ type: "usage", usage }];
}
