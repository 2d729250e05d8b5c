import type { JsonObject } from "../json/json.ts";
import { escapePointer } from "./extra.ts";
import type { Lose } from "./loss.ts";
import type { Protocol } from "./part.ts";
import type { Message } from "./request.ts";

/**
 * The message with the wire's fields for it, unless the one that it will be joined to already has them: of those each
 * is a loss.
 */
export function joinable(
  before: Message | undefined,
  { role, parts }: Message,
  protocol: Protocol,
  fields: JsonObject,
  path: string,
  lose: Lose,
): Message {
  const joins = before?.role === role && role !== "system";
  const existingNames = joins ? new Set(Object.keys(before.extra?.fields ?? {})) : new Set<string>();
  const again = Object.entries(fields).filter(([name]) => existingNames.has(name));
  loseFields(Object.fromEntries(again), path, lose);
  const all = { ...fields, ...(joins && before.extra?.fields) };
  return {
    role,
    parts,
    ...(Object.keys(all).length > 0 && { extra: { protocol, fields: all } }),
  } as Message;
}

/** Reports the fields of a message as gone. */
export function loseFields(fields: JsonObject, path: string, lose: Lose): void {
  for (const name of Object.keys(fields)) lose(`${path}/extra/${escapePointer(name)}`, "unsupported");
}
