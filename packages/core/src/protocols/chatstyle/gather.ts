import { isObject, type Json, type JsonObject, numberOf, put, toArray, toObject } from "../../json/json.ts";
import type { Body } from "./schema.ts";
import { plainReasoning } from "./thoughts.ts";

/** A choice that grows, and its calls by the position that their fragments name. */
interface Growing {
  wire: JsonObject;
  message: JsonObject;
  calls: Map<number, JsonObject>;
}

/** Chunks as a unary body: text grows, lists get longer, and of anything else the last value counts. */
export function gather(chunks: Iterable<Json | object>): Body {
  const body: JsonObject = {};
  const choices = new Map<number, JsonObject>();
  const growing = new Map<number, Growing>();
  const add = (json: Json, position: number): void => {
    if (!isObject(json)) return;
    const which = numberOf(json.index) ?? position;
    let choice = growing.get(which);
    if (json.message !== undefined) choices.set(which, json);
    else if (!choices.has(which)) {
      choice = { wire: { index: which, finish_reason: null, logprobs: null }, message: {}, calls: new Map() };
      choice.wire.message = choice.message;
      growing.set(which, choice);
      choices.set(which, choice.wire);
    }
    if (choice) grow(choice, json);
  };
  for (const chunk of chunks as Iterable<Json>) {
    if (!isObject(chunk)) continue;
    for (const key of Object.keys(chunk)) {
      const value = chunk[key] as Json;
      if (key === "choices" && Array.isArray(value)) {
        body.choices ??= [];
        value.forEach(add);
      } else if (key === "object" && value === "chat.completion.chunk") {
        body.object = "chat.completion";
        // Clients want it in a body, if only as null, and refuse a chunk in which it is null.
        body.system_fingerprint ??= null;
      } else if (value !== null || body[key] === undefined) put(body, key, value);
    }
  }
  if (choices.size > 0)
    body.choices = [...choices.entries()].sort(([a], [b]) => a - b).map(([, choice]) => choice);
  return body as unknown as Body;
}

function grow({ wire, message, calls }: Growing, json: JsonObject): void {
  for (const key of Object.keys(json)) {
    const value = json[key] as Json;
    if (key === "delta") growMessage(message, toObject(value), calls);
    else if (key === "logprobs") wire.logprobs = joinLists(wire.logprobs, value);
    else if (value !== null || wire[key] === undefined) put(wire, key, value);
  }
}

/** Members whose pieces are one text. */
const texts = new Set<string>(["content", "refusal", ...plainReasoning]);

function growMessage(message: JsonObject, delta: JsonObject, calls: Map<number, JsonObject>): void {
  for (const key of Object.keys(delta)) {
    const value = delta[key] as Json;
    const known = message[key];
    if (key === "tool_calls") growCalls(message, toArray(value), calls);
    else if (key === "reasoning_details") growDetails(message, toArray(value));
    else if (typeof value === "string" && typeof known === "string" && texts.has(key))
      message[key] = known + value;
    else if (Array.isArray(value) && Array.isArray(known)) message[key] = [...known, ...value];
    else if (key === "audio" && isObject(value) && isObject(known))
      message.audio = joinTexts(known, value, ["data", "transcript"]);
    else if (value !== null || known === undefined) put(message, key, value);
  }
}

function growCalls(message: JsonObject, fragments: Json[], calls: Map<number, JsonObject>): void {
  for (const fragment of fragments) {
    const { index, ...call } = toObject(fragment);
    const list = toArray(message.tool_calls);
    const at = numberOf(index) ?? calls.size;
    const known = calls.get(at);
    if (known) {
      for (const [kind, member] of [
        ["function", "arguments"],
        ["custom", "input"],
      ] as const)
        if (isObject(call[kind])) known[kind] = joinTexts(toObject(known[kind]), call[kind], [member]);
      continue;
    }
    calls.set(at, call);
    list.push(call);
    message.tool_calls = list;
  }
}

/** Entries of the list of thoughts come in pieces that share an index; those of one chunk are entries apart. */
function growDetails(message: JsonObject, pieces: Json[]): void {
  const before = toArray(message.reasoning_details);
  const after = [...before];
  for (const piece of pieces) {
    const wire = toObject(piece);
    const at = before
      .map(toObject)
      .findIndex(
        (entry) => wire.index !== undefined && entry.index === wire.index && entry.type === wire.type,
      );
    if (at < 0) after.push(piece);
    else after[at] = joinTexts(toObject(after[at]), wire, ["text", "summary", "data"]);
  }
  message.reasoning_details = after;
}

/** Two pieces of one record: the named members grow, and of the others what is last and not `null` counts. */
function joinTexts(previous: JsonObject, piece: JsonObject, members: readonly string[]): JsonObject {
  const joined: JsonObject = { ...previous };
  for (const key of Object.keys(piece)) {
    const value = piece[key] as Json;
    const before = previous[key];
    if (members.includes(key) && typeof before === "string" && typeof value === "string")
      put(joined, key, before + value);
    else if (value !== null && value !== "") put(joined, key, value);
  }
  return joined;
}

function joinLists(previous: Json | undefined, value: Json): Json {
  if (!isObject(previous) || !isObject(value)) return value ?? previous ?? null;
  const joined: JsonObject = { ...previous };
  for (const key of Object.keys(value)) {
    const more = value[key] as Json;
    if (Array.isArray(more)) joined[key] = [...toArray(previous[key]), ...more];
  }
  return joined;
}
