import type { Trace, Traits } from "../../codec.ts";
import { escapePointer, extraFor } from "../../extra.ts";
import type { Extra, Message, Part, SystemMessage, TextPart } from "../../ir/index.ts";
import { type JsonObject, toArray, toObject } from "../../json.ts";
import type { Lose } from "../../loss.ts";
import { hoist, toTurns } from "../../turns.ts";
import { type Context, decodeContent, encodePart, extrasOf, protocol, shorten } from "./parts.ts";
import type { Wire } from "./schema.ts";

const known = new Set(["role", "content"]);

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
    const { extra } = extrasOf(message as JsonObject, known);
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

/** What is said to a model that nobody spoke to: conversations begin with the user. */
const opening = (): JsonObject => ({ role: "user", content: "Begin." });

/** `system` and `messages` of a request. */
export function encodeMessages(all: readonly Message[], context: Context, traits: Traits): JsonObject {
  const { lose } = context;
  const blocks = new Map<Part, JsonObject>();
  const paths = new Map<Part, string>();
  const lead = hoist(all).system.length;
  const system: JsonObject[] = [];
  const kept: Message[] = [];
  all.forEach((message, i) => {
    const path = `/messages/${i}`;
    if (message.name !== undefined) lose(`${path}/name`, "unsupported");
    const fields = extraFor(protocol, message.extra, lose, path);
    const parts = (message.parts as Part[]).flatMap((part, j) => {
      const block = encodePart(part, `${path}/parts/${j}`, context);
      if (!block) return [];
      // A copy is this place's own, also where one part stands in two.
      const copy = { ...part };
      blocks.set(copy, block);
      paths.set(copy, `${path}/parts/${j}`);
      return [copy];
    });
    if (message.role === "system") {
      if (message.developer) lose(`${path}/developer`, "approximated", "became system");
      if (i < lead || traits.midSystem === false) {
        const { content, ...more } = fields;
        loseFields(more, path, lose);
        const own = toArray(content).map(toObject);
        system.push(...(own.length > 0 ? own : parts.map((part) => blocks.get(part) as JsonObject)));
        if (i >= lead) lose(path, "approximated", "moved to the head of the conversation");
        return;
      }
    }
    if (parts.length === 0 && fields.content === undefined) {
      lose(path, "unsupported", "there is nothing to say in it");
      return;
    }
    const before = kept.at(-1);
    const joins = before?.role === message.role && message.role !== "system";
    const taken = joins ? new Set(Object.keys(before.extra?.fields ?? {})) : new Set<string>();
    loseFields(Object.fromEntries(Object.entries(fields).filter(([name]) => taken.has(name))), path, lose);
    const extra = { ...fields, ...(joins && before.extra?.fields) };
    kept.push({
      role: message.role,
      parts,
      ...(Object.keys(extra).length > 0 && { extra: { protocol, fields: extra } }),
    } as Message);
  });
  const turns = toTurns(kept);
  trimEnd(turns.at(-1), blocks, (part) =>
    lose(paths.get(part) as string, "approximated", "white space at the end is refused"),
  );
  const messages = turns.map(({ role, parts, extra }): JsonObject => {
    const content = shorten((parts as Part[]).map((part) => blocks.get(part) as JsonObject));
    return { role, content, ...extra?.fields };
  });
  if (messages[0]?.role !== "user") {
    lose("/messages", "approximated", "a conversation has to begin with the user");
    if (messages.length === 0 && system.length > 0)
      return { messages: [{ role: "user", content: shorten(system) }] };
    messages.unshift(opening());
  }
  return { ...(system.length > 0 && { system: shorten(system) }), messages };
}

function loseFields(fields: JsonObject, path: string, lose: Lose): void {
  for (const name of Object.keys(fields)) lose(`${path}/extra/${escapePointer(name)}`, "unsupported");
}

/** A begun answer may not end in white space. */
function trimEnd(
  turn: Message | undefined,
  blocks: Map<Part, JsonObject>,
  trimmed: (part: Part) => void,
): void {
  const last = turn?.role === "assistant" ? turn.parts.at(-1) : undefined;
  if (last?.type !== "text" || last.text === last.text.trimEnd()) return;
  (blocks.get(last) as JsonObject).text = last.text.trimEnd();
  trimmed(last);
}
