import type { Trace } from "../../codec/caller-codec.ts";
import { holdsMedia } from "../../family/result-media.ts";
import { extraFor } from "../../ir/extra.ts";
import type { Extra, Message, Part, SystemMessage, TextPart } from "../../ir/index.ts";
import { joinable, loseFields } from "../../ir/joined-fields.ts";
import type { Lose } from "../../ir/loss.ts";
import { hoist, OPENED, OPENING, toTurns } from "../../ir/turns.ts";
import { type JsonObject, toArray, toObject } from "../../json/json.ts";
import { type Context, decodeContent, encodePart, extrasOf, protocol, shorten } from "./parts.ts";
import type { Wire } from "./schema.ts";

const messageFields = new Set(["role", "content"]);

/** The messages of the wire in order. `system` and the system messages that lead `messages` are one. */
export function decodeMessages(wire: Wire, trace: Trace): Message[] {
  const sources: Source[] = [[wire.system ?? [], "/system"]];
  const led = wire.messages.findIndex(
    (message) => message.role !== "system" || Object.keys(message).length > 2,
  );
  const count = led < 0 ? wire.messages.length : led;
  for (const [i, { content }] of wire.messages.slice(0, count).entries())
    sources.push([content, `/messages/${i}/content`]);
  const system = decodeSystem(sources, trace);
  const messages = wire.messages.slice(count).map((message, j): Message => {
    const pointer = `/messages/${count + j}`;
    const { content } = message;
    const { extra } = extrasOf(message as JsonObject, messageFields);
    const decoded =
      message.role === "system"
        ? withExtra(decodeSystem([[content, `${pointer}/content`]], trace), extra)
        : ({
            role: message.role,
            parts: decodeContent(content, `${pointer}/content`, trace),
            ...(extra && { extra }),
          } as Message);
    trace(decoded, pointer);
    return decoded;
  });
  if (system.parts.length === 0 && !system.extra) return messages;
  trace(system, wire.system ? "/system" : "/messages/0");
  return [system, ...messages];
}

type Source = [content: unknown, pointer: string];

const withExtra = (message: SystemMessage, extra: Extra | undefined): SystemMessage =>
  extra
    ? { ...message, extra: { protocol, fields: { ...extra.fields, ...message.extra?.fields } } }
    : message;

/** System text. Where other blocks stand among it, the whole content is kept beside the text. */
function decodeSystem(sources: Source[], trace: Trace): SystemMessage {
  const parts = sources.flatMap(([content, pointer]) => decodeContent(content, pointer, trace));
  const texts = parts.filter((part): part is TextPart => part.type === "text");
  if (texts.length === parts.length) return { role: "system", parts: texts };
  const content = sources.flatMap(([blocks]) =>
    typeof blocks === "string" ? [{ type: "text", text: blocks }] : toArray(blocks),
  );
  return { role: "system", parts: texts, extra: { protocol, fields: { content } } };
}

/** The written form of each part, and where it stood. */
type Written = Map<Part, { block: JsonObject; path: string }>;

const blocksOf = (parts: readonly Part[], written: Written): JsonObject[] =>
  parts.map((part) => written.get(part)?.block as JsonObject);

/** `system` and `messages` of a request. */
export function encodeMessages(all: readonly Message[], context: Context): JsonObject {
  const { lose } = context;
  const written: Written = new Map();
  const lead = hoist(all).system.length;
  const system: JsonObject[] = [];
  const kept: Message[] = [];
  all.forEach((message, i) => {
    const path = `/messages/${i}`;
    const fields = extraFor(protocol, message.extra, lose, path);
    const parts = encodeParts(message, path, written, context);
    if (message.name !== undefined) lose(`${path}/name`, "unsupported");
    if (message.role === "system" && message.developer)
      lose(`${path}/developer`, "approximated", "became system");
    if (i < lead) {
      const { content, ...more } = fields;
      loseFields(more, path, lose);
      const blocks = Array.isArray(content) ? content.map(toObject) : blocksOf(parts, written);
      for (const block of blocks) system.push(block);
    } else if (parts.length > 0 || fields.content !== undefined)
      kept.push(joinable(kept.at(-1), { ...message, parts } as Message, protocol, fields, path, lose));
    else lose(path, "unsupported", "there is nothing to say in it");
  });
  const turns = toTurns(kept);
  trimEnd(turns.at(-1), written, lose);
  const calls = ({ parts }: Message): boolean => (parts as Part[]).some(({ type }) => type === "call");
  const { reasoningBack } = context.traits;
  const every = reasoningBack === "always" && turns.some(calls);
  const messages = turns.map((turn): JsonObject => {
    const { role, parts, extra } = turn;
    const blocks = blocksOf(parts, written);
    const wants = role === "assistant" && (every || (reasoningBack === "calls" && calls(turn)));
    if (wants && !(parts as Part[]).some(({ type }) => type === "reasoning")) blocks.unshift(noThought());
    return { role, content: shorten(blocks), ...extra?.fields };
  });
  if (messages[0]?.role !== "user") {
    lose("/messages", "approximated", OPENED);
    if (messages.length === 0 && system.length > 0) {
      for (const i of all.keys()) lose(`/messages/${i}`, "approximated", "sent as a message of the user");
      return { messages: [{ role: "user", content: shorten(system) }] };
    }
    messages.unshift({ role: "user", content: OPENING });
  }
  return { ...(system.length > 0 && { system: shorten(system) }), messages };
}

/** The block of a turn without a thought, for models that refuse turns without such a block. */
const noThought = (): JsonObject => ({ type: "thinking", thinking: "", signature: "" });

/** The parts that became blocks: copies, so that each is of one place also where one part stands in two. */
function encodeParts({ parts }: Message, path: string, written: Written, context: Context): Part[] {
  const write = (part: Part, place: string): Part[] => {
    const block = encodePart(part, place, context);
    if (!block) return [];
    const copy = { ...part };
    written.set(copy, { block, path: place });
    return [copy];
  };
  return (parts as Part[]).flatMap((part, i) => {
    const place = `${path}/parts/${i}`;
    if (part.type !== "result") return write(part, place);
    const behind = part.parts.flatMap((inner, k) => {
      if (inner.type !== "media" || holdsMedia(inner, context.traits, true)) return [];
      context.lose(`${place}/parts/${k}`, "approximated", "moved behind the results");
      return write(inner, `${place}/parts/${k}`);
    });
    return [...write(part, place), ...behind];
  });
}

/** A begun answer may not end in white space. */
function trimEnd(turn: Message | undefined, written: Written, lose: Lose): void {
  const last = turn?.role === "assistant" ? turn.parts.at(-1) : undefined;
  const place = last && written.get(last);
  if (!place || last.type !== "text" || last.text === last.text.trimEnd()) return;
  place.block.text = last.text.trimEnd();
  lose(place.path, "approximated", "white space at the end is refused");
}
