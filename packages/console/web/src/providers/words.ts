import type { Answer } from "../api/client.ts";
import { duration } from "../format.ts";
import { RANGES } from "../usage/time.ts";

export type Summary = Answer<"/api/admin/providers">["providers"][number];
export type Comparison = NonNullable<Summary["compared"]>;

/** From here on a provider is slower than others, and not by chance. */
const SLOW = 1.2;
/** The fewest requests of which anything is said. */
const LEAST = 10;
/** From this share of failed calls on, a provider is said to fail. */
export const BAD_SHARE = 0.05;

/** A range as a sentence has it: `yesterday`, `in the last 24 hours`. */
export function rangeInWords({ days, from, to }: { days?: string; from?: string; to?: string }): string {
  if (from !== undefined || to !== undefined) return "in this range";
  const text = RANGES.find(([one]) => one === (days ?? "1"))?.[1] ?? "24 hours";
  if (days === "today" || days === "yesterday") return text;
  return `in the last ${text === "a year" ? "year" : text}`;
}

/** How many times as long, with as many digits as say something: `3×`, `1.4×`. */
export const times = (ratio: number): string =>
  `${ratio >= 10 ? Math.round(ratio) : Number(ratio.toFixed(1))}×`;

/** The most names in a sentence. */
const SOME = 3;

/** Some names, and how many more there are. */
export const some = (names: readonly string[]): string =>
  names.length > SOME
    ? `${names.slice(0, SOME).join(", ")} and ${names.length - SOME} more`
    : names.join(", ");

export const isSlow = ({ ratio, requests }: Pick<Comparison, "ratio" | "requests">): boolean =>
  ratio >= SLOW && requests >= LEAST;

/** How a provider compares with the others of the same models, after its name. */
export const comparedInWords = ({ p50FirstMs, ratio, models, others }: Comparison): string =>
  `first token ${duration(p50FirstMs)}, ${times(ratio)} the others of the same models (${duration(others.p50FirstMs)}; ${some(models)})`;

interface Answers {
  /** The slowest beside others. */
  slowest?: Summary;
  /** The same where none had enough requests to be called slow. */
  perhaps?: Summary;
  /** The one that fails most. */
  failing?: Summary;
}

/** What the list of providers answers first: which is slowest beside others, and which fails most. */
export function answersOf(providers: readonly Summary[]): Answers {
  const slow = providers
    .filter(({ compared }) => compared && compared.ratio >= SLOW)
    .toSorted((a, b) => (b.compared?.ratio ?? 0) - (a.compared?.ratio ?? 0));
  const slowest = slow.find(({ compared }) => compared && isSlow(compared));
  const [failing] = providers
    .filter(({ errorShare = 0, calls }) => errorShare >= BAD_SHARE && calls >= LEAST)
    .toSorted((a, b) => (b.errorShare ?? 0) - (a.errorShare ?? 0));
  return {
    ...(slowest ? { slowest } : slow[0] && { perhaps: slow[0] }),
    ...(failing && { failing }),
  };
}
