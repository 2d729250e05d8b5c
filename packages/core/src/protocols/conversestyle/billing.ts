import type { BillingFacts } from "../../codec/billing-facts.ts";
import { paramFields } from "../../codec/params.ts";
import { textOf, toObject } from "../../json/json.ts";
import { params } from "./params.ts";

/** The bill of a conversation: modes stand in the record with the usage. */
export const billing: BillingFacts = {
  members: [
    ...new Set(paramFields(params)),
    "additionalModelResponseFieldPaths",
    "guardrailConfig",
    "messages",
    "modelId",
    "outputConfig",
    "performanceConfig",
    "promptVariables",
    "system",
    "toolConfig",
  ],
  limits: [
    ["inferenceConfig", "maxTokens"],
    ["additionalModelRequestFields", "thinking", "budget_tokens"],
    ["additionalModelRequestFields", "max_tokens"],
  ],
  alternatives: [],
  modes: {
    "serviceTier.type": ["default"],
    "performanceConfig.latency": ["standard"],
    // A guardrail is billed by the text that it reads.
    guardrailConfig: [],
  },
  tools: [],
  ids: [],
  billed(chunk) {
    const { serviceTier, performanceConfig, trace } = toObject(chunk.metadata ?? chunk);
    const tier = textOf(toObject(serviceTier).type);
    const latency = textOf(toObject(performanceConfig).latency);
    const model = textOf(toObject(toObject(trace).promptRouter).invokedModelId);
    if (tier === undefined && latency === undefined && model === undefined) return undefined;
    return {
      ...(model !== undefined && { model }),
      modes: {
        ...(tier !== undefined && { serviceTier: tier }),
        ...(latency !== undefined && { performanceConfig: latency }),
      },
    };
  },
};
