import type { Trace } from "../../codec/caller-codec.ts";
import { escapePointer, extraFor, extraOf } from "../../ir/extra.ts";
import type { Extra, Message, Part, SystemMessage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { hoist, OPENED, OPENING } from "../../ir/turns.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { SENTINEL } from "../seal.ts";
import { pairIds } from "./call-ids.ts";
import { type Context, fill, protocol, type Reader, type Side, toExtra } from "./context.ts";
import { decodePart, encodePart } from "./parts.ts";

const contentFields = new Set(["role", "parts"]);

export function decodeMessages(wire: JsonObject, trace: Trace): Message[] {
  const contents = toArray(wire.contents);
  const ids = pairIds(contents);
  const reader: Reader = { trace, idOf: (node) => ids.get(node) ?? toText(node.id) };
  const system = isObject(wire.systemInstruction) ? [readSystem(wire.systemInstruction, trace)] : [];
  return [
    ...system.filter((message) => message.parts.length > 0 || message.extra),
    ...decodeContents(contents, reader),
  ];
}

/** Reads system text. Parts of other types are kept in `extra`, because the IR has only text there. */
function readSystem(content: JsonObject, trace: Trace): SystemMessage {
  const others: Json[] = [];
  const parts = toArray(content.parts).flatMap((json, i): SystemMessage["parts"] => {
    const part = toObject(json);
    if (typeof part.text !== "string") others.push(json);
    if (typeof part.text !== "string" || part.text === "") return [];
    const read = { type: "text" as const, text: part.text, ...extraOf(protocol, part, new Set(["text"])) };
    trace(read, `/systemInstruction/parts/${i}`);
    return [read];
  });
  const fields = extraOf(protocol, content, contentFields).extra?.fields;
  const extra = toExtra({ ...fields, ...(others.length > 0 && { parts: others }) });
  const message: SystemMessage = { role: "system", parts, ...extra };
  trace(message, "/systemInstruction");
  return message;
}

const isCall = (part: Json): boolean => toObject(part).functionCall !== undefined;
const isResult = (part: Json): boolean => toObject(part).functionResponse !== undefined;

interface Draft {
  role: Side;
  parts: Part[];
  extra?: Extra;
}

/**
 * The messages of the contents. Clients keep a streamed answer as one content a chunk, so what the model says in
 * neighbouring contents is one message, and its thoughts and texts go on where the chunk before them ended.
 */
function decodeContents(contents: Json[], reader: Reader): Message[] {
  const drafts: Draft[] = [];
  contents.forEach((json, i) => {
    const content = toObject(json);
    const pointer = `/contents/${i}`;
    const list = toArray(content.parts);
    const role = toText(content.role);
    const model = role === "model" || role === "assistant" || (role === "" && list.some(isCall));
    let { extra } = extraOf(protocol, content, contentFields);
    let current: Draft | undefined;
    list.forEach((part, k) => {
      const side: Side = isCall(part) ? "assistant" : isResult(part) ? "user" : model ? "assistant" : "user";
      const parts = decodePart(part, side, `${pointer}/parts/${k}`, reader);
      if (parts.length === 0) return;
      let draft = drafts.at(-1);
      if (!draft || draft.role !== side || (draft !== current && side === "user")) {
        draft = { role: side, parts: [] };
        drafts.push(draft);
        reader.trace(draft, pointer);
      }
      const thought = toObject(part).thought === true;
      for (const one of parts)
        if (!goesOn(draft.parts.at(-1), one, thought, draft !== current)) draft.parts.push(one);
      current = draft;
      if (extra) draft.extra = { protocol, fields: { ...extra.fields, ...draft.extra?.fields } };
      extra = undefined;
    });
  });
  return drafts as Message[];
}

/** Appends a part to the one before if it only continues it; returns whether it did. */
function goesOn(last: Part | undefined, part: Part, thought: boolean, isOtherContent: boolean): boolean {
  if (last?.type === "reasoning" && part.type === "reasoning") {
    if (!thought || last.seal || last.redacted || part.redacted || part.extra) return false;
    last.text += part.text;
    if (part.seal) last.seal = part.seal;
    return true;
  }
  if (!isOtherContent || last?.type !== "text" || part.type !== "text" || last.extra || part.extra)
    return false;
  last.text += part.text;
  return true;
}

interface Content extends JsonObject {
  role: string;
  parts: JsonObject[];
}

/** `contents` and `systemInstruction`. Neighbours of one role become one content, its results first. */
export function encodeMessages(messages: readonly Message[], context: Context): JsonObject {
  const { lose, traits } = context;
  const { system } = hoist(messages);
  const contents: Content[] = [];
  /** The thought that the next one would continue. */
  let thought: string | undefined;
  const say = (message: Message, i: number): void => {
    const path = `/messages/${i}`;
    if (message.role === "system") lose(path, "approximated", "sent as a message of the user, in its place");
    if (message.parts.length === 0) lose(path, "unsupported", "it is empty");
    const parts = message.parts.flatMap((part, k) => {
      const place = `${path}/parts/${k}`;
      const written = encodePart(part, place, context);
      const last = written.at(-1);
      if (!last) return written;
      const thinks = part.type === "reasoning" && last.thought === true;
      if (thought !== undefined && thinks)
        for (const one of [thought, place])
          lose(one, "approximated", "thoughts that follow each other are one");
      thought = thinks && last.thoughtSignature === undefined ? place : undefined;
      return written;
    });
    const extra = extraFor(protocol, message.extra, lose, path);
    const role = message.role === "assistant" ? "model" : "user";
    if (parts.length > 0) addContent(contents, { role, parts }, extra, path, lose);
    else if (Object.keys(extra).length > 0) lose(`${path}/extra`, "unsupported");
  };
  messages.forEach((message, i) => {
    if (message.name !== undefined) lose(`/messages/${i}/name`, "unsupported");
    if (message.role === "system" && message.developer) lose(`/messages/${i}/developer`, "approximated");
    if (i >= system.length) say(message, i);
  });
  // The wire needs content: where there is nothing else, the instructions become it.
  const alone = contents.length === 0;
  if (alone) system.forEach(say);
  if (contents.length === 0) {
    lose("/messages", "approximated", OPENED);
    contents.push({ role: "user", parts: [{ text: OPENING }] });
  }
  for (const content of contents) if (content.role === "user") content.parts = resultsFirst(content.parts);
  const [first] = contents;
  if (first?.role === "model" && first.parts.some(isCall)) {
    lose("/messages/0", "approximated", "calls have to follow text of the user; some was inserted");
    contents.unshift({ role: "user", parts: [{ text: "Continue." }] });
  }
  if (traits.thinkingBy !== "budget" && traits.reasoningBack !== false) sealSteps(contents);
  const instruction = !alone && system.length > 0 ? encodeSystem(system, context) : undefined;
  return { ...(instruction && { systemInstruction: instruction }), contents };
}

function addContent(
  contents: Content[],
  content: Content,
  extra: JsonObject,
  path: string,
  lose: Lose,
): void {
  const last = contents.at(-1);
  if (last?.role !== content.role) {
    contents.push({ ...extra, ...content });
    return;
  }
  last.parts.push(...content.parts);
  for (const key of Object.keys(extra))
    if (Object.hasOwn(last, key)) lose(`${path}/extra/${escapePointer(key)}`, "unsupported");
  Object.assign(last, fill(last, extra));
}

const resultsFirst = (parts: JsonObject[]): JsonObject[] => [
  ...parts.filter(isResult),
  ...parts.filter((part) => !isResult(part)),
];

function encodeSystem(system: SystemMessage[], context: Context): JsonObject | undefined {
  const parts: Json[] = [];
  let content: JsonObject = {};
  system.forEach((message, i) => {
    const path = `/messages/${i}`;
    const { parts: others, ...extra } = extraFor(protocol, message.extra, context.lose, path);
    message.parts.forEach((part, k) => {
      parts.push(...encodePart(part, `${path}/parts/${k}`, context));
    });
    parts.push(...toArray(others));
    content = fill(content, extra);
    if (message.parts.length === 0 && !message.extra) context.lose(path, "unsupported", "it is empty");
  });
  return parts.length > 0 ? { ...content, parts } : undefined;
}

/** Gives a placeholder signature to each step's first call since the last user text, where it lacks a real one. */
function sealSteps(contents: Content[]): void {
  const spoke = contents.findLastIndex(({ role, parts }) => role === "user" && !parts.some(isResult));
  for (const { parts } of contents.slice(spoke + 1)) {
    const first = parts.find(isCall);
    if (first && first.thoughtSignature === undefined) first.thoughtSignature = SENTINEL;
  }
}
