import type { Trace } from "../../codec/caller-codec.ts";
import type { Extra, Message, SystemMessage, TextPart } from "../../ir/index.ts";
import { type JsonObject, toArray, toObject } from "../../json/json.ts";
import { isEffort } from "../efforts.ts";
import { decodeContent } from "./decode-parts.ts";
import { extrasOf, protocol } from "./parts.ts";
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
        ? withFields(decodeSystem([[content, `${pointer}/content`]], trace), extra)
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

/** The system message with its other members, of which an effort has a word in the IR. */
function withFields(message: SystemMessage, extra: Extra | undefined): SystemMessage {
  if (!extra) return message;
  const { output_config: config, ...others } = extra.fields;
  const { effort, ...more } = toObject(config);
  const isKnown = isEffort(effort) && Object.keys(more).length === 0;
  const fields = { ...(isKnown ? others : extra.fields), ...message.extra?.fields };
  return {
    ...message,
    ...(isKnown && { effort }),
    ...(Object.keys(fields).length > 0 && { extra: { protocol, fields } }),
  };
}

/**
 * The line that a client writes before its system text for the accounts of the vendor. It tells a model nothing, and
 * differs in each request: with it at the head, no server of another protocol finds the prompt in its cache.
 */
const ACCOUNTING = /^x-[\w-]*billing-header:[^\n]*(?:\n|$)/;

/**
 * System text, without a line for accounts. Where other blocks stand among it, or such a line, the whole content is
 * kept beside the text.
 */
function decodeSystem(sources: Source[], trace: Trace): SystemMessage {
  const parts = sources.flatMap(([content, pointer]) => decodeContent(content, pointer, trace));
  const texts = parts.flatMap((part): TextPart[] => {
    if (part.type !== "text") return [];
    const text = part.text.replace(ACCOUNTING, "");
    if (text === part.text) return [part];
    const rest = { ...part, text };
    trace(rest, sources[0]?.[1] ?? "");
    return text === "" ? [] : [rest];
  });
  if (texts.length === parts.length && texts.every((text, i) => text === parts[i]))
    return { role: "system", parts: texts };
  const content = sources.flatMap(([blocks]) =>
    typeof blocks === "string" ? [{ type: "text", text: blocks }] : toArray(blocks),
  );
  return { role: "system", parts: texts, extra: { protocol, fields: { content } } };
}
