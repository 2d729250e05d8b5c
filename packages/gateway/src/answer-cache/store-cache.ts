import type { Store } from "@manifold-gateway/store";
import { errorFields } from "@manifold-gateway/store";
import type { AnswerCache, KeptAnswer } from "../ports/answer-cache.ts";
import type { Log } from "../ports/log.ts";

/**
 * A cache in the store, for all processes. While the database is unreachable, requests are answered as if the cache
 * were empty.
 */
export function createStoreCache(
  { cachedAnswers }: Pick<Store, "cachedAnswers">,
  log: Log,
  now: () => number,
): AnswerCache {
  return {
    async get(key) {
      try {
        const found = await cachedAnswers.get(key);
        return found && found.until > now() ? (JSON.parse(found.value) as KeptAnswer) : undefined;
      } catch (error) {
        log.warn(errorFields(error), "cached answer not read");
        return undefined;
      }
    },
    put({ account, hash }, answer) {
      const { at, until } = answer;
      cachedAnswers
        .put({ account, hash, at, until, value: JSON.stringify(answer) })
        .catch((error: unknown) => log.warn(errorFields(error), "answer not cached"));
    },
  };
}
