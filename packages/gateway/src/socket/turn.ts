import type { Edits } from "@manifold-gateway/core";
import type { Json } from "@manifold-gateway/core/codec";
import { bytesOf } from "@manifold-gateway/providers";
import type { JsonBody } from "../http/json-body.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { type History, itemsOf } from "./history.ts";

/** The request in a message. */
export interface Turn {
  /** The body of the request that it is. */
  body: Uint8Array;
  /** Its whole input. */
  items: Json[];
  /** Nothing is to be generated: what is said is only remembered. */
  warmup: boolean;
}

const refused = (code: "invalid_request" | "unknown_event", param: string, text: string): Refusal =>
  new Refusal(code, `${param}: ${text}`, { param });

/** Reads a message. `last` is the response that it may continue. */
export function readTurn(message: JsonBody, last: History | undefined): Turn {
  const { type, generate, stream_id, background, store, input, previous_response_id: before } = message.value;
  if (type !== "response.create")
    throw refused("unknown_event", "type", `must be 'response.create', not ${quote(type)}.`);
  if (stream_id !== undefined && stream_id !== null)
    throw refused(
      "invalid_request",
      "stream_id",
      "a connection has one response at a time; open one for each.",
    );
  if (background === true)
    throw refused("invalid_request", "background", "is not available on a WebSocket; use HTTP.");
  const warmup = generate === false;
  const isContinued = before !== undefined && before !== null;
  // Without a store only the connection could have known it; others may be known to the provider.
  if (isContinued && before !== last?.id && (store === false || warmup))
    throw new Refusal(
      "previous_response_not_found",
      `previous_response_id: ${quote(before)} is not the last response of this connection. Send the whole input instead.`,
      { param: "previous_response_id" },
    );
  const edits: Edits = { type: undefined, generate: undefined, background: undefined, stream: true };
  let items = itemsOf(input);
  if (isContinued && before === last?.id) {
    items = [...last.items, ...items];
    Object.assign(edits, { input: items, previous_response_id: undefined });
  }
  const body = message.edited(edits);
  return { body: bytesOf(body), items, warmup };
}
