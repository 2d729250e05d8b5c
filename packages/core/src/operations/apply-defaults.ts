import { defaultsOf } from "../capability/area.ts";
import type { Issue } from "../capability/ask.ts";
import type { Capabilities } from "../capability/schema.ts";
import type { Operation } from "../capability/terms.ts";

/**
 * The request as it is submitted: without the parameters that its check dropped, and with the model's defaults written
 * out, so that the output is what was priced.
 */
export function fitAsk<Ask extends object>(
  ask: Ask,
  operation: Operation,
  capabilities: Capabilities | undefined,
  issues: readonly Issue[] = [],
): Ask {
  const fitted = new Map(Object.entries({ ...defaultsOf(capabilities, operation), ...ask }));
  for (const { effect, name } of issues)
    if (effect === "drop" && name !== undefined) drop(fitted, name.split("."));
  return Object.fromEntries(fitted) as Ask;
}

function drop(from: Map<string, unknown>, [name = "", ...rest]: string[]): void {
  const value = from.get(name);
  if (rest.length === 0 || typeof value !== "object" || value === null) return void from.delete(name);
  const inner = new Map(Object.entries(value));
  drop(inner, rest);
  from.set(name, Object.fromEntries(inner));
}
