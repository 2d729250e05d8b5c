import { z } from "zod";
import { pricingNames } from "../../catalog/model-listing.ts";

const modalities = z.array(z.string()).meta({ examples: [["text", "image"]] });
const capabilities = z
  .looseObject({})
  .optional()
  .describe("The limits that requests to it are checked against. Absent: none.");
const served = {
  quantization: z.string().optional().describe("The number format of its weights, if its server reports it."),
  isLoaded: z
    .boolean()
    .optional()
    .describe("True if its server has it in memory; present if the server reports it."),
};
const names = {
  aliases: z.array(z.string()).optional().describe("Further names for it; `*` in one stands for any text."),
  aliasOf: z.string().optional().describe("The id of the model that this name is an alias of."),
};
const moment = z.iso.datetime().optional();

const pricing = z
  .looseObject({ currency: z.literal("USD"), unit: z.literal("1M") })
  .optional()
  .describe(
    "US dollars per million tokens or characters, `perImage`, `perSecond` and `perRequest`; `tiers` depend on the request, and the first that matches applies.",
  );

/** A model on the native interface. */
export const model = z
  .object({
    modelId: z.string(),
    ...names,
    name: z.string().optional(),
    providerIds: z.array(z.string()).describe("The providers that serve it."),
    inputModalities: modalities,
    outputModalities: modalities,
    isActive: z.boolean(),
    ...served,
    revision: z.int().describe("Grows with every change of the entry."),
    capabilities,
    pricing,
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: "Model" });

/** The members of a model that all compatibility surfaces share. */
export const modelEntry = z.object({
  id: z.string(),
  ...names,
  name: z.string().optional(),
  inputModalities: modalities,
  outputModalities: modalities,
  ...served,
  capabilitiesProviderId: z.string().optional().describe("The provider whose capabilities are shown."),
  capabilities,
  ...Object.fromEntries(Object.values(pricingNames).map((name) => [name, pricing])),
});
