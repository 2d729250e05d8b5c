import { Refusal } from "../http/refusal.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Context } from "../ports/context.ts";
import type { Surface } from "../route.ts";

/** The surfaces that a key can be restricted to: those that serve models. */
export const MODEL_SURFACES = ["native", "chatstyle", "msgstyle", "genstyle"] as const;

/**
 * Refuses what a key may not do at all, and leaves in the catalog what it may use: a model that it may not use is one
 * that does not exist for it, on every surface and in every list.
 */
export function narrow(context: Context, surface: Surface): void {
  const { services, caller } = context;
  const { expiresAt, surfaces, models } = caller.restrictions ?? {};
  if (expiresAt !== undefined && expiresAt <= services.now())
    throw new Refusal("api_key_expired", "This API key has expired.");
  const { name } = surface;
  if (surfaces && !surfaces.includes(name) && servesModels(surface))
    throw new Refusal(
      "surface_not_allowed",
      `This API key may not use the surface '${name}'; it may use ${surfaces.join(", ")}.`,
    );
  if (models) context.services = { ...services, catalog: catalogOf(services.catalog, models) };
}

/** Checks whether a surface serves models, also one that the host has added. */
const servesModels = ({ routes }: Surface): boolean => routes.some(({ generates }) => generates);

/** A catalog without the models that no pattern names. */
function catalogOf(whole: Catalog, patterns: readonly string[]): Catalog {
  const isAllowed = (id: string): boolean => patterns.some((pattern) => matches(pattern, id));
  return {
    get: (id) => (isAllowed(id) ? whole.get(id) : undefined),
    list: () => whole.list().filter(({ id }) => isAllowed(id)),
    replace: (models) => whole.replace(models),
  };
}

/** Checks whether a text is what a pattern says, in which `*` stands for any text. */
export function matches(pattern: string, text: string): boolean {
  const [head = "", ...pieces] = pattern.split("*");
  const tail = pieces.pop();
  if (tail === undefined) return pattern === text;
  if (!text.startsWith(head)) return false;
  let at = head.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}
