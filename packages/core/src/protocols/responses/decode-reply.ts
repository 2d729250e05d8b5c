import type { ReplyDecoder } from "../../codec/provider-codec.ts";
import { truncated } from "../../ir/failure.ts";
import type { Event, Finish } from "../../ir/index.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  textOf,
  toArray,
  toObject,
  toText,
} from "../../json/json.ts";
import { readInBand } from "./decode-failure.ts";
import { readUsage } from "./decode-usage.ts";
import { type Reader, type ReplyState, readItem } from "./item-reader.ts";

/** Kinds of item that deltas can name before the item was announced. */
const kindOfDelta: [prefix: string, type: string][] = [
  ["response.reasoning", "reasoning"],
  ["response.function_call", "function_call"],
  ["response.custom_tool_call", "custom_tool_call"],
];

/** Progress of work whose item repeats all of it when it is done. */
const progress =
  /^response\.(content_part\.added|reasoning_summary_part\.added|queued|output_audio|audio|compaction|[a-z_]+_call)\b|^keepalive$|^ping$/;

/** The chunks that make an item grow. `place` is the content, or the piece of a thought, that they extend. */
const growth: Record<string, (item: Reader, chunk: JsonObject, place: number) => void> = {
  "response.output_text.delta": (item, { delta, logprobs }, place) =>
    item.text(place, toText(delta), logprobs),
  "response.output_text.done": (item, chunk, place) => item.textDone(place, chunk),
  "response.output_text.annotation.added": (item, { annotation }, place) => {
    if (isObject(annotation)) item.cite(place, annotation);
  },
  "response.refusal.delta": (item, { delta }, place) => item.refusal(place, toText(delta)),
  "response.refusal.done": (item, { refusal }, place) => item.refusalDone(place, toText(refusal)),
  "response.content_part.done": (item, { part }, place) => item.content(place, part ?? null),
  "response.reasoning_summary_text.delta": (item, { delta }, place) =>
    item.thought("summary", place, toText(delta)),
  "response.reasoning_summary_text.done": (item, { text }, place) =>
    item.thoughtDone("summary", place, toText(text)),
  "response.reasoning_summary_part.done": (item, { part }, place) =>
    item.thoughtDone("summary", place, toText(toObject(part).text)),
  "response.reasoning_text.delta": (item, { delta }, place) => item.thought("content", place, toText(delta)),
  "response.reasoning_text.done": (item, { text }, place) => item.thoughtDone("content", place, toText(text)),
  "response.reasoning.delta": (item, { delta }, place) => item.thought("content", place, toText(delta)),
  "response.reasoning.done": (item, { text }, place) => item.thoughtDone("content", place, toText(text)),
  "response.function_call_arguments.delta": (item, { delta }) => item.call(toText(delta)),
  "response.function_call_arguments.done": (item, chunk) => item.callDone(toText(chunk.arguments)),
  "response.custom_tool_call_input.delta": (item, { delta }) => item.call(toText(delta)),
  "response.custom_tool_call_input.done": (item, { input }) => item.callDone(toText(input)),
};

/** The chunks that end a reply. */
const ends = new Set(
  ["completed", "incomplete", "failed", "cancelled"].map((status) => `response.${status}`),
);

/** Reads a streamed reply. A whole reply is the chunk that ends it, alone. */
export function decodeReply(): ReplyDecoder {
  const readers = new Map<number, Reader>();
  const places = new Map<string, number>();
  const state: ReplyState = { events: [], next: 0, called: false, refused: false };
  let started = false;
  let ended = false;
  let id = "";

  const start = (response: JsonObject): void => {
    if (started) return;
    started = true;
    id = toText(response.id);
    const model = textOf(response.model);
    const created = numberOf(response.created_at);
    state.events.push({
      type: "start",
      ...(id !== "" && { id }),
      ...(model !== undefined && { model }),
      ...(created !== undefined && { created }),
    });
  };
  /** The place of the item that a chunk belongs to; some servers leave it out. */
  const placeOf = (chunk: JsonObject): number => {
    const place = numberOf(chunk.output_index) ?? places.get(toText(chunk.item_id));
    return place ?? Math.max(0, ...readers.keys());
  };
  const readerAt = (place: number, item: JsonObject): Reader => {
    const known = readers.get(place);
    if (known) return known;
    const reader = readItem(item, state, `call_${id === "" ? "" : `${id}_`}${place}`);
    readers.set(place, reader);
    const name = textOf(item.id);
    if (name !== undefined) places.set(name, place);
    return reader;
  };
  const readerOf = (chunk: JsonObject): Reader => {
    const type = kindOfDelta.find(([prefix]) => toText(chunk.type).startsWith(prefix))?.[1];
    return readerAt(placeOf(chunk), { type: type ?? "message", id: chunk.item_id ?? "" });
  };
  const fail = (error: Json | undefined): void => {
    ended = true;
    state.events.push({ type: "failure", failure: readInBand(error) });
  };
  const finish = (response: JsonObject, status: string): void => {
    start(response);
    toArray(response.output).forEach((json, place) => {
      const item = toObject(json);
      readerAt(place, item).done(item);
    });
    // An item that was begun and is not in the final list ends as it stands.
    for (const one of readers.values()) one.done();
    const usage = readUsage(response.usage);
    if (usage) state.events.push({ type: "usage", usage });
    if (status === "failed" || status === "cancelled") {
      const error = isObject(response.error) ? response.error : undefined;
      fail(error ? { error } : { code: status, message: `The upstream ended the response as ${status}.` });
      return;
    }
    ended = true;
    state.events.push({ type: "finish", ...finishOf(response, status, state) });
  };

  const read = (chunk: JsonObject): void => {
    const type = toText(chunk.type);
    const place = numberOf(chunk.content_index) ?? numberOf(chunk.summary_index) ?? 0;
    if (Object.hasOwn(growth, type)) {
      const reader = readerOf(chunk);
      // Servers that mix up places send chunks for items that are already done.
      if (!reader.finished()) growth[type]?.(reader, chunk, place);
    } else if (type === "response.created" || type === "response.in_progress")
      start(toObject(chunk.response));
    else if (type === "response.output_item.added")
      readerAt(numberOf(chunk.output_index) ?? readers.size, toObject(chunk.item));
    else if (type === "response.output_item.done")
      readerAt(placeOf(chunk), toObject(chunk.item)).done(toObject(chunk.item));
    else if (ends.has(type)) finish(toObject(chunk.response), type.slice("response.".length));
    else if (type === "error" || chunk.error) fail(chunk);
    else if (type !== "" && !progress.test(type))
      state.events.push({ type: "opaque", protocol: "responses", value: chunk });
  };

  const flush = (): Event[] => {
    const { events } = state;
    state.events = [];
    return events;
  };
  return {
    step(json) {
      if (ended || !isObject(json)) return [];
      read(json);
      return flush();
    },
    end: () => (ended ? [] : [{ type: "failure", failure: truncated }]),
  };
}

/** Calls decide between stopping and calling; a reply cut or filtered stays that. */
function finishOf(response: JsonObject, status: string, { called, refused }: ReplyState): Finish {
  if (status === "incomplete") {
    const raw = toText(toObject(response.incomplete_details).reason) || status;
    if (raw === "max_output_tokens" || raw === "max_tokens") return { reason: "length", raw };
    return { reason: raw === "content_filter" ? "content_filter" : "other", raw };
  }
  return { reason: called ? "tool_calls" : refused ? "refusal" : "stop", raw: status };
}
