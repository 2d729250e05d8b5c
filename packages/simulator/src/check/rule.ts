import { Refusal } from "../refusal.ts";

/** One thing a vendor refuses beyond the shape of a body. */
export interface Rule<Body, Context> {
  /** The field at fault, on the wire's own path. */
  field?: string;
  code?: string;
  /** True when the body breaks the rule; a text when it does and the text says it better than `says`. */
  broken(body: Body, context: Context): boolean | string | undefined;
  says: string;
}

/** Holds a body against the rules in order and refuses it for the first it breaks. */
export function hold<Body, Context>(rules: Rule<Body, Context>[], body: Body, context: Context): void {
  for (const { field, code, broken, says } of rules) {
    const found = broken(body, context);
    if (found === false || found === undefined) continue;
    throw new Refusal("invalid", typeof found === "string" ? found : says, { field, code });
  }
}
