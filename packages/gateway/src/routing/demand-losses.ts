import type { Loss } from "@manifold-gateway/core";
import { applyLossRules as demand, type LossRules, type RequestLosses } from "@manifold-gateway/core/plan";
import type { LossPolicy } from "../ports/context.ts";
import { accepted } from "./accepted.ts";
import type { Preferences } from "./preferences.ts";

/** What a caller says about losses. */
export interface LossDemands {
  preferences?: Preferences | undefined;
  /** The policy in the caller's `x-loss-policy`. */
  policy?: LossPolicy | undefined;
}

/** The rules about losses for one request at one entry. */
interface EntryLossDemands extends LossDemands {
  /** The model's name as the caller wrote it. */
  model: string;
  /** The entry's `capabilities.strictParams`. */
  strictParams?: boolean | undefined;
  /** The provider receives the preferences too, so unknown ones are not lost. */
  forwardsPreferences?: boolean;
}

/**
 * The losses to report, of a request of any modality. Refuses the request with a 400 that names each loss, if the entry
 * is strict about parameters, or if the caller requires that nothing is lost.
 */
export function demandLosses(
  lost: RequestLosses,
  { model, strictParams, forwardsPreferences, ...demands }: EntryLossDemands,
): readonly Loss[] {
  const unknown = forwardsPreferences ? [] : unknownPreferences(demands.preferences);
  const losses = [...lost.losses, ...unknown];
  if (losses.length === 0) return losses;
  return accepted(demand({ ...lost, losses }, { model, strictParams, rules: lossRulesOf(demands) }));
}

/** A caller's rules about losses, in the words of its request. */
export const lossRulesOf = ({ preferences, policy }: LossDemands): LossRules => ({
  settings: preferences?.parameters ? "provider.require_parameters is true" : undefined,
  all: policy === "strict" ? "x-loss-policy is strict" : undefined,
});

/** The losses of preferences that this service does not know. */
export const unknownPreferences = (preferences: Preferences | undefined): Loss[] =>
  preferences?.unknown.map((name) => ({ path: `/provider/${name}`, why: "unsupported" })) ?? [];
