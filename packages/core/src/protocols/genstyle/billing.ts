import type { BillingFacts } from "../../codec/billing-facts.ts";
import { paramFields } from "../../codec/params.ts";
import { bothCasings as both } from "../../codec/snake-case.ts";
import { type JsonObject, textOf, toArray, toObject } from "../../json/json.ts";
import { configFields, params } from "./params.ts";

const parameters = both([
  ...configFields,
  "audioTimestamp",
  "enableEnhancedCivicAnswers",
  "imageConfig",
  "mediaResolution",
  "responseFormat",
  "responseJsonSchema",
  "responseMimeType",
  "responseSchema",
  "routingConfig",
  "speechConfig",
  "thinkingConfig",
]);

const usual = ["standard", "unspecified", "on_demand", "traffic_type_unspecified"];

const FILE = /(^|\/)files\/[\w-]+/;
const files = both(["fileData"]).flatMap((data) =>
  both(["fileUri"]).flatMap((uri) =>
    [["contents", "*"], ["contents"]].map((content) => ({
      path: [...content, "parts", "*", data, uri],
      pattern: FILE,
    })),
  ),
);

/** The bill of generate content: hosted tools leave their evidence on the candidates. */
export const billing: BillingFacts = {
  members: [
    ...both([
      ...paramFields(params),
      "cachedContent",
      "contents",
      "model",
      "models",
      "plugins",
      "preset",
      "provider",
      "route",
      "safetySettings",
      "store",
      "systemInstruction",
      "toolConfig",
      "tools",
    ]),
  ],
  records: { generationConfig: parameters, generation_config: parameters },
  limits: both(["generationConfig"]).flatMap((config) => [
    ...both(["maxOutputTokens"]).map((name) => [config, name]),
    ...both(["thinkingConfig"]).flatMap((thinking) =>
      both(["thinkingBudget"]).map((budget) => [config, thinking, budget]),
    ),
  ]),
  alternatives: both(["generationConfig"]).flatMap((config) =>
    both(["candidateCount"]).map((name) => [config, name]),
  ),
  modes: { serviceTier: usual, service_tier: usual },
  kindsOf: (tool) => Object.keys(tool),
  tools: [
    [/^(functionDeclarations|function_declarations|computerUse|computer_use)$/, "free"],
    // Paid by the tokens that they add.
    [/^(codeExecution|code_execution|urlContext|url_context|fileSearch|file_search)$/, "free"],
    [
      /^(googleSearch|google_search|googleSearchRetrieval|google_search_retrieval)$/,
      ["webSearches", "groundedRequests"],
    ],
    [/^(googleMaps|google_maps)$/, ["mapSearches"]],
  ],
  ids: [{ path: ["cachedContent"] }, { path: ["cached_content"] }, ...files],
  billed(chunk) {
    const model = textOf(chunk.modelVersion);
    const { serviceTier, trafficType } = toObject(chunk.usageMetadata);
    const tier = textOf(serviceTier) ?? textOf(trafficType);
    const evidence = toArray(chunk.candidates).map((one) => toObject(toObject(one).groundingMetadata));
    const queries = evidence.reduce((sum, { webSearchQueries }) => sum + toArray(webSearchQueries).length, 0);
    const maps = evidence.some(({ groundingChunks }) => toArray(groundingChunks).some(isOfMaps));
    return {
      ...(model !== undefined && { model }),
      ...(tier !== undefined && { modes: { serviceTier: tier.toLowerCase() } }),
      calls: {
        ...(queries > 0 && { webSearches: queries, groundedRequests: 1 }),
        ...(maps && { mapSearches: 1 }),
      },
    };
  },
};

const isOfMaps = (chunk: unknown): boolean => toObject(chunk as JsonObject).maps !== undefined;
