import type { Trace } from "../../codec/caller-codec.ts";
import { nonEmptyExtraOf } from "../../ir/extra.ts";
import type { Message, SystemMessage, TextPart } from "../../ir/index.ts";
import { type JsonObject, toArray } from "../../json/json.ts";
import { decodeContent } from "./decode-parts.ts";
import { protocol } from "./parts.ts";
import type { Wire } from "./schema.ts";

const messageFields = new Set(["role", "content"]);

/** The messages of the wire in order, `system` first. */
export function decodeMessages(wire: Wire, trace: Trace): Message[] {
  const system = decodeSystem(toArray(wire.system), trace);
  const messages = wire.messages.map((message, i): Message => {
    const pointer = `/messages/${i}`;
    const { role, content } = message;
    const decoded = {
      role,
      parts: decodeContent(content, `${pointer}/content`, trace, role),
      ...nonEmptyExtraOf(protocol, message as JsonObject, messageFields),
    } as Message;
    trace(decoded, pointer);
    return decoded;
  });
  return system ? [system, ...messages] : messages;
}

/** System text. Where other blocks stand among it, the whole content is kept beside the text. */
function decodeSystem(content: unknown[], trace: Trace): SystemMessage | undefined {
  const parts = decodeContent(content, "/system", trace, "user");
  if (parts.length === 0) return undefined;
  const texts = parts.filter((part): part is TextPart => part.type === "text");
  const extra = { protocol, fields: { content: content as JsonObject[] } } as const;
  const system: SystemMessage = {
    role: "system",
    parts: texts,
    ...(texts.length < parts.length && { extra }),
  };
  trace(system, "/system");
  return system;
}
