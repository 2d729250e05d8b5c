import type { BillingFacts } from "../../codec/billing-facts.ts";
import { schema } from "./schema.ts";

/** The service's own wire is always translated, so its bill follows from the target's wire. */
export const billing: BillingFacts = {
  members: Object.keys(schema.node.members),
  limits: [["maxTokens"]],
  alternatives: [],
  modes: {},
  tools: [[/./, "free"]],
  ids: [],
  billed: () => undefined,
};
