import { quote, Refusal } from "../http/refusal.ts";
import type { CacheRule } from "../ports/answer-cache.ts";
import type { Model } from "../ports/catalog.ts";
import type { Context } from "../ports/context.ts";

/** The longest time for which an answer is cached, in seconds: thirty days. */
export const LONGEST = 30 * 24 * 3_600;

const FORM = /^max-age=(\d{1,7})(?:, ?(any))?$/;

/** The rule for a request, from its header, else its key, else its model; undefined if no answer is cached. */
export function cacheRuleOf(
  { exchange, caller }: Pick<Context, "exchange" | "caller">,
  model: Pick<Model, "cache"> | undefined,
): CacheRule | undefined {
  const header = exchange.header("x-cache");
  if (header !== undefined) return readRule(header);
  const seconds = caller.restrictions?.cacheSeconds;
  return seconds === undefined ? model?.cache : { seconds };
}

/** The rule in the header `x-cache`. */
function readRule(header: string): CacheRule | undefined {
  if (header === "off") return undefined;
  const [, seconds, any] = FORM.exec(header) ?? [];
  if (seconds !== undefined && Number(seconds) > 0 && Number(seconds) <= LONGEST)
    return { seconds: Number(seconds), ...(any !== undefined && { any: true }) };
  throw new Refusal(
    "invalid_header",
    `x-cache: ${quote(header)} is not allowed; it must be 'off', or 'max-age=' with seconds from 1 to ${LONGEST}, and ', any' behind them for answers that may differ each time.`,
    { param: "x-cache" },
  );
}
