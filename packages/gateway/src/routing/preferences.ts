import { closestName } from "@manifold-gateway/core/capability";
import { isObject, type Json, type JsonObject, validate } from "@manifold-gateway/core/codec";
import { plainWords } from "@manifold-gateway/core/schema";
import { z } from "zod";
import { Refusal } from "../http/refusal.ts";
import { refuseFields } from "../http/schema-issues.ts";

const names = z.array(z.string().min(1).max(256)).max(100).nullish();
const sorts = ["price", "latency", "throughput"] as const;
const sort = z.enum(sorts, { error: `must be one of ${sorts.join(", ")}` });
const amount = z.union(
  [
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}(\.\d{1,9})?$/)
      .transform(Number),
  ],
  {
    error: "must be a number of US dollars from 0 up",
  },
);
const usd = amount.refine((value) => Number.isFinite(value) && value >= 0, "must be from 0 up").optional();

const preferencesSchema = z.looseObject({
  order: names,
  only: names,
  ignore: names,
  allow_fallbacks: z.boolean().nullish(),
  require_parameters: z.boolean().nullish(),
  sort: z
    .union([sort, z.looseObject({ by: sort }).transform(({ by }) => by)], {
      error: `must be one of ${sorts.join(", ")}`,
    })
    .nullish(),
  max_price: z.strictObject({ prompt: usd, completion: usd, request: usd, image: usd, audio: usd }).nullish(),
});
const preferenceNames = Object.keys(preferencesSchema.shape);

/** A caller's preferences for the choice of the provider: the `provider` object of a request. */
export interface Preferences {
  /** Ids of the providers to call first, in this order. */
  order?: readonly string[];
  /** Only these are called. */
  only?: readonly string[];
  ignore?: readonly string[];
  /** `false`: only the entries in `order` are tried, or without it only the first. */
  fallbacks: boolean;
  /** Whether to call only entries that lose none of the parameters. */
  parameters: boolean;
  sort?: (typeof sorts)[number];
  /** US dollars: per million tokens of `prompt`, `completion` and `audio`, per `request` and `image`. */
  maxPrice?: { [unit in "prompt" | "completion" | "request" | "image" | "audio"]?: number | undefined };
  /** Unknown members. */
  unknown: readonly string[];
}

export const noPreferences: Preferences = { fallbacks: true, parameters: false, unknown: [] };

const inBody = z.object({ provider: preferencesSchema });

/** The preferences in a request's `provider`; throws a 400 that names an invalid member. */
export function readPreferences(value: Json | undefined, model: string): Preferences {
  if (value === undefined || value === null) return noPreferences;
  const parsed = validate(inBody, { provider: value }, plainWords);
  if (!parsed.success) throw refuseFields(parsed.error, inBody, { model, param: "provider" });
  const { order, only, ignore, allow_fallbacks, require_parameters, sort, max_price, ...rest } =
    parsed.data.provider;
  for (const name of Object.keys(rest)) {
    const hint = closestName(name, preferenceNames);
    if (hint === undefined) continue;
    const text = `provider.${name}: there is no such field. Did you mean 'provider.${hint}'?`;
    throw new Refusal("invalid_request", text, { param: "provider" });
  }
  return {
    ...(order && { order }),
    ...(only && { only }),
    ...(ignore && { ignore }),
    fallbacks: allow_fallbacks !== false,
    parameters: require_parameters === true,
    ...(sort && { sort }),
    ...(max_price && { maxPrice: max_price }),
    unknown: Object.keys(rest),
  };
}

const lists = ["order", "only", "ignore"] as const;

/**
 * The options forwarded to a provider that is itself a router. Lists that name providers of this service were meant
 * for this service, and are left out. `providers` are those of this service.
 */
export function forwarded(
  value: Json | undefined,
  providers: Pick<ReadonlyMap<string, unknown>, "has">,
): Json | undefined {
  if (!isObject(value)) return undefined;
  const namesProvider = (name: (typeof lists)[number]): boolean => {
    const list = value[name];
    return Array.isArray(list) && list.some((item) => typeof item === "string" && providers.has(item));
  };
  const meant = lists.filter(namesProvider);
  if (meant.length === 0) return value;
  const out: JsonObject = { ...value };
  for (const name of meant) delete out[name];
  return Object.keys(out).length > 0 ? out : undefined;
}
