import { type JsonObject, rest, toObject } from "../json/json.ts";
import type { Lose } from "./loss.ts";
import type { Extra, Protocol } from "./part.ts";

/** The members of a wire record that a decoder has no word for, as `extra` to spread into the IR node. */
export function extraOf(
  protocol: Protocol,
  record: JsonObject,
  knownFields: ReadonlySet<string>,
): { extra?: Extra } {
  const fields = rest(record, knownFields);
  return fields ? { extra: { protocol, fields } } : {};
}

/** The same for wires on which `null` means absent, and so does a list of nothing. */
export function nonEmptyExtraOf(
  protocol: Protocol,
  record: JsonObject,
  knownFields: ReadonlySet<string>,
): { extra?: Extra } {
  const entries = Object.entries(rest(record, knownFields) ?? {}).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return entries.length > 0 ? { extra: { protocol, fields: Object.fromEntries(entries) } } : {};
}

/** The fields to write back where `extra` is of this protocol; for another protocol each is a loss. */
export function extraFor(protocol: Protocol, extra: Extra | undefined, lose: Lose, path: string): JsonObject {
  if (!extra) return {};
  if (extra.protocol === protocol) return extra.fields;
  loseExtra(extra, lose, path);
  return {};
}

/** Each field as a loss, for a wire that writes no protocol's fields. */
export function loseExtra(extra: Extra | undefined, lose: Lose, path: string): void {
  if (!extra) return;
  for (const [field, value] of Object.entries(extra.fields)) {
    if (extra.internal?.includes(field)) continue;
    const place = `${path}/extra/${escapePointer(field)}`;
    if (!extra.partial?.includes(field)) lose(place, "unsupported");
    else
      for (const left of Object.keys(toObject(value)))
        if (!extra.internal?.includes(`${field}/${left}`))
          lose(`${place}/${escapePointer(left)}`, "unsupported");
  }
}

/** A member name as a JSON pointer token. */
export const escapePointer = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
