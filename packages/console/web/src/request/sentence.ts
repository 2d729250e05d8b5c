import { count, duration, usd } from "../format.ts";
import type { Detail } from "./detail.ts";
import { madeOf } from "./made.ts";
import { reasonOf, type Try } from "./why.ts";
import { FALLBACKS, inWords } from "./words.ts";

type Outcome = Pick<
  Detail,
  "status" | "attempts" | "usage" | "usdCost" | "microHeld" | "durationMs" | "provider" | "entry" | "modality"
> &
  Pick<Detail, "losses" | "replyLosses" | "cache" | "fallback" | "model">;

export interface Sentence {
  tone: "good" | "warn" | "bad" | "plain";
  text: string;
}

/** What happened to a request, in one or two sentences. */
export function sentenceOf(one: Outcome): Sentence {
  const reason = reasonOf((one.attempts ?? []) as Try[], one.status);
  const parts = [insteadOf(one), reason, endOf(one, reason !== undefined), lossesIn(one)];
  return { tone: toneOf(one, reason), text: parts.filter((part) => part !== undefined).join(" ") };
}

function toneOf({ status }: Outcome, reason: string | undefined): Sentence["tone"] {
  if (status === "failed") return "bad";
  if (status === "aborted" || status === "cancelled" || reason !== undefined) return "warn";
  return status === "succeeded" ? "good" : "plain";
}

/** Which model answers in place of the one that was asked for. */
function insteadOf({ fallback, model }: Outcome): string | undefined {
  if (!fallback) return undefined;
  return `${model} was asked in place of ${fallback.from}, which ${inWords(FALLBACKS, fallback.cause)}.`;
}

/** How it ended, and for how much; `isExplained`: why it failed stands before. */
function endOf(one: Outcome, isExplained: boolean): string {
  const { status, usage = {}, usdCost = 0, microHeld, durationMs } = one;
  const cost = usdCost > 0 ? `${usd(usdCost)} were charged` : "Nothing was charged";
  switch (status) {
    case "pending":
      return `It is still running. ${usd(microHeld / 1e6)} are held for it.`;
    case "aborted":
      return `The client left before the end. ${usdCost > 0 ? `${cost} for what was generated until then` : cost}.`;
    case "cancelled":
      return `It was cancelled before its end. ${cost}.`;
    case "failed": {
      if (usage.recovered === true)
        return `The process that served it ended before the answer did. ${usdCost > 0 ? `${cost} for what was counted until then` : cost}.`;
      const why = isExplained ? "" : "It failed before a provider answered. ";
      return `${why}${usdCost > 0 ? `${cost} for what was generated until then` : cost}.`;
    }
    case "succeeded": {
      const by = one.provider ?? one.entry;
      const took = durationMs === undefined ? "" : ` in ${duration(durationMs)}`;
      const output = madeOf(usage);
      const price = usdCost > 0 ? ` for ${usd(usdCost)}` : ", free of charge";
      if (one.cache)
        return `An answer of ${duration(one.cache.age * 1_000)} ago was given once more${price}, which saved ${usd(one.cache.usdSaved)}.`;
      return isExplained
        ? `It took ${duration(durationMs)} in all${price}.`
        : `${by === undefined ? "It was answered" : `${by} answered`}${took}${output && `, with ${output}`}${price}.`;
    }
  }
}

function lossesIn({ losses = [], replyLosses = [] }: Outcome): string | undefined {
  const lost = losses.length + replyLosses.length;
  if (lost === 0) return undefined;
  return `${count(lost)} ${lost === 1 ? "part" : "parts"} of it could not be said in the other protocol.`;
}
