import type { Rates, Restrictions } from "@manifold-gateway/store";
import type { RestrictionName } from "@manifold-gateway/store/restrictions";
import { underAlias } from "../catalog/aliases.ts";
import { isPattern, matches } from "../catalog/name-patterns.ts";
import type { RefusalCode } from "../http/codes.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Catalog, Model } from "../ports/catalog.ts";
import type { Services } from "../ports/services.ts";
import type { Surface } from "../route.ts";

/** The services that can tell whether a key may be used. */
export type KeyServices = Pick<Services, "now" | "addressOf">;

/** Counts requests of the key in the store: `limits/key-limits.ts`. */
interface CountRule {
  by: "count";
}

/** Refuses the key itself, wherever it is verified, and again while a stream or socket of it is open. */
interface KeyRule<Value> {
  by: "key";
  /** Returns the reason of a refusal. */
  refuses(value: Value, services: KeyServices, exchange: Exchange): string | undefined;
}

/** Refuses requests of some surfaces. */
interface SurfaceRule<Value> {
  by: "surface";
  /** Returns the reason of a refusal. */
  refuses(value: Value, surface: Surface): string | undefined;
}

/** Hides models from the key: those do not exist for it, on any surface or in any list. */
interface CatalogRule<Value> {
  by: "catalog";
  limit(catalog: Catalog, value: Value): Catalog;
}

/** Refuses nothing: the cache of answers, or the work on batches, reads the value. */
interface ReadRule {
  by: "cache" | "batches";
}
/** The restrictions with such a rule. */
type ReadName = "cacheSeconds" | "batchBy";

/** The enforcement of a restriction, and the code of its refusals. */
type RefusingRule<Value> = { code: RefusalCode } & (
  | CountRule
  | KeyRule<Value>
  | SurfaceRule<Value>
  | CatalogRule<Value>
);
export type Rule<Value> = RefusingRule<Value> | ReadRule;
type RuleOf<Name extends RestrictionName> = RefusingRule<NonNullable<Restrictions[Name]>>;

/** The enforcement of every restriction. Only what the store counts may be left to it. */
export const rules: {
  readonly [Name in RestrictionName]: Name extends keyof Rates
    ? RuleOf<Name>
    : Name extends ReadName
      ? ReadRule
      : Exclude<RuleOf<Name>, CountRule>;
} = {
  requestsPerMinute: { code: "too_many_requests", by: "count" },
  tokensPerMinute: { code: "too_many_tokens", by: "count" },
  concurrentRequests: { code: "too_many_concurrent_requests", by: "count" },
  models: {
    code: "model_not_found",
    by: "catalog",
    limit: (catalog, patterns) => limitCatalog(catalog, patterns),
  },
  surfaces: {
    code: "surface_not_allowed",
    by: "surface",
    refuses: (allowed, surface) =>
      allowed.includes(surface.name) || !servesModels(surface)
        ? undefined
        : `This API key may not use the surface '${surface.name}'; it may use ${allowed.join(", ")}.`,
  },
  cacheSeconds: { by: "cache" },
  batchBy: { by: "batches" },
  expiresAt: {
    code: "api_key_expired",
    by: "key",
    refuses: (expiresAt, { now }) => (expiresAt <= now() ? "This API key has expired." : undefined),
  },
};

/** Checks whether a surface serves models, including surfaces that the host has added. */
const servesModels = ({ routes }: Surface): boolean => routes.some(({ generates }) => generates);

/**
 * Limits a catalog to the names that match a pattern. A model's id and its aliases are separate names: a key with
 * only an alias finds the model under that alias alone.
 */
function limitCatalog(whole: Catalog, patterns: readonly string[]): Catalog {
  const isAllowed = (id: string): boolean => patterns.some((pattern) => matches(pattern, id));
  const allowed = (model: Model): Model[] => {
    const aliases = model.aliases?.filter(isAllowed) ?? [];
    if (isAllowed(model.id)) return [aliases.length > 0 || model.aliases ? { ...model, aliases } : model];
    return aliases.filter((alias) => !isPattern(alias)).map((alias) => underAlias(model, alias));
  };
  let before: readonly Model[] | undefined;
  let list: readonly Model[] = [];
  return {
    get: (id) => (isAllowed(id) ? whole.get(id) : undefined),
    list() {
      const models = whole.list();
      // One list stands for one state of the catalog: its identity shows whether the catalog has changed.
      if (models !== before) list = models.flatMap(allowed);
      before = models;
      return list;
    },
    replace: (models) => whole.replace(models),
  };
}
