import type { Loss } from "@manifold-gateway/core";

/** The parameters that a wire can express. */
export interface Says<Ask> {
  says: readonly (keyof Ask)[];
  /** Values that this wire always has, without a parameter. */
  implied?: Partial<Ask>;
}

/**
 * Finds the losses of requests on a wire: parameters that it cannot express. `always` lists members that are handled
 * on any wire.
 */
export function lossesBy<Ask extends object>(
  always: readonly (keyof Ask)[],
  { says, implied = {} }: Says<Ask>,
): (ask: Ask) => Loss[] {
  const expressed = new Set<PropertyKey>([...always, ...says]);
  const known = new Map<string, unknown>(Object.entries(implied));
  return (ask) =>
    Object.entries(ask)
      .filter(([name, value]) => value !== undefined && !expressed.has(name))
      .filter(([name, value]) => !(known.has(name) && known.get(name) === value))
      .map(([name]): Loss => ({ path: `/${name}`, why: "unsupported" }));
}
