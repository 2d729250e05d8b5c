import type { AnyProvider } from "../codec/codec.ts";
import { run } from "../codec/machine.ts";
import type { Json } from "../json/json.ts";
import { isUnread, MalformedReply } from "./malformed-reply.ts";
import { addBilling, addEvent, type Observation } from "./observe.ts";

/**
 * The facts of a unary body that passes by untranslated: enough to settle it. Throws `MalformedReply` if it is neither a
 * reply nor an error.
 */
export function observeBody(codec: AnyProvider, body: Json | undefined): Observation {
  if (typeof body !== "object" || body === null) throw new MalformedReply();
  const observation = codec.reply.summary?.(body) ?? readBody(codec, body);
  if (isUnread(observation)) throw new MalformedReply();
  addBilling(observation, codec, body);
  return observation;
}

/** The same by the events of the body. */
function readBody(codec: AnyProvider, body: Json): Observation {
  const observation: Observation = { content: 0 };
  for (const event of run(codec.reply.decode(), codec.reply.burst(body))) addEvent(observation, event);
  return observation;
}
