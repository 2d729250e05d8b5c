import { underAlias } from "../catalog/aliases.ts";
import { isPattern, matches } from "../catalog/name-patterns.ts";
import { Refusal } from "../http/refusal.ts";
import type { Catalog, Model } from "../ports/catalog.ts";
import type { Context } from "../ports/context.ts";
import type { Surface } from "../route.ts";

/** The surfaces that a key can be restricted to: those that serve models. */
export const MODEL_SURFACES = ["native", "chatstyle", "msgstyle", "genstyle"] as const;

/**
 * Refuses a surface that the key may not use, and limits the catalog to its models: a model that it may not use does
 * not exist for it, on any surface or in any list.
 */
export function narrow(context: Context, surface: Surface): void {
  const { services, caller } = context;
  const { surfaces, models } = caller.restrictions ?? {};
  const { name } = surface;
  if (surfaces && !surfaces.includes(name) && servesModels(surface))
    throw new Refusal(
      "surface_not_allowed",
      `This API key may not use the surface '${name}'; it may use ${surfaces.join(", ")}.`,
    );
  if (models) context.services = { ...services, catalog: catalogOf(services.catalog, models) };
}

/** Checks whether a surface serves models, including surfaces that the host has added. */
const servesModels = ({ routes }: Surface): boolean => routes.some(({ generates }) => generates);

/**
 * Limits a catalog to the names that match a pattern. A model's id and its aliases are separate names: a key with
 * only an alias finds the model under that alias alone.
 */
function catalogOf(whole: Catalog, patterns: readonly string[]): Catalog {
  const isAllowed = (id: string): boolean => patterns.some((pattern) => matches(pattern, id));
  const allowed = (model: Model): Model[] => {
    const aliases = model.aliases?.filter(isAllowed) ?? [];
    if (isAllowed(model.id)) return [aliases.length > 0 || model.aliases ? { ...model, aliases } : model];
    return aliases.filter((alias) => !isPattern(alias)).map((alias) => underAlias(model, alias));
  };
  return {
    get: (id) => (isAllowed(id) ? whole.get(id) : undefined),
    list: () => whole.list().flatMap(allowed),
    replace: (models) => whole.replace(models),
  };
}
