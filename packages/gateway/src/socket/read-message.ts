import { type Edits, memberText, splice } from "@manifold-gateway/core";
import type { JsonBody } from "../http/json-body.ts";
import { LargeString, type LazyJson } from "../http/lazy-json.ts";
import { quote, Refusal } from "../http/refusal.ts";
import { filled } from "../http/skeleton.ts";
import type { History } from "./history.ts";

/** The request in a message. */
export interface Turn {
  /** The whole request as JSON text, with the history that it continues. */
  body: Uint8Array;
  /** The items of its whole input, as JSON text. */
  items: readonly Uint8Array[];
  /** Whether nothing is to be generated: the input only becomes history. */
  warmup: boolean;
}

const refused = (code: "invalid_request" | "unknown_event", param: string, text: string): Refusal =>
  new Refusal(code, `${param}: ${text}`, { param });

/** Reads a message. `last` is the response that it may continue. */
export function readTurn(message: JsonBody, last: History | undefined): Turn {
  const { type, generate, stream_id, background, store, previous_response_id: before } = message.lazy;
  if (type !== "response.create")
    throw refused("unknown_event", "type", `must be 'response.create', not ${quote(shown(type))}.`);
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
  // Without a store, only this connection could know the response. With one, the provider may know it.
  if (isContinued && before !== last?.id && (store === false || warmup))
    throw new Refusal(
      "previous_response_not_found",
      `previous_response_id: ${quote(shown(before))} is not the last response of this connection. Send the whole input instead.`,
      { param: "previous_response_id" },
    );
  const added = itemsOf(message);
  const edits: Edits = { type: undefined, generate: undefined, background: undefined, stream: true };
  if (!last || before !== last.id) {
    const body = toBytes(splice(message.skeleton.text, edits), message);
    return { body, items: added, warmup };
  }
  const items = [...last.items, ...added];
  return { body: continued(message, edits, items), items, warmup };
}

const shown = (value: LazyJson | undefined): unknown => (value instanceof LargeString ? value.head : value);

/** The request with these items as its input. */
function continued(message: JsonBody, edits: Edits, items: readonly Uint8Array[]): Uint8Array {
  const rest = splice(message.skeleton.text, { ...edits, input: undefined, previous_response_id: undefined });
  const listed = items.flatMap((item, at) => (at === 0 ? [item] : [COMMA, item]));
  const members = rest.slice(rest.indexOf("{") + 1);
  return Buffer.concat([Buffer.from('{"input":['), ...listed, Buffer.from("],"), toBytes(members, message)]);
}

const COMMA = Buffer.from(",");

/** The items of the message's `input`, as the text between a list's brackets. */
function itemsOf(message: JsonBody): Uint8Array[] {
  const { lazy, skeleton } = message;
  const text = memberText(skeleton.text, "input") ?? "";
  if (typeof lazy.input === "string" || lazy.input instanceof LargeString)
    return [toBytes(`{"type":"message","role":"user","content":${text}}`, message)];
  if (!Array.isArray(lazy.input) || lazy.input.length === 0) return [];
  return [toBytes(text.slice(1, -1), message)];
}

/** Converts a piece of a message's skeleton to bytes, with its large strings put back in. */
function toBytes(text: string, { skeleton }: JsonBody): Uint8Array {
  const whole = filled(text, skeleton);
  return typeof whole === "string" ? Buffer.from(whole) : Buffer.concat(whole);
}
