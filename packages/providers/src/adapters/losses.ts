import { collectLosses, type Loss } from "@manifold-gateway/core";
import { extraFor } from "@manifold-gateway/core/codec";
import type { Extra } from "@manifold-gateway/core/ir";

/** The parameters that a wire can express. */
export interface Says<Ask> {
  says: readonly (keyof Ask)[];
  /** Values that this wire always has, without a parameter. */
  implied?: Partial<Ask>;
  /** Members of `extra` that this wire has although it is not the caller's. */
  members?: readonly string[];
}

/**
 * Finds the losses of requests on a wire: parameters that it cannot express, and each unknown field in `extra`.
 * `always` lists members that are handled on any wire.
 */
export function lossesBy<Ask extends object>(
  always: readonly (keyof Ask)[],
  { says, implied = {}, members = [] }: Says<Ask>,
): (ask: Ask) => Loss[] {
  const expressed = new Set<PropertyKey>([...always, ...says]);
  const known = new Map<string, unknown>(Object.entries(implied));
  return (ask) => {
    const { losses, lose } = collectLosses();
    for (const [name, value] of Object.entries(ask)) {
      if (value === undefined || expressed.has(name)) continue;
      if (known.has(name) && known.get(name) === value) continue;
      // No caller has unknown fields of the native interface, so each is a loss.
      if (name === "extra") extraFor("native", without(value as Extra, members), lose, "");
      else lose(`/${name}`, "unsupported");
    }
    return losses;
  };
}

const without = ({ protocol, fields }: Extra, members: readonly string[]): Extra => ({
  protocol,
  fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !members.includes(name))),
});
