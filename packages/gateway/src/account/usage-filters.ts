import { type GenerationFilter, MODALITIES, OUTCOMES, toMicro } from "@manifold-gateway/store";
import { z } from "zod";
import { labelQuery } from "../http/tags.ts";
import { momentQuery } from "./paging.ts";

/** The most values of a list. */
const MOST = 50;

/** A list of values of a query, with commas between them: records that have any of them. */
export const listQuery = <Value extends string>(values?: readonly Value[]) =>
  z
    .string()
    .max(4_096)
    .transform((text, check): Value | Value[] | undefined => {
      const list = text.split(",").filter((value) => value !== "") as Value[];
      if (list.length > MOST) check.addIssue(`must be at most ${MOST} values.`);
      if (values && list.some((value) => !values.includes(value)))
        check.addIssue(`must be one of ${values.join(", ")}, or several with commas between them.`);
      return list.length > 1 ? list : list[0];
    })
    .optional();

/** Filters of records and sums by the surface that received the request and the entry that served it. */
const placeQuery = {
  surface: z.string().min(1).max(64).optional().describe("The surface that requests came by: `chatstyle`."),
  entry: z.string().min(1).max(64).optional().describe("The neutral id of the model entry that served them."),
};

/** The filter by provider, which only operators have. */
export const providerQuery = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe("The id of the provider that served them.");

/** Filters of an account's records, and of sums over them. */
export const chosenQuery = {
  modality: z.enum(MODALITIES).optional(),
  status: listQuery(OUTCOMES).describe(`${OUTCOMES.join(", ")}; several with commas between them.`),
  model: listQuery().describe("The name of a model, or several with commas between them."),
  key: listQuery().describe("The id of an API key, or several with commas between them."),
  ...placeQuery,
  from: momentQuery,
  to: momentQuery,
};

const SUMMED = [...OUTCOMES, "refused"] as const;
/** The filter of sums by outcome, which include requests that were refused before they had a record. */
const summedStatus = listQuery(SUMMED).describe(
  `${SUMMED.join(", ")}; several with commas between them. Refused requests have no record.`,
);
const refusalCode = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe("The code of a refusal, such as `model_not_found`: only requests that were refused with it.");
/** Filters of sums over an account's requests. */
export const summedQuery = { ...chosenQuery, status: summedStatus, code: refusalCode };

const yesNo = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .optional();

/** Filters of an account's records beside those that sums are kept of. */
export const recordQuery = {
  ...chosenQuery,
  ...labelQuery,
  minCost: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, "must be an amount in US dollars, such as 0.05")
    .transform((text) => toMicro(Number(text)))
    .optional()
    .describe("The least cost, in US dollars."),
  minDuration: z
    .string()
    .regex(/^\d{1,12}$/, "must be whole milliseconds")
    .transform(Number)
    .optional()
    .describe("The least duration, in milliseconds."),
  losses: yesNo.describe("Whether the translation lost something."),
  translated: yesNo.describe("Whether it was translated for its provider."),
  requestId: z.string().max(128).optional().describe("The `x-request-id` of the answer."),
  batch: z.string().min(1).max(128).optional().describe("The id of a batch: the requests of its lines."),
};

/** The account of records, for operators. */
export const accountQuery = z.string().max(256).optional().describe("The id of an account.");

/** Filters of records for totals. */
export const totalsQuery = { ...recordQuery, status: summedStatus, code: refusalCode };

const records = z.object({ ...totalsQuery, provider: providerQuery.optional() });

/** The filter of records that a query describes, of an account or of all. */
export const toFilter = <Status>(
  query: Omit<z.output<typeof records>, "status"> & { status?: Status },
  accountId?: string,
): Omit<GenerationFilter, "status"> & { status?: NonNullable<Status>; code?: string } => {
  const { tag: tags, key: keyId, losses, translated, ...rest } = query;
  return defined({ ...rest, tags, keyId, hasLosses: losses, isTranslated: translated, accountId });
};

/** Drops the members of a filter that have no value. */
export const defined = <Of extends object>(members: Of) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof Of]: NonNullable<Of[K]>;
  };
