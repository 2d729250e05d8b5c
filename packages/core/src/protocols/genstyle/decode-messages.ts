import type { Trace } from "../../codec/caller-codec.ts";
import { extraOf } from "../../ir/extra.ts";
import type { Extra, Message, Part, SystemMessage } from "../../ir/index.ts";
import { isObject, type Json, type JsonObject, toArray, toObject, toText } from "../../json/json.ts";
import { pairIds } from "./call-ids.ts";
import { isCall, isResult } from "./decode-calls.ts";
import { decodePart } from "./decode-parts.ts";
import { protocol, type Reader, type Side, toExtra } from "./parts.ts";

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
