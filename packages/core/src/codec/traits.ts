import * as z from "zod";
import { schemaForms } from "../dialect/forms.ts";
import { chatExtensions } from "../family/extensions.ts";
import { ignorable } from "../ir/ignorable.ts";
import { type ParamName, paramNames } from "../ir/params.ts";

/** The parameters that can be left out: an answer without the requested limit could cost more than is held for it. */
const optionalParams = /* @__PURE__ */ paramNames.filter(
  (name): name is Exclude<ParamName, "maxTokens"> => name !== "maxTokens",
);

/**
 * The traits that a model, a provider or a server can have: each a fact in the words of no vendor, with the schema of
 * its value. The type, the configuration's schema and the table in docs/configuration.md are made of these rows.
 */
export const traitSchemas = {
  maxTokensField: z
    .enum(["max_tokens", "max_completion_tokens"])
    .describe("The spelling of the output limit that a chat provider knows."),
  seedField: z
    .enum(["seed", "random_seed"])
    .describe("The spelling of the seed that a chat provider knows. Default: `seed`."),
  streamUsage: z
    .boolean()
    .describe(
      "`false`: usage of streams is not requested from a chat provider, because it refuses `stream_options`; without its usage, tokens are counted by estimate.",
    ),
  developer: z.boolean().describe("`false`: `developer` messages are sent as `system`."),
  freeform: z.boolean().describe("`false`: tools with free-text input are sent as functions of one string."),
  extensions: z
    .array(z.enum(chatExtensions))
    .describe("Members of the chat wire beyond its standard that the server accepts."),
  reasoningBack: z
    .boolean()
    .describe(
      "`true`: reasoning of earlier turns is sent back where the wire has only a de-facto field for it.",
    ),
  thinking: z
    .array(z.enum(["adaptive", "manual", "off"]))
    .describe(
      "The ways in which thinking may be requested: by an effort, by a budget of tokens, or not to think; `[]`: the model does not think. Default: all.",
    ),
  thinkingBy: z
    .enum(["budget", "level"])
    .describe(
      "How the amount of thinking is sent to a generate-content model. Default: budgets, which both generations accept.",
    ),
  sampling: z.boolean().describe("`false`: sampling parameters are left out."),
  refuses: z
    .array(z.enum(optionalParams))
    .describe(
      "Parameters that are left out, by their names in `supportedParameters`: the model refuses them.",
    ),
  accepts: z
    .partialRecord(z.enum(optionalParams), z.array(z.union([z.number(), z.string()])).min(1))
    .describe(
      'The only values of a parameter that the model accepts: `{ "temperature": [1] }`. A number becomes the nearest, and another word is left out.',
    ),
  midSystem: z.boolean().describe("`false`: system text after the first turn is moved."),
  jsonSchema: z.boolean().describe("`false`: schemas are written in the older, smaller dialect."),
  schemaRefuses: z
    .array(z.enum(schemaForms))
    .describe(
      "Forms of JSON Schema that the model refuses in tools and formats, beyond those of its protocol; they are written otherwise.",
    ),
  strict: z.boolean().describe("`false`: tools and formats are not strict."),
  format: z.boolean().describe("`false`: a response schema becomes a tool that has to be called."),
  callIds: z.boolean().describe("`false`: ids on calls and results are left out."),
  resultMedia: z.boolean().describe("`false`: tool results contain no media."),
  maxOutput: z.int().min(1).describe("The most output tokens that the model gives."),
  ignores: z
    .array(z.enum(ignorable))
    .describe(
      "What the server accepts but does not honour: `responseFormat` (JSON and schemas), `toolChoice` (`required`, `none`), `toolNames` (a choice of single tools), `parallelToolCalls`. A request that uses it is sent by another protocol of the provider that honours it; if there is none, it is listed as a loss, and of tools only the chosen ones are sent.",
    ),
} as const satisfies Record<string, z.ZodType>;

/** The name of a trait. */
export type TraitName = keyof typeof traitSchemas;

type Read<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/**
 * The traits of one model, beyond what its protocol says. Catalog data, which `traitSchemas` describes; absent means
 * the protocol's newest behaviour.
 */
export type Traits = { [Name in TraitName]?: Read<z.infer<(typeof traitSchemas)[Name]>> };
