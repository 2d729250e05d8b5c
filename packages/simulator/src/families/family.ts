import type { Rule } from "../check/rule.ts";
import type { JsonObject } from "../content/request-content.ts";
import type { Call } from "../protocols/protocol.ts";
import type { Refusal } from "../refusal.ts";

/** The context of a family's rules. */
export interface FamilyCall extends Call {
  /** The members of the request that only this vendor has on the wire. */
  extra: JsonObject;
}

/** The behaviour of a family of models on one wire. */
export interface WireRules {
  /** Members that the vendor has on this wire beyond the standard ones. */
  members?: readonly string[];
  rules: Rule<never, FamilyCall>[];
  /** The length of the ids that it gives to calls, if the vendor's have no prefix. */
  callIdLength?: number;
  /** Whether the model thinks; default: as the wire's own members say. */
  thinks?(body: never, extra: JsonObject): boolean;
  /** The vendor's body of an error; default: the wire's. */
  errorBody?(refusal: Refusal): unknown;
}

/** A family of models of one vendor, with what the vendor's pages say that it refuses. */
export interface Family {
  name: string;
  /** Matches the names of its models in lower case. */
  names: RegExp;
  /** The wires that it is served on, by the names of the protocols. */
  wires: Readonly<Record<string, WireRules>>;
}

/** The rules of one wire, typed by its body. */
export function wireRules<Body>(wire: {
  members?: readonly string[];
  rules: Rule<Body, FamilyCall>[];
  callIdLength?: number;
  thinks?(body: Body, extra: JsonObject): boolean;
  errorBody?(refusal: Refusal): unknown;
}): WireRules {
  return wire as unknown as WireRules;
}

/** Values between quotes, as a list in a sentence: `'a', 'b', and 'c'`. */
export function quotedList(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  if (quoted.length < 3) return quoted.join(" and ");
  return `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
}
