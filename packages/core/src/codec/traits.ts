import * as z from "zod";
import { schemaForms } from "../dialect/forms.ts";
import { optionalKeywords } from "../dialect/keywords.ts";
import { chatExtensions } from "../family/extensions.ts";
import { ignorable } from "../ir/ignorable.ts";
import { efforts, mediaKinds } from "../ir/index.ts";
import { factOf, type ParamName, paramNames } from "../ir/params.ts";

/** The parameters that can be left out: an answer without the requested limit could cost more than is held for it. */
const optionalParams = /* @__PURE__ */ paramNames.filter(
  (name): name is Exclude<ParamName, "maxTokens"> => name !== "maxTokens",
);

/** Those of them that are numbers. */
const numbers = /* @__PURE__ */ optionalParams.filter((name) => factOf(name).kind === "number");

/**
 * The traits that a model, a provider or a server can have: each a fact in the words of no vendor, with the schema of
 * its value. The type, the configuration's schema and the table in docs/configuration.md are made of these rows.
 *
 *     traitSchemas.maxOutput.parse(4096);
 */
export const traitSchemas = {
  maxTokensField: z
    .enum(["max_tokens", "max_completion_tokens"])
    .describe(
      "The spelling of the output limit that a chat provider knows. Default: `max_tokens`, except for models and addresses known to take the newer one.",
    ),
  seedField: z
    .enum(["seed", "random_seed"])
    .describe("The spelling of the seed that a chat provider knows. Default: `seed`."),
  streamUsage: z
    .boolean()
    .describe(
      "`false`: usage of streams is not requested from a chat provider, because it refuses `stream_options`; without its usage, tokens are counted by estimate.",
    ),
  developer: z
    .boolean()
    .describe(
      "`false`: `developer` messages are sent as `system`. Default on the chat wire: `false`, except for models and addresses known to take them.",
    ),
  freeform: z
    .boolean()
    .describe(
      "`false`: tools with free-text input are sent as functions of one string. Default on the chat wire: `false`, except for models and addresses known to take them.",
    ),
  resultTexts: z
    .boolean()
    .describe(
      "`false`: several texts of a tool's result are sent as one. Default on the chat wire: `false`, except for models and addresses known to take them.",
    ),
  messageTexts: z
    .boolean()
    .describe(
      "`false`: several texts of a message are sent as one to a chat provider, because it reads them as a string. Default: `true`, except for addresses known to refuse lists.",
    ),
  extensions: z
    .array(z.enum(chatExtensions))
    .describe("Members of the chat wire beyond its standard that the server accepts."),
  reasoningBack: z
    .union([z.boolean(), z.enum(["calls", "always"])])
    .describe(
      "`true`: reasoning of earlier turns is sent back where the wire has only a de-facto field for it. `calls`: turns with calls are refused without it, so an empty one is sent if there is none, on the chat wire also in requests that are forwarded; `always`: so are all turns of the model once one has calls. `false`: none is sent, also where the wire has a place for it.",
    ),
  thoughtTag: z
    .string()
    .regex(/^[\w:.-]{1,40}$/)
    .describe(
      "The tag in which the model writes its thoughts at the beginning of its text, such as `think`, where its server leaves them there: they become thoughts of the reply, on all wires and in streams. With `reasoningBack`, earlier thoughts are sent back in the tag. Default: none.",
    ),
  thoughtBegun: z
    .boolean()
    .describe(
      "`true`: the prompt opens the `thoughtTag`, so that a reply begins with thoughts and has only the end of the tag, unless the request switches thinking off.",
    ),
  thinking: z
    .array(z.enum(["adaptive", "manual", "off"]))
    .describe(
      "The ways in which thinking may be requested: by an effort, by a budget of tokens, or not to think; `[]`: the model does not think. Default: all.",
    ),
  thinkingBy: z
    .enum(["budget", "level", "type", "adaptiveType", "switch"])
    .describe(
      "The member that says how much to think. On the generate-content wire `budget` or `level`; default: budgets, which both generations accept. On the chat wire `type` (`thinking.type`, and an effort if the model has efforts), `adaptiveType` (the same, where `adaptive` switches it on) or `switch` (`enable_thinking` and `thinking_budget`); default: `reasoning_effort`.",
    ),
  switchBy: z
    .enum(["effort", "switch", "template"])
    .describe(
      "How a server of models of others switches thinking on the chat wire, instead of the `type` or `switch` of a model's vendor: by `reasoning_effort`, by `enable_thinking`, or by `chat_template_kwargs`.",
    ),
  efforts: z
    .array(z.enum(efforts))
    .describe(
      "The efforts that the model knows; the nearest one is sent. `[]`: none. Default: those of the protocol.",
    ),
  effort: z
    .enum(["none", ...efforts])
    .describe("The effort at which the model thinks if a request names none."),
  budgets: z
    .tuple([z.int().min(0), z.int().min(0)])
    .describe("The least and the most tokens of a budget for thinking."),
  offBy: z
    .enum(["disabled", "disabledToHigh", "between_tools"])
    .describe(
      "How thinking is switched off on the messages wire: by `disabled`, by `disabled` beside efforts up to `high`, or by `between_tools`. Default: `disabled`.",
    ),
  onChat: z
    .enum(["unthinkingTools", "noTools", "never"])
    .describe(
      "What the model takes on the chat wire: functions only while it does not think, no functions, or nothing. Such a request goes by the responses wire if the provider has it; otherwise functions are sent with thinking off for `unthinkingTools`. Default: everything.",
    ),
  sampling: z
    .union([z.boolean(), z.enum(["one", "greedy", "usual", "unthinking"])])
    .describe(
      "Whether sampling parameters are sent. `false`: none; `one`: `temperature` or `topP`; `greedy`: no `topP` beside a temperature of 0; `usual`: none, and a usual value such as a temperature of 1 is no loss; `unthinking`: only with thinking off.",
    ),
  refuses: z
    .array(z.enum(optionalParams))
    .describe(
      "Parameters that are left out, by their names in `supportedParameters`: the model refuses them. Those of a known model, of the provider and of its protocol add up; an entry's replace them.",
    ),
  stops: z.int().min(1).describe("The most stop sequences."),
  ranges: z
    .partialRecord(z.enum(numbers), z.tuple([z.number(), z.number()]))
    .describe('The least and the greatest value of parameters, such as `{ "temperature": [0, 1] }`.'),
  accepts: z
    .partialRecord(z.enum(optionalParams), z.array(z.union([z.number(), z.string()])).min(1))
    .describe(
      'The only values of a parameter that the model accepts: `{ "temperature": [1] }`. A number becomes the nearest, and another word is left out.',
    ),
  midSystem: z
    .union([z.boolean(), z.enum(["afterUser"])])
    .describe(
      "Where system text may stand after the first turn; elsewhere it is sent as text of the user, in its place. `true`: anywhere; `afterUser`: between a turn of the user and one of the model, or behind the last one of the user; `false`: nowhere. Default: `afterUser` on the messages wire, `true` on the others that have such text.",
    ),
  alternates: z
    .boolean()
    .describe(
      "`true`: turns of the user and of the model alternate, and the user's is the first: neighbours become one.",
    ),
  prefill: z
    .boolean()
    .describe(
      "`false`: the conversation has to end with the user, so that a short text of the user is added.",
    ),
  userAfterResults: z
    .boolean()
    .describe(
      "`false`: text of the user may not follow results at once, so that a word of the model stands between.",
    ),
  callIdLength: z
    .int()
    .min(4)
    .max(32)
    .describe("The length of ids of calls, which are letters and digits. Default: what the protocol allows."),
  foreignCallIds: z
    .boolean()
    .describe(
      "`false`: ids of calls that another model gave are respelt also where a request is forwarded, because the model refuses longer ones than its protocol's vendor gives, or with other characters. Default: `true`.",
    ),
  system: z.boolean().describe("`false`: the model takes no system text; it is sent as text of the user."),
  jsonSchema: z.boolean().describe("`false`: schemas are written in the older, smaller dialect."),
  schemaRefuses: z
    .array(z.enum(schemaForms))
    .describe(
      "Forms of JSON Schema that the model refuses in tools and formats, beyond those of its protocol; they are written otherwise.",
    ),
  schemaWithout: z
    .array(z.enum(optionalKeywords))
    .describe(
      "Keywords of JSON Schema that are left out of tools and formats because the model refuses them.",
    ),
  requestWithout: z
    .array(z.enum(["cacheScope", "eagerInput", "requestCache"]))
    .describe(
      "What is left out of requests on the messages wire, also of those that are forwarded, because the server refuses it: the `scope` of marks for the prompt cache, `eager_input_streaming` of tools, and a mark of the whole request.",
    ),
  strict: z.boolean().describe("`false`: tools and formats are not strict."),
  toolSchemas: z
    .boolean()
    .describe("`true`: functions without parameters are sent with a schema of none on the chat wire."),
  callSignatures: z
    .boolean()
    .describe(
      "`true`: on the chat wire the first call of each step has to carry the signature that the model gave it, or a placeholder.",
    ),
  turnSignatures: z
    .boolean()
    .describe(
      "`true`: on the generate-content wire the first text and each picture of the model's turns have to carry the signature that the model gave them, or a placeholder.",
    ),
  thoughtSignatures: z
    .boolean()
    .describe(
      "`true`: on the messages wire thoughts have to carry the signature that the model gave them, so that others are left out, also of requests that are forwarded.",
    ),
  format: z
    .union([z.boolean(), z.enum(["object", "prompt"])])
    .describe(
      "How the model is given the shape of its answer. `false`: a schema becomes a tool that has to be called, or an instruction where that cannot be; `object`: a schema is an instruction on the chat wire, beside the setting for objects, and on the messages wire; `prompt`: every shape is an instruction. `true`: by the protocol's own member. Default: `true`, but `false` on the converse wire except for models known to take shapes there.",
    ),
  formatConflicts: z
    .array(z.enum(["tools", "thinking"]))
    .describe(
      "What a shape of the answer may not stand together with: functions, thinking. Beside it the shape becomes an instruction.",
    ),
  jsonInText: z
    .boolean()
    .describe(
      "`false`: an answer to a request with a schema is passed on as it is. By default one that is translated, and is not a stream, becomes the JSON that it holds if it comes fenced or in prose, as a loss; an answer without such JSON is a loss too.",
    ),
  forcedChoice: z
    .union([z.boolean(), z.enum(["unthinking"])])
    .describe(
      "Whether the model can be made to call a tool. `false`: never; `unthinking`: only with thinking off. Otherwise it decides.",
    ),
  choiceOfNone: z
    .boolean()
    .describe("`false`: the model cannot be kept from calling tools, which are left out instead."),
  parallelCalls: z.boolean().describe("`false`: the setting for several calls at a time is left out."),
  toolSets: z
    .boolean()
    .describe(
      "`false`: a choice cannot name several tools, so that only those are sent. Default on the chat wire: `false`, except for models and addresses known to take them.",
    ),
  callIds: z.boolean().describe("`false`: ids on calls and results are left out."),
  media: z
    .array(z.enum(mediaKinds))
    .describe(
      "The kinds of media that the model reads. In results of tools a text stands for others, which a caller does not write itself.",
    ),
  resultMedia: z
    .union([z.boolean(), z.array(z.enum(mediaKinds))])
    .describe("The kinds of media that tool results can contain, or all or none; others follow the results."),
  resultJson: z.boolean().describe("`true`: texts of tool results are sent as JSON, on the converse wire."),
  modelFields: z
    .array(z.enum(["top_k", "thinking", "reasoningConfig", "reasoning_effort", "reasoning_config"]))
    .describe(
      "The members beyond the converse wire's own that the model takes in `additionalModelRequestFields`: `top_k`, and the one that says how much to think.",
    ),
  cacheMarks: z.boolean().describe("`false`: marks for a prompt cache are left out."),
  maxOutput: z.int().min(1).describe("The most output tokens that the model gives."),
  promptCache: z
    .union([z.literal(false), z.int().min(1)])
    .describe(
      "The fewest tokens of a prompt that the model caches where it is marked. On the messages wire, a conversation whose caller has set no marks gets them at its tools, its system text and the last turns. `false`: it gets none. Default: none.",
    ),
  ignores: z
    .array(z.enum(ignorable))
    .describe(
      "What the server accepts but does not honour: `responseFormat` (JSON and schemas), `toolChoice` (`required`, `none`), `toolNames` (a choice of single tools), `parallelToolCalls`. A request that uses it is sent by another protocol of the provider that honours it; if there is none, it is listed as a loss, and of tools only the chosen ones are sent.",
    ),
} as const satisfies Record<string, z.ZodType>;

/** The name of a trait. */
export type TraitName = keyof typeof traitSchemas;

type Read<Value> = Value extends readonly unknown[] ? Readonly<Value> : Value;

/**
 * The traits of one model, beyond what its protocol says. Catalog data, which `traitSchemas` describes; absent means
 * the protocol's newest behaviour.
 */
export type Traits = { [Name in TraitName]?: Read<z.infer<(typeof traitSchemas)[Name]>> };
