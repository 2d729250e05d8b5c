import { z } from "zod";
import { checkOptions } from "../check-options.ts";
import type { AnswerCache, CacheKey, KeptAnswer } from "../ports/answer-cache.ts";

/** The memory of an answer besides its text, in bytes. */
const OVERHEAD = 1_000;

const nameOf = ({ account, hash }: CacheKey): string => `${hash} ${account}`;
const sizeOf = ({ body, headers }: KeptAnswer): number =>
  OVERHEAD + 2 * body.length + 2 * JSON.stringify(headers).length;

const rules = z.object({
  bytes: z.number().min(0),
  now: z.custom((value) => typeof value === "function", "must be a function"),
});

/** A cache of at most so many bytes in this process, which evicts the least recently used answers. */
export function createMemoryCache(bytes: number, now: () => number): AnswerCache {
  checkOptions("createMemoryCache", rules, { bytes, now });
  // A map keeps its members in the order in which they were added. Used answers are added again, so the first is the
  // least recently used.
  const answers = new Map<string, KeptAnswer>();
  let held = 0;
  const remove = (name: string): void => {
    const answer = answers.get(name);
    if (!answer) return;
    answers.delete(name);
    held -= sizeOf(answer);
  };
  return {
    get(key) {
      const name = nameOf(key);
      const answer = answers.get(name);
      if (!answer) return undefined;
      if (answer.until <= now()) {
        remove(name);
        return undefined;
      }
      answers.delete(name);
      answers.set(name, answer);
      return answer;
    },
    put(key, answer) {
      const name = nameOf(key);
      remove(name);
      answers.set(name, answer);
      held += sizeOf(answer);
      for (const oldest of answers.keys()) {
        if (held <= bytes) break;
        remove(oldest);
      }
    },
  };
}
