import * as z from "zod";
import { kindOf } from "./kinds.ts";
import { show } from "./message-text.ts";
import { paramRule } from "./param-rule.ts";
import { boundsSchema, shapeSchema } from "./shape-schema.ts";
import { forms, mediaKinds } from "./terms.ts";

const count = z.int().min(0);
/** The name of a parameter as the native interface has it; a dot goes into an object. */
const name = z.string().regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/, "is not the name of a parameter");

const inputRule = z
  .strictObject({
    min: count.describe("The fewest parts of this kind."),
    max: count.describe("The most parts of this kind."),
    roles: z
      .record(z.string().min(1), z.strictObject({ max: count.optional() }))
      .describe("The roles that a part may have, each with the most parts of it. Absent: any."),
    forms: z.array(z.enum(forms)).min(1).describe("Absent: any."),
    mediaTypes: z.array(z.string().regex(/^[a-z]+\/[\w.+-]+$/)).min(1),
    maxBytes: count.describe("Of one part."),
    seconds: boundsSchema.describe("Of one part."),
    totalSeconds: z.number().min(0).describe("Of all parts of this kind together."),
    shape: shapeSchema.describe("Width and height of pictures."),
  })
  .partial();
export type InputRule = z.output<typeof inputRule>;

/** The media that is taken beside text, by kind. A kind that is not listed is not taken. */
const inputs = z
  .strictObject({
    image: inputRule,
    document: inputRule,
    audio: inputRule,
    video: inputRule,
    total: count.describe("The most media parts of all kinds together."),
  })
  .partial();
export type Inputs = z.output<typeof inputs>;

const fieldClause = z.strictObject({
  field: name,
  is: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .min(1)
    .optional()
    .describe("Any of these values; absent: any value."),
});
const inputClause = z.strictObject({
  input: z.enum(mediaKinds),
  roles: z.array(z.string()).min(1).optional(),
  forms: z.array(z.enum(forms)).min(1).optional(),
  count: z.strictObject({ min: count, max: count }).partial().optional().describe("Default: one or more."),
});

/** Something that a request may hold. */
const clause = z.union([fieldClause, inputClause]);
export type InputClause = z.output<typeof inputClause>;
export type Clause = z.output<typeof clause>;

const crossRule = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("requires"), if: clause, need: z.array(clause).min(1) }),
  z.strictObject({ type: z.literal("excludes"), if: clause, not: z.array(clause).min(1) }),
  z.strictObject({ type: z.literal("never"), if: clause }),
  z.strictObject({ type: z.literal("sum"), of: z.array(clause).min(1), max: count }),
  z.strictObject({
    type: z.literal("size"),
    field: name,
    words: z.array(z.string()).optional().describe("Values beside WIDTHxHEIGHT: auto, 2K."),
    shape: shapeSchema,
  }),
]);

/**
 * A rule over more than one field, or one that the types of `params` cannot express:
 *
 * - `requires`: where `if` is requested, one of `need` has to be true;
 * - `excludes`: where `if` is requested, none of `not` may be true;
 * - `never`: `if` may not be requested;
 * - `sum`: numbers and counts of parts add up to at most `max`;
 * - `size`: the field is one of `words`, or WIDTHxHEIGHT within `shape`.
 *
 * `if` looks at what the caller wrote; the others at defaults as well.
 */
export type CrossRule = z.output<typeof crossRule>;

/** An entry of `capabilities.params`. A default has to keep its own rule. */
const paramRuleSchema = paramRule.superRefine((rule, context) => {
  const kind = kindOf(rule);
  for (const [path, message] of kind.faults(rule))
    context.addIssue({ code: "custom", path: [...path], message });
  if (rule.default !== undefined && !kind.fits(rule, rule.default))
    context.addIssue({
      code: "custom",
      path: ["default"],
      message: `${show(rule.default)} is not among ${kind.allowed(rule)}`,
    });
});

/** A parameter with a rule is no object: nothing can be a member of it. */
const params = z.record(name, paramRuleSchema).superRefine((rules, context) => {
  const names = Object.keys(rules);
  for (const key of names)
    if (names.some((other) => key.startsWith(`${other}.`)))
      context.addIssue({ code: "custom", path: [key], message: "is a member of a parameter with a rule" });
});

const areaShape = {
  supportedParameters: z.array(name).optional().describe("The accepted inputs, with or without bounds."),
  params: params.optional().describe("Bounds by parameter."),
  unsupported: z
    .record(name, z.enum(["refuse", "drop"]))
    .optional()
    .describe("Parameters that the model does not take, whatever strictParams says."),
  inputs: inputs.optional(),
  rules: z.array(crossRule).optional(),
};

type AreaShape = z.output<z.ZodObject<typeof areaShape>>;

function checkConsistency(area: AreaShape, context: z.core.$RefinementCtx<AreaShape>): void {
  const { params = {}, supportedParameters = [], unsupported = {} } = area;
  const listed = [...Object.keys(params), ...supportedParameters];
  for (const key of Object.keys(unsupported))
    if (listed.some((other) => other === key || other.startsWith(`${key}.`)))
      context.addIssue({
        code: "custom",
        path: ["unsupported", key],
        message: "is also said to be supported",
      });
}

const area = z.strictObject(areaShape).superRefine(checkConsistency);
const textArea = z
  .strictObject({
    ...areaShape,
    maxOutputTokens: z.int().min(1).optional(),
    contextWindow: z.int().min(1).optional(),
  })
  .superRefine(checkConsistency);

/**
 * The capabilities of a model entry. Absent means unconstrained. `params`, `inputs` and `rules` at the top count for
 * every operation; below the name of an operation for that one, and win.
 *
 *     capabilitiesSchema.parse({ text: { params: { temperature: { type: "range", min: 0, max: 1 } } } });
 */
export const capabilitiesSchema = z
  .strictObject({
    strictParams: z
      .boolean()
      .describe("Refuses parameters that are not supported instead of leaving them out."),
    params: areaShape.params,
    inputs: areaShape.inputs,
    rules: areaShape.rules,
    text: textArea,
    image: area,
    video: area,
    speech: area,
    embed: area,
    transcription: area,
    rerank: area,
    moderation: area,
  })
  .partial();
/** What a model accepts, by operation; what is not named is not limited. */
export type Capabilities = z.output<typeof capabilitiesSchema>;
