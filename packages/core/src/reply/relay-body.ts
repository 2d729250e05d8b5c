import type { AnyCaller, AnyProvider } from "../codec/codec.ts";
import { isTooComplex } from "../json/bounded.ts";
import { parseJson } from "../json/json.ts";
import type { Observation } from "../stream/observe.ts";
import { observeBody } from "../stream/observe-body.ts";
import { byteTools } from "./bytes.ts";
import { hideIn, hideSecrets } from "./hide-secrets.ts";
import { noReply } from "./no-reply.ts";
import { pauseHeaders } from "./refused-reply.ts";
import { renaming } from "./rename-model.ts";
import type { ReplyOptions, WholeReply } from "./reply.ts";

const decoder = /* @__PURE__ */ new TextDecoder();
/** The first byte of a byte order mark, which decoding removes. */
const BYTE_ORDER_MARK = 0xef;

/** Relays a unary body, but for the model's name, and observes it. An error is written in the caller's protocol. */
export function relayBody(
  bytes: Uint8Array,
  from: AnyProvider,
  to: AnyCaller,
  { secrets, name }: Pick<ReplyOptions, "secrets" | "name">,
): { observation: Observation; whole: WholeReply } {
  const text = decoder.decode(bytes);
  const body = isTooComplex(text) ? null : parseJson(text);
  if (body === undefined) throw noReply(text, secrets);
  const observation = observeBody(from, body);
  if (observation.failure) {
    const failure = hideIn(observation.failure, hideSecrets(secrets ?? []));
    observation.failure = failure;
    return { observation, whole: { ...to.failure.encode(failure), headers: pauseHeaders(failure) } };
  }
  // Text can be stored for repeats of a request; other bytes are relayed as they came.
  if (!byteTools.isUtf8(bytes) || bytes[0] === BYTE_ORDER_MARK)
    return { observation, whole: { status: 200, headers: {}, body: bytes } };
  const named = name === undefined ? text : renaming(from, JSON.stringify(name))(text);
  return { observation, whole: { status: 200, headers: {}, body: named } };
}
