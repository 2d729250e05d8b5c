import type { Trace } from "../../codec.ts";
import { escapePointer, extraFor, extraOf } from "../../extra.ts";
import type { Message, Part, SystemMessage } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json.ts";
import type { Lose } from "../../loss.ts";
import { hoist } from "../../turns.ts";
import { type Context, fill, protocol, type Reader, SENTINEL, type Side, toExtra } from "./context.ts";
import { pairIds } from "./pairs.ts";
import { decodePart, encodePart } from "./parts.ts";

const contentFields = new Set(["role", "parts"]);

export function decodeMessages(wire: JsonObject, trace: Trace): Message[] {
  const contents = toArray(wire.contents);
  const ids = pairIds(contents.flatMap((content) => toArray(toObject(content).parts)));
  const reader: Reader = { trace, idOf: (node) => ids.get(node) ?? toText(node.id) };
  const system = isObject(wire.systemInstruction) ? [readSystem(wire.systemInstruction, trace)] : [];
  return [
    ...system.filter((message) => message.parts.length > 0 || message.extra),
    ...contents.flatMap((content, i) => decodeContent(toObject(content), `/contents/${i}`, reader)),
  ];
}

/** System text. What is no text there has no word in the IR and is kept beside it. */
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

/** The messages of one content: one, unless it holds what only the other side can say. */
function decodeContent(content: JsonObject, pointer: string, reader: Reader): Message[] {
  const list = toArray(content.parts);
  const role = toText(content.role);
  const model = role === "model" || role === "assistant" || (role === "" && list.some(isCall));
  const base: Side = model ? "assistant" : "user";
  const messages: { role: Side; parts: Part[] }[] = [];
  list.forEach((json, i) => {
    const side: Side = isCall(json) ? "assistant" : isResult(json) ? "user" : base;
    const parts = decodePart(json, side, `${pointer}/parts/${i}`, reader);
    const last = messages.at(-1);
    if (last?.role === side) last.parts.push(...parts);
    else if (parts.length > 0) messages.push({ role: side, parts });
  });
  const { extra } = extraOf(protocol, content, contentFields);
  for (const message of messages) reader.trace(message, pointer);
  if (extra && messages[0]) Object.assign(messages[0], { extra });
  return messages as Message[];
}

interface Content extends JsonObject {
  role: string;
  parts: JsonObject[];
}

/** `contents` and `systemInstruction`. Neighbours of one role become one content, its results first. */
export function encodeMessages(messages: readonly Message[], context: Context): JsonObject {
  const { lose, traits } = context;
  const { system, rest } = hoist(messages);
  const asked = rest.length > 0;
  const contents: Content[] = [];
  messages.forEach((message, i) => {
    const path = `/messages/${i}`;
    if (message.name !== undefined) lose(`${path}/name`, "unsupported");
    if (message.role === "system" && message.developer) lose(`${path}/developer`, "approximated");
    if (asked && i < system.length) return;
    if (message.role === "system") lose(path, "approximated", "said by the user, in its place");
    if (message.parts.length === 0) lose(path, "unsupported", "it says nothing");
    const parts = message.parts.flatMap((part, k) => encodePart(part, `${path}/parts/${k}`, context));
    const extra = extraFor(protocol, message.extra, lose, path);
    const role = message.role === "assistant" ? "model" : "user";
    if (parts.length > 0) addContent(contents, { role, parts }, extra, path, lose);
    else if (Object.keys(extra).length > 0) lose(`${path}/extra`, "unsupported");
  });
  for (const content of contents) if (content.role === "user") content.parts = resultsFirst(content.parts);
  const [first] = contents;
  if (first?.role === "model" && first.parts.some(isCall)) {
    lose("/messages/0", "approximated", "calls follow words of the user; some were put before them");
    contents.unshift({ role: "user", parts: [{ text: "Continue." }] });
  }
  if (traits.thinkingBy !== "budget") sealSteps(contents);
  const instruction = asked && system.length > 0 ? encodeSystem(system, context) : undefined;
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
    if (message.parts.length === 0 && !message.extra) context.lose(path, "unsupported", "it says nothing");
  });
  return parts.length > 0 ? { ...content, parts } : undefined;
}

/** Since the user last spoke, each step's first call has to carry a signature; models go on without a true one. */
function sealSteps(contents: Content[]): void {
  const spoke = contents.findLastIndex(({ role, parts }) => role === "user" && !parts.some(isResult));
  for (const { parts } of contents.slice(spoke + 1)) {
    const first = parts.find(isCall);
    if (first && first.thoughtSignature === undefined) first.thoughtSignature = SENTINEL;
  }
}
