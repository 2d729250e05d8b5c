import { isObject, type JsonObject } from "@manifold-gateway/core/codec";
import { type Counts, costLines, type Generation, type Price, toUsd, UNITS } from "@manifold-gateway/store";
import { momentOf } from "../http/moments.ts";

/** Counts that a record shows under other, well-known names already. */
const topLevelCounts = new Set<string>(["input", "output", "images", "requests"]);
const units = new Set<string>(UNITS);
/** Fields that only operators see. */
const hidden = new Set<string>(["upstreamUsd"]);

/** The usage of a record: the counts of its modality by their well-known names, and their parts under `details`. */
function toUsage(usage: JsonObject): JsonObject {
  const shown: JsonObject = {};
  const details: JsonObject = {};
  for (const [name, value] of Object.entries(usage)) {
    if (hidden.has(name)) continue;
    if (!units.has(name)) shown[name] = value;
    else if (!topLevelCounts.has(name) && value !== 0) details[name] = value;
  }
  return Object.keys(details).length > 0 ? { ...shown, details } : shown;
}

/** Entries or attempts as accounts see them: identified by the neutral id alone. */
const withoutNames = (list: unknown): JsonObject[] =>
  (Array.isArray(list) ? list : []).flatMap((one): JsonObject[] => {
    if (!isObject(one)) return [];
    const { provider: _, name: _n, credential: _c, ...rest } = one;
    return [rest];
  });

/** Attempts, each with the provider's error if it is kept. */
export const withErrors = (attempts: readonly JsonObject[], { errors = [] }: Generation): JsonObject[] =>
  attempts.map((one, at) => {
    const { attempt: _, ...error } = errors.find(({ attempt }) => attempt === at) ?? {};
    return Object.keys(error).length > 0 ? { ...one, error } : one;
  });

/** The route of a request without names of providers: the entry that served it, the attempts and the losses. */
function toRoute(route: JsonObject): JsonObject {
  const {
    requestedModel,
    fallback,
    cache,
    guards,
    requestId,
    entry,
    translated,
    attempts,
    losses,
    replyLosses,
  } = route;
  const shown = withoutNames(attempts);
  return {
    ...(requestedModel !== undefined && { requestedModel }),
    ...(fallback !== undefined && { fallback }),
    ...(guards !== undefined && { guards }),
    ...(cache !== undefined && { cache: toCached(cache as JsonObject) }),
    ...(requestId !== undefined && { requestId }),
    ...(entry !== undefined && { entry }),
    ...(translated !== undefined && { translated }),
    ...(shown.length > 0 && { attempts: shown }),
    ...(losses !== undefined && { losses }),
    ...(replyLosses !== undefined && { replyLosses }),
  };
}

/** The facts in a record about a cached answer: the generation that made it, its age, and the savings. */
const toCached = ({ saved, ...cache }: JsonObject): JsonObject => ({
  ...cache,
  ...(typeof saved === "number" && { usdSaved: toUsd(saved) }),
});

/** A generation as its account sees it. */
export const toRecord = (generation: Generation): JsonObject => ({
  ...toListed(generation),
  ...(generation.request ? { request: generation.request as JsonObject } : { requestKept: false }),
});

/** A generation as lists show it: without its request, and with its reply only where that was read. */
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
  ...(generation.route && toRoute(generation.route as JsonObject)),
  ...(generation.tags && { tags: generation.tags }),
  ...(generation.user !== undefined && { user: generation.user }),
  ...(generation.reply && { reply: generation.reply as JsonObject }),
  createdAt: momentOf(generation.createdAt),
});

/**
 * A generation with all details. Accounts see entries by their neutral ids, so none of these forms names a provider.
 */
export function toDetail(generation: Generation): JsonObject {
  const { cost, price, usage, held, leased, route = {} } = generation;
  const { attempts, candidates, speed } = route as JsonObject;
  const priced = price && usage && cost !== undefined && cost > 0;
  return {
    ...toRecord(generation),
    ...(!generation.reply && { replyKept: false }),
    ...(price && { price: price as JsonObject }),
    ...(cost !== undefined && { microCost: cost }),
    microHeld: held + leased,
    isLeased: leased > 0,
    lines: priced ? costLines(usage as Counts, price as Price).map((line) => ({ ...line })) : [],
    ...(Array.isArray(attempts) && { attempts: withErrors(withoutNames(attempts), generation) }),
    candidates: withoutNames(candidates),
    ...(isObject(speed) && { speed }),
  };
}
