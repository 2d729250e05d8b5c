import { escapePointer, extraFor } from "../../ir/extra.ts";
import type { Message, SystemMessage } from "../../ir/index.ts";
import type { Lose } from "../../ir/loss.ts";
import { hoist, OPENED, OPENING } from "../../ir/turns.ts";
import { type Json, type JsonObject, toArray } from "../../json/json.ts";
import { SENTINEL } from "../seal.ts";
import { isCall, isResult } from "./decode-calls.ts";
import { encodePart } from "./encode-parts.ts";
import { type Context, fill, protocol } from "./parts.ts";

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
  if (traits.turnSignatures) sealTurns(contents);
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

/** Gives a placeholder signature to the first text and to each picture of the model's turns, where it lacks a real one. */
function sealTurns(contents: Content[]): void {
  for (const { role, parts } of contents) {
    if (role !== "model") continue;
    const [first, next] = parts.filter(({ thought }) => thought !== true);
    if (first && !isCall(first) && first.thoughtSignature === undefined) {
      // The signature of a text may stand behind it.
      const isSigned = next?.text === "" && next.thoughtSignature !== undefined;
      first.thoughtSignature = isSigned ? (next.thoughtSignature as string) : SENTINEL;
      if (isSigned) parts.splice(parts.indexOf(next), 1);
    }
    for (const part of parts) if (part.inlineData ?? part.fileData) part.thoughtSignature ??= SENTINEL;
  }
}
