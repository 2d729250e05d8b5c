import type { Loss } from "@manifold-gateway/core";
import type { Attempt } from "@manifold-gateway/providers/routing";
import type { costOf, TokenPrice } from "./catalog/cost.ts";
import { ignoreErrors } from "./ignore-errors.ts";
import type { Candidate } from "./models/candidate.ts";
import type { AnyOptions, LossEvent, UsageEvent } from "./options.ts";
import { reportDefect } from "./reply/failure.ts";

/** Reports what happened to one request to the callbacks of the options. */
export interface Report {
  losses(candidate: Candidate, of: LossEvent["of"], losses: readonly Loss[]): void;
  /** `isPriced`: the usage has what the price counts. Default: it has. */
  usage(candidate: Candidate, usage: UsageEvent["usage"], isPriced?: boolean): void;
  /** The price by which usage is reported; `undefined` if it is unknown, or nothing wants it. */
  priceOf(candidate: Candidate): TokenPrice | undefined;
  attempts(attempts: readonly Attempt[]): void;
  /** Reports a defect, and returns the words for the caller. */
  defect(error: unknown): string;
}

/** The most kinds of losses that are remembered. */
const MOST = 10_000;

/** What costs are computed by. */
export interface Pricing {
  costOf: typeof costOf;
  /** The public price of a model by its name. Absent: only the prices of targets count. */
  priceOf?(model: string): TokenPrice | undefined;
}

/** What one request's reports need besides its options. */
interface ReportOptions {
  /** Gets every loss. */
  onEveryLoss?: AnyOptions["onLoss"];
  /** Gets defects. */
  onError?: ((error: unknown) => void) | undefined;
  /** What the costs of reported usage are computed by. */
  pricing?: Pricing | undefined;
}

/** Makes the reports of a client's requests. */
export function createReports(
  options: AnyOptions,
): (model: string, requestId: string, options: ReportOptions) => Report {
  const { onLoss, onUsage, onAttempt, repeatLosses } = options;
  const reported = new Set<string>();
  const isNew = (key: string): boolean => {
    if (repeatLosses) return true;
    if (reported.has(key)) return false;
    if (reported.size >= MOST) reported.clear();
    reported.add(key);
    return true;
  };
  return (model, requestId, { onEveryLoss, onError, pricing }) => {
    const about = ({ id, provider }: Candidate) => ({ model, target: id, provider: provider.id, requestId });
    const priceOf = (candidate: Candidate): TokenPrice | undefined =>
      candidate.entry.price ?? pricing?.priceOf?.(listedName(candidate, options));
    return {
      losses(candidate, of, losses) {
        if (!onLoss && !onEveryLoss) return;
        for (const loss of losses) {
          const event = { ...about(candidate), ...loss, of };
          ignoreErrors(() => onEveryLoss?.(event));
          if (onLoss && isNew(JSON.stringify([candidate.id, of, kindOf(loss)])))
            ignoreErrors(() => onLoss(event));
        }
      },
      usage(candidate, usage, isPriced = true) {
        if (!onUsage) return;
        const price = isPriced ? priceOf(candidate) : undefined;
        const cost = price && pricing && { cost: pricing.costOf(usage, price) };
        ignoreErrors(() => onUsage({ ...about(candidate), usage, ...cost }));
      },
      priceOf,
      attempts(attempts) {
        if (!onAttempt) return;
        for (const { entry, ...attempt } of attempts)
          ignoreErrors(() => onAttempt({ model, target: entry, requestId, ...attempt }));
      },
      defect: (error) => reportDefect(error, onError),
    };
  };
}

/** The public list's name of a model. A provider at an address of one's own has prices of its own: it has none. */
function listedName({ provider, entry }: Candidate, { providers = {} }: AnyOptions): string {
  const settings = Object.hasOwn(providers, provider.id) ? providers[provider.id] : undefined;
  return settings?.origin === undefined ? `${settings?.preset ?? provider.id}/${entry.name}` : "";
}

/** What losses of the same member have in common, wherever in a list it stood. */
const kindOf = ({ path, why }: Loss): string => `${why} ${path.replace(/\/\d+(?=\/|$)/g, "/*")}`;
