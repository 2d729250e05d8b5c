import type { Loss } from "@manifold-gateway/core";

/** The parameters that a wire can say, each with its condition. */
export interface Says<Ask> {
  says: readonly (keyof Ask)[];
  /** Values that hold on this wire without being said. */
  implied?: Partial<Ask>;
}

/**
 * The losses of asks on a wire: parameters that it has no word for. `always` are not parameters, or are seen to on
 * our side.
 */
export function lossesBy<Ask extends object>(
  always: readonly (keyof Ask)[],
  { says, implied = {} }: Says<Ask>,
): (ask: Ask) => Loss[] {
  const said = new Set<PropertyKey>([...always, ...says]);
  const known = new Map<string, unknown>(Object.entries(implied));
  return (ask) =>
    Object.entries(ask)
      .filter(([name, value]) => value !== undefined && !said.has(name))
      .filter(([name, value]) => !(known.has(name) && known.get(name) === value))
      .map(([name]): Loss => ({ path: `/${name}`, why: "unsupported" }));
}
