import { toLogprob } from "../../family/logprobs.ts";
import type { Event, Opening } from "../../ir/index.ts";
import { type Json, type JsonObject, textOf, toArray, toObject, toText } from "../../json/json.ts";
import { toCitation } from "./citations.ts";
import {
  argumentsOf,
  decodeCall,
  decodeItem,
  GAP,
  messageExtra,
  sealOf,
  thoughtOf,
  wrapContent,
} from "./items.ts";

/** State that the items of one reply share. */
export interface ReplyState {
  events: Event[];
  /** The index of the next part. */
  next: number;
  called: boolean;
  refused: boolean;
}

/** A part that was opened, and how much of it came. */
interface Part {
  index: number;
  length: number;
  citations: number;
  logprobs: number;
}

/** Reads one item of a streamed reply. When the item is done, it emits what the deltas left out. */
export interface Reader {
  finished(): boolean;
  text(place: number, delta: string, logprobs?: Json): void;
  textDone(place: number, whole: JsonObject): void;
  cite(place: number, annotation: Json): void;
  refusal(place: number, delta: string): void;
  refusalDone(place: number, text: string): void;
  /** A part of content, whole. */
  content(place: number, part: Json): void;
  thought(kind: "summary" | "content", place: number, delta: string): void;
  thoughtDone(kind: "summary" | "content", place: number, text: string): void;
  call(delta: string): void;
  callDone(text: string): void;
  /** The whole item; without one it ends as it stands. */
  done(item?: JsonObject): void;
}

export function readItem(first: JsonObject, state: ReplyState, fallbackId: string): Reader {
  const parts = new Map<string, Part>();
  /** Pieces of a thought that were begun, by kind and place; the last of each kind. */
  const begun = new Map<string, number>();
  const pieces = new Set<string>();
  /** Places of content that the IR has no word for. */
  const others = new Set<number>();
  let finished = false;
  let named = false;
  let last: Part | undefined;

  const open = (key: string, opening: () => Opening): Part => {
    const known = parts.get(key);
    if (known) return known;
    const part: Part = { index: state.next++, length: 0, citations: 0, logprobs: 0 };
    parts.set(key, part);
    last = part;
    state.events.push({ type: "open", index: part.index, part: opening() });
    return part;
  };
  const grow = (part: Part, text: string): void => {
    if (text === "") return;
    part.length += text.length;
    state.events.push({ type: "delta", index: part.index, text });
  };
  /** The first part of a message carries the other members of the message. */
  const textOpening = (refusal: boolean) => (): Opening => {
    const extra = named ? {} : messageExtra(first, false);
    named = true;
    if (refusal) state.refused = true;
    return { type: "text", ...(refusal && { refusal: true }), ...extra };
  };
  const openText = (place: number): Part => open(`text ${place}`, textOpening(false));
  const openRefusal = (place: number): Part => open(`refusal ${place}`, textOpening(true));
  const openThought = (kind: string): Part => open(kind, () => ({ type: "reasoning" }));
  const openCall = (item: JsonObject): Part =>
    open("call", () => {
      state.called = true;
      const { arguments: _, id, ...call } = decodeCall(item, false);
      return { ...call, id: id || fallbackId };
    });
  const isCall = first.type === "function_call" || first.type === "custom_tool_call";
  if (isCall && toText(first.name) !== "" && toText(first.call_id) !== "") openCall(first);

  const tokens = (part: Part, list: Json | undefined): void => {
    const fresh = toArray(list).slice(part.logprobs);
    if (fresh.length === 0) return;
    part.logprobs += fresh.length;
    state.events.push({ type: "logprobs", index: part.index, tokens: fresh.map(toLogprob) });
  };
  const wholeText = (place: number, wire: JsonObject): void => {
    const text = toText(wire.text);
    if (text === "" && !parts.has(`text ${place}`)) return;
    const part = openText(place);
    grow(part, text.slice(part.length));
    for (const annotation of toArray(wire.annotations).slice(part.citations)) citeIn(part, annotation);
    tokens(part, wire.logprobs);
  };
  const citeIn = (part: Part, annotation: Json): void => {
    part.citations += 1;
    state.events.push({ type: "cite", index: part.index, citation: toCitation(annotation) });
  };
  const wholeRefusal = (place: number, text: string): void => {
    if (text === "" && !parts.has(`refusal ${place}`)) return;
    const part = openRefusal(place);
    grow(part, text.slice(part.length));
  };
  const think = (kind: "summary" | "content", place: number, delta: string): void => {
    if (delta === "") return;
    const part = openThought(kind);
    const before = begun.get(kind);
    begun.set(kind, place);
    pieces.add(`${kind} ${place}`);
    grow(part, before !== undefined && before !== place ? GAP + delta : delta);
  };
  const wholeThought = (kind: "summary" | "content", text: string): void => {
    if (text === "") return;
    const part = openThought(kind);
    grow(part, text.slice(part.length));
  };
  const content = (place: number, json: Json): void => {
    const wire = toObject(json);
    if (wire.type === "output_text" || wire.type === "text") wholeText(place, wire);
    else if (wire.type === "refusal") wholeRefusal(place, toText(wire.refusal));
    else if (wire.type !== "reasoning_text" && !others.has(place)) {
      others.add(place);
      whole(wrapContent(json), state);
    }
  };
  const emit = (item: JsonObject): void => {
    for (const part of decodeItem(item, false)) whole(part, state);
  };
  const finish = (item: JsonObject): void => {
    switch (item.type) {
      case "message":
        toArray(item.content).forEach((json, place) => {
          content(place, json);
        });
        return;
      case "function_call":
      case "custom_tool_call": {
        const part = openCall(item);
        grow(
          part,
          argumentsOf(item.type === "function_call" ? item.arguments : item.input).slice(part.length),
        );
        return;
      }
      case "reasoning": {
        // Raw thoughts and their summary can both come; most replies have only one of them.
        wholeThought("content", thoughtOf(item.content));
        wholeThought("summary", thoughtOf(item.summary));
        return;
      }
      default:
        emit(item);
    }
  };
  return {
    finished: () => finished,
    text(place, delta, logprobs) {
      const scored = toArray(logprobs);
      if (delta === "" && scored.length === 0) return;
      const part = openText(place);
      grow(part, delta);
      if (scored.length > 0) {
        part.logprobs += scored.length;
        state.events.push({ type: "logprobs", index: part.index, tokens: scored.map(toLogprob) });
      }
    },
    textDone: wholeText,
    cite: (place, annotation) => citeIn(openText(place), annotation),
    refusal(place, delta) {
      if (delta !== "") grow(openRefusal(place), delta);
    },
    refusalDone: wholeRefusal,
    content,
    thought: think,
    thoughtDone(kind, place, text) {
      if (!pieces.has(`${kind} ${place}`)) think(kind, place, text);
    },
    call(delta) {
      const part = parts.get("call");
      if (part) grow(part, delta);
    },
    callDone(text) {
      const part = parts.get("call");
      if (part) grow(part, text.slice(part.length));
    },
    done(item) {
      if (finished) return;
      finished = true;
      if (item) finish({ ...item, type: textOf(item.type) ?? textOf(first.type) ?? "message" });
      const { seal, redacted } = item?.type === "reasoning" ? sealOf(item.encrypted_content) : {};
      if (seal && !last) open("seal", () => ({ type: "reasoning", ...(redacted && { redacted }) }));
      for (const part of parts.values())
        state.events.push({ type: "close", index: part.index, ...(seal && part === last && { seal }) });
    },
  };
}

/** A part that comes at once. */
function whole(part: ReturnType<typeof decodeItem>[number], state: ReplyState): void {
  const index = state.next++;
  if (part.type === "call") {
    state.called = true;
    const { arguments: text, cache: _, ...opening } = part;
    state.events.push({ type: "open", index, part: opening });
    if (text !== "") state.events.push({ type: "delta", index, text });
  } else if (part.type === "media" || part.type === "opaque")
    state.events.push({ type: "open", index, part });
  state.events.push({ type: "close", index });
}
