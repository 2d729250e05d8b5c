import type { Loss, Protocol } from "@manifold-gateway/core";
import {
  isObject,
  type Json,
  type JsonObject,
  parseArguments,
  type Traits,
} from "@manifold-gateway/core/codec";
import type { Extra, Part } from "@manifold-gateway/core/ir";
import { AS_JSON } from "../../packages/core/src/family/json-instruction.ts";
import { wires } from "../support/wires/index.ts";
import { align, type Difference, differences, leaves } from "./compare.ts";

/**
 * One thing that a request or a reply says, and its path. Both are compared as lists of these, so that messages
 * which are joined or split on the way say the same. What the protocols agree to call alike is spelled alike:
 *
 * - ids of calls, whatever their spelling: each stands for the call it names
 * - the name on a result: that of its call
 * - no arguments, and an empty object of them
 */
export interface Fact {
  path: string;
  role: string;
  kind: string;
  value: Record<string, unknown>;
}

/** What a wire said beyond the IR, without its own bookkeeping. */
export const fieldsIn = ({ fields, internal = [] }: Extra): [name: string, value: unknown][] =>
  Object.entries(fields).filter(([name]) => !internal.includes(name));
export function fieldsOf(extra: Extra | undefined): { extra?: unknown } {
  const fields = extra ? fieldsIn(extra) : [];
  return fields.length > 0 ? { extra: Object.fromEntries(fields) } : {};
}

function spellArguments(written: string, to: Protocol): unknown {
  const text = written.trim() === "" ? "{}" : written;
  return wires[to]?.objectArguments ? (parseArguments(text) ?? text) : text;
}

type Tell = (part: Part, path: string, role: string) => Fact[];

/** Tells the parts of one conversation, in order. */
export function teller(to: Protocol): Tell {
  const calls: string[] = [];
  const order = (id: string): number => {
    if (!calls.includes(id)) calls.push(id);
    return calls.indexOf(id);
  };
  const tell: Tell = (part, path, role) => {
    if (part.type === "opaque")
      return [{ path, role, kind: part.type, value: { protocol: part.protocol, value: part.value } }];
    const { type: kind, ...rest } = part;
    const { extra, ...said } = rest;
    const value: Record<string, unknown> = { ...said, ...fieldsOf(extra) };
    if (part.type === "call" || part.type === "result") value.id = order(part.id);
    if (part.type === "call") value.arguments = spellArguments(part.arguments, to);
    if (part.type !== "result") return [{ path, role, kind, value }];
    delete value.name;
    delete value.parts;
    return [
      { path, role, kind, value },
      ...part.parts.flatMap((inner, i) => tell(inner, `${path}/parts/${i}`, "result")),
    ];
  };
  return tell;
}

export interface Comparison {
  /** What was said and is not there, or differs. */
  missing: Difference[];
  /** What nobody said. */
  added: Difference[];
}

export const isUnder = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}/`);

/** A loss of everything says nothing in particular. */
const isParticular = (loss: Loss): boolean => !["", "/messages", "/params"].includes(loss.path);

const main = ({ kind, value }: Fact): unknown => {
  switch (kind) {
    case "text":
    case "reasoning":
      return value.text;
    case "call":
      return [value.name, value.arguments];
    case "result":
      return value.id;
    case "media":
      return value.source;
    default:
      return value;
  }
};

/** How much two facts have in common. Of two that do equally, the one that no loss tells of is the one that came. */
const likeness =
  (isTold: (path: string) => boolean) =>
  (a: Fact, b: Fact): number => {
    if (a.role !== b.role || a.kind !== b.kind) return 0;
    if (JSON.stringify(main(a)) !== JSON.stringify(main(b))) return 1;
    const shared = Object.keys(a.value).filter(
      (key) => JSON.stringify(a.value[key]) === JSON.stringify(b.value[key]),
    );
    const like = 20 + shared.length;
    return isTold(a.path) ? like / 4 : like;
  };

/** What is said to be gone has to be gone: it is not looked for, and found it would be too much. */
export const without = (facts: Fact[], losses: readonly Loss[]): Fact[] => {
  const gone = losses.filter((loss) => loss.why === "unsupported" && isParticular(loss));
  return facts.filter(({ path }) => !gone.some((loss) => isUnder(path, loss.path)));
};

/** Two lists of facts, place by place as they fit best. */
export function compareFacts(sent: Fact[], arrived: Fact[], losses: readonly Loss[]): Comparison {
  const isTold = (path: string): boolean => losses.some((loss) => isUnder(path, loss.path));
  return sorted(
    align(without(sent, losses), arrived, likeness(isTold)).flatMap(([a, b]) => {
      if (a && b) return differences(a.value, b.value, a.path);
      return [{ path: (a ?? b)?.path as string, sent: a?.value, arrived: b?.value }];
    }),
  );
}

export const sorted = (found: Difference[]): Comparison => ({
  missing: found.filter(({ sent }) => sent !== undefined),
  added: found.filter(({ sent }) => sent === undefined),
});

/** What writers say that nobody asked: state that is asked for so that it can come back, and the habit of a wire to show thoughts. */
const inventions = ["/extra/include", "/reasoning/show"];

/**
 * The differences that no loss tells of. What is missing is named at its place or above it, a change also below
 * it; what was added goes with something that arrived in another form.
 */
export function untold(
  { missing, added }: Comparison,
  losses: readonly Loss[],
  { maxOutput }: Pick<Traits, "maxOutput"> = {},
): Difference[] {
  const above = (path: string): boolean =>
    losses.some((loss) => isParticular(loss) && isUnder(path, loss.path));
  const below = (path: string): boolean => losses.some((loss) => isUnder(loss.path, path));
  // What is gone is told when all that it said is told; nothing was said by an empty text.
  const named = ({ path, sent, arrived }: Difference): boolean =>
    above(path) ||
    (arrived === undefined
      ? leaves(sent, path).every(([at, value]) => value === "" || above(at))
      : below(path));
  const explained = ({ path, arrived }: Difference): boolean =>
    inventions.some((place) => isUnder(path, place)) ||
    // Where a wire needs a limit, a request without one gets that of its model, which limits nothing.
    (path === "/params/maxTokens" && arrived === maxOutput) ||
    (isObject(arrived as Json) && (arrived as JsonObject).text === AS_JSON) ||
    losses.some((loss) => loss.why === "approximated" && path.split("/")[1] === loss.path.split("/")[1]);
  return [...missing.filter((each) => !named(each)), ...added.filter((each) => !explained(each))];
}
