import { isObject, type JsonObject } from "../json/json.ts";
import { type Edits, splice } from "../json/splice.ts";
import { type Wires, wires } from "../protocols/facts.ts";
import { holdsSeal } from "../protocols/seal.ts";
import { parseWire } from "../stream/long-integers.ts";
import { noObject, type Rejection } from "./rejection.ts";

/** A caller's body. `Sent` is the form in which it is sent on. */
export interface RequestBody<Sent = string> {
  /** The parsed body. */
  readonly value: JsonObject;
  /** The same with objects in place of long strings, for readers that need none of them. Absent: as `value`. */
  readonly lazy?: object;
  /** The protocols that the program has: the body is read by the facts of their wires. */
  readonly protocols: Wires;
  /** Checks whether a value of the body is sealed by another vendor than the protocol's. */
  holdsSeal(): boolean;
  /** The body with changed top-level members; every other byte is as it arrived. */
  edited(edits: Edits): Sent;
}

/** Reads the JSON text of a body; a rejection if it is no JSON object. */
export function readBody(text: string, protocols: Wires = wires): RequestBody | Rejection {
  const value = parseWire(text, protocols);
  if (!isObject(value)) return noObject();
  return {
    value,
    protocols,
    holdsSeal: () => holdsSeal(text),
    edited: (edits) => (Object.keys(edits).length > 0 ? splice(text, edits) : text),
  };
}
