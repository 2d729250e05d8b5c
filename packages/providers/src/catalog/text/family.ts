import type { Traits } from "@manifold-gateway/core/codec";
import type { Source } from "./sources.ts";

/** A family of text models: what its vendor's name tells of a model, wherever it is served. */
export interface Family {
  /**
   * The names that its vendor gives to its models, without a date or a version behind them. `{a,b}` stands for `a` or
   * `b`, and `*` for any text. Of several families that fit a name, the first one counts.
   */
  names: readonly string[];
  traits: Traits;
  source: Source;
}

/** The plain patterns of one with alternatives: `a-{b,c}` gives `a-b` and `a-c`. */
export function alternatives(pattern: string): string[] {
  const [, before = "", choices, after = ""] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (choices === undefined) return [pattern];
  return choices.split(",").flatMap((choice) => alternatives(`${before}${choice}${after}`));
}

/** The end of a version: `gpt-5` is not the beginning of `gpt-5-1`, nor of `gpt-50`, but of `gpt-5-2026-01-31`. */
const END = "(?![a-z0-9])(?!-\\d{1,2}(?![a-z0-9]))";

const expressionOf = (pattern: string): string =>
  pattern.replaceAll(/[^a-z0-9*-]/g, "\\$&").replaceAll("*", "[^/]*") + (pattern.endsWith("*") ? "" : END);

/** Finds the family of a name. Patterns are compiled once. */
export function familyFinder(families: readonly Family[]): (name: string) => Family | undefined {
  const compiled = families.map((family) => {
    const patterns = family.names.flatMap(alternatives).map(expressionOf);
    return { family, expression: new RegExp(`^(?:${patterns.join("|")})`) };
  });
  return (name) => {
    for (const tail of tailsOf(name)) {
      const found = compiled.find(({ expression }) => expression.test(tail));
      if (found) return found.family;
    }
    return undefined;
  };
}

/**
 * The texts that may begin with the vendor's own name, the longest first: routers and platforms write before it and
 * behind it, some with other signs (`4.5`, `4_5` and `4p5` are `4-5`).
 */
function* tailsOf(name: string): Generator<string> {
  const spelled = (name.split("/").at(-1) ?? "").toLowerCase().replaceAll(/(?<=\d)[._p](?=\d)/g, "-");
  yield spelled;
  for (const { index } of spelled.matchAll(/[-.:_~@]/g)) yield spelled.slice(index + 1);
}
