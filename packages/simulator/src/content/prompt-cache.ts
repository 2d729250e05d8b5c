import { digest } from "./digest.ts";
import type { RequestContent } from "./request-content.ts";
import { type Segment, segments } from "./tokens.ts";

/** The fewest tokens of a prompt that is cached without markers. */
const IMPLICIT_MINIMUM = 1024;
const REMEMBERED = 10_000;

interface CacheCount {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWriteHour: number;
}

export interface PromptCache {
  /** Counts a prompt and remembers its prefixes. `forced` pretends that half of it was cached. */
  count(model: string, content: RequestContent, forced: boolean): CacheCount;
  clear(): void;
}

interface Prefix {
  key: string;
  end: number;
  mark?: Segment["mark"];
}

function prefixesOf(model: string, parts: Segment[]): Prefix[] {
  let key = model;
  let end = 0;
  return parts.map((part) => {
    key = digest(key, part.text);
    end += part.tokens;
    return { key, end, mark: part.mark };
  });
}

/**
 * A prompt cache: marked prompts write up to their last marker and read the longest marked prefix seen before;
 * unmarked long prompts read the longest prefix seen before and are never charged for writing.
 */
export function createPromptCache(): PromptCache {
  const seen = new Set<string>();
  return {
    count(model, content, forced) {
      const prefixes = prefixesOf(model, segments(content));
      const input = prefixes.at(-1)?.end ?? 0;
      const none = { input, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 };
      if (forced) return { ...none, cacheRead: Math.floor(input / 2) };
      const marked = prefixes.filter((prefix) => prefix.mark);
      const candidates = marked.length > 0 ? marked : prefixes.filter(({ end }) => end >= IMPLICIT_MINIMUM);
      const cacheRead = candidates.filter(({ key }) => seen.has(key)).at(-1)?.end ?? 0;
      if (seen.size > REMEMBERED) seen.clear();
      for (const { key } of candidates) seen.add(key);
      const last = marked.at(-1);
      if (!last) return { ...none, cacheRead };
      const cacheWrite = Math.max(0, last.end - cacheRead);
      return { input, cacheRead, cacheWrite, cacheWriteHour: last.mark === "1h" ? cacheWrite : 0 };
    },
    clear: () => seen.clear(),
  };
}
