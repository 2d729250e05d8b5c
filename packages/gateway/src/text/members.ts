import { type BillingFacts, countNames, lookup } from "@manifold-gateway/core/codec";
import type { JsonBody } from "../http/json-body.ts";
import { isLazyObject } from "../http/lazy-json.ts";
import { quote, Refusal } from "../http/refusal.ts";

/** Folds a name as parsers do that ignore case. */
const fold = (name: string): string => name.toUpperCase().toLowerCase();

interface Names {
  exact: ReadonlySet<string>;
  folded: ReadonlyMap<string, string>;
}

const compiled = new WeakMap<readonly string[], Names>();

function namesOf(members: readonly string[]): Names {
  const before = compiled.get(members);
  if (before) return before;
  const names = {
    exact: new Set(members),
    folded: new Map(members.map((name) => [fold(name), name])),
  };
  compiled.set(members, names);
  return names;
}

/**
 * Refuses bodies that two parsers read differently: a member that differs from a known one only by case, which some
 * servers read in its place, and a duplicate member, of which some read the first and some the last. Such a server
 * would serve another request than the one that is priced.
 */
export function refuseAmbiguous({ skeleton: { text }, lazy }: JsonBody, facts: BillingFacts): void {
  refuseCase(lazy, facts.members, "");
  let top = 0;
  let below = 0;
  for (const name in lazy) {
    top += 1;
    const value = lazy[name];
    if (typeof value !== "object" || !isLazyObject(value)) continue;
    const record = facts.records && lookup(facts.records, name);
    if (record) refuseCase(value, record, `${name}.`);
    below += Object.keys(value).length;
  }
  const counted = countNames(text);
  if (counted.top === top && counted.below === below) return;
  throw new Refusal("ambiguous_member", `${doubledIn(text, lazy)}: occurs twice in the request body.`, {
    param: "body",
  });
}

function refuseCase(record: object, members: readonly string[], prefix: string): void {
  const { exact, folded } = namesOf(members);
  for (const name in record) {
    if (exact.has(name)) continue;
    const meant = folded.get(fold(name));
    if (meant !== undefined)
      throw new Refusal(
        "ambiguous_member",
        `${prefix}${quote(name)}: differs from '${prefix}${meant}' only by case; use that name.`,
        { param: `${prefix}${meant}` },
      );
  }
}

/** The first duplicate name, as far as it can be found. */
function doubledIn(text: string, lazy: object): string {
  const records = Object.entries(lazy).flatMap(([name, value]): [string, object][] =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? [[`${name}.`, value]] : [],
  );
  for (const [prefix, record] of [["", lazy] as [string, object], ...records])
    for (const name of Object.keys(record)) {
      const written = JSON.stringify(name);
      const at = text.indexOf(written);
      if (at >= 0 && text.indexOf(written, at + 1) >= 0) return quote(prefix + name);
    }
  return "A member";
}
