import type { BillingFacts } from "../../billing.ts";
import { schema } from "./schema.ts";

/** Our own wire is always translated: what it asks for is judged on the wire that it becomes. */
export const billing: BillingFacts = {
  members: Object.keys(schema.shape),
  limits: [["maxTokens"]],
  alternatives: [],
  modes: {},
  tools: [[/./, "free"]],
  ids: [],
  billed: () => undefined,
};
