import { isObject, type JsonObject } from "@manifold-gateway/core/codec";
import { type Counts, costLines, type Generation, type Price, toUsd, UNITS } from "@manifold-gateway/store";

/** Counts that stand in a record under the names that people know, so that their own names need not. */
const named = new Set<string>(["input", "output", "images", "requests"]);
const units = new Set<string>(UNITS);
/** Fields that operators see and accounts do not. */
const hidden = new Set<string>(["upstreamUsd"]);

/**
 * The usage of a record as it is shown: the counts of its modality by their known names, and under `details` the
 * parts of them that were counted.
 */
function toUsage(usage: JsonObject): JsonObject {
  const shown: JsonObject = {};
  const details: JsonObject = {};
  for (const [name, value] of Object.entries(usage)) {
    if (hidden.has(name)) continue;
    if (!units.has(name)) shown[name] = value;
    else if (!named.has(name) && value !== 0) details[name] = value;
  }
  return Object.keys(details).length > 0 ? { ...shown, details } : shown;
}

/** Entries or attempts as accounts see them: by the neutral id alone. */
const withoutNames = (list: unknown): JsonObject[] =>
  (Array.isArray(list) ? list : []).flatMap((one): JsonObject[] => {
    if (!isObject(one)) return [];
    const { provider: _, name: _n, credential: _c, ...rest } = one;
    return [rest];
  });

/** A request's route without the names of providers: the entry that served it, the attempts, what was lost. */
function toWay(route: JsonObject): JsonObject {
  const { requestedModel, entry, translated, attempts, losses, replyLosses } = route;
  const shown = withoutNames(attempts);
  return {
    ...(requestedModel !== undefined && { requestedModel }),
    ...(entry !== undefined && { entry }),
    ...(translated !== undefined && { translated }),
    ...(shown.length > 0 && { attempts: shown }),
    ...(losses !== undefined && { losses }),
    ...(replyLosses !== undefined && { replyLosses }),
  };
}

/** A generation as its account sees it. */
export const toRecord = (generation: Generation): JsonObject => ({
  ...toListed(generation),
  ...(generation.request ? { request: generation.request as JsonObject } : { requestKept: false }),
});

/** The same without its request. */
export const toListed = (generation: Generation): JsonObject => ({
  id: generation.id,
  userId: generation.accountId,
  ...(generation.keyId !== undefined && { apiKeyId: generation.keyId }),
  modality: generation.modality,
  model: generation.model,
  status: generation.status,
  ...(generation.usage && { usage: toUsage(generation.usage as JsonObject) }),
  ...(generation.cost !== undefined && { usdCost: toUsd(generation.cost) }),
  ...(generation.durationMs !== undefined && { durationMs: generation.durationMs }),
  ...(generation.surface !== undefined && { surface: generation.surface }),
  ...(generation.route && toWay(generation.route as JsonObject)),
  ...(generation.tags && { tags: generation.tags }),
  ...(generation.user !== undefined && { user: generation.user }),
  createdAt: new Date(generation.createdAt).toISOString(),
});

/** A generation in depth. Neither names a provider: accounts see entries by their neutral ids. */
export function toDetail(generation: Generation): JsonObject {
  const { cost, price, usage, route = {} } = generation;
  const { candidates, speed } = route as JsonObject;
  const priced = price && usage && cost !== undefined && cost > 0;
  return {
    ...toRecord(generation),
    ...(price && { price: price as JsonObject }),
    ...(cost !== undefined && { microCost: cost }),
    lines: priced ? costLines(usage as Counts, price as Price).map((line) => ({ ...line })) : [],
    candidates: withoutNames(candidates),
    ...(isObject(speed) && { speed }),
  };
}
