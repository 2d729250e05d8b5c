import { Refusal } from "../refusal.ts";

/** A reason for which a vendor refuses a body that fits its schema. */
export interface Rule<Body, Context> {
  /** The path of the wrong field on the wire. */
  field?: string;
  code?: string;
  /** Checks whether the body breaks the rule. A text means that it does, and replaces `message`. */
  broken(body: Body, context: Context): boolean | string | undefined;
  message: string;
}

/** Throws a refusal for the first rule that the body breaks. */
export function checkRules<Body, Context>(rules: Rule<Body, Context>[], body: Body, context: Context): void {
  for (const { field, code, broken, message } of rules) {
    const found = broken(body, context);
    if (found === false || found === undefined) continue;
    throw new Refusal("invalid", typeof found === "string" ? found : message, { field, code });
  }
}
