import type { Loss } from "@manifold-gateway/core";
import { fieldOf, quote } from "../http/refusal.ts";
import type { LossPolicy } from "../ports/context.ts";
import type { Preferences } from "./preferences.ts";
import { EntryRejected } from "./queue.ts";

/** The losses of a request at one entry. Paths are pointers into the caller's request. */
export interface RequestLosses {
  losses: readonly Loss[];
  /** Those of settings, to which `provider.require_parameters` applies; the others are of content. */
  settings: readonly Loss[];
  /** Those of model parameters that the provider's wire cannot express, which `strictParams` refuses. */
  parameters: readonly Loss[];
}

/** The rules about losses for one request at one entry. */
export interface LossRules {
  /** The model's name as the caller wrote it. */
  model: string;
  /** The entry's `capabilities.strictParams`. */
  strictParams?: boolean | undefined;
  preferences?: Preferences | undefined;
  /** The provider receives the preferences too, so unknown ones are not lost. */
  forwardsPreferences?: boolean;
  /** The policy in the caller's `x-loss-policy`. */
  policy?: LossPolicy | undefined;
}

const isLost = ({ why }: Loss): boolean => why === "unsupported";

/**
 * The losses to report, of a request of any modality. Refuses the request with a 400 that names each loss, the first
 * also as `param`, if the entry is strict about parameters, or if the caller requires that nothing is lost.
 */
export function demandLosses(
  { losses, settings, parameters }: RequestLosses,
  { model, strictParams, preferences, forwardsPreferences, policy }: LossRules,
): readonly Loss[] {
  const all = [...losses];
  if (preferences && !forwardsPreferences)
    for (const name of preferences.unknown) all.push({ path: `/provider/${name}`, why: "unsupported" });
  if (all.length === 0) return all;
  const strict = strictParams ? parameters.filter(isLost) : [];
  if (strict.length > 0)
    throw new EntryRejected(
      "refused",
      "unsupported_parameter",
      strict.map(
        ({ path, detail }) =>
          `${fieldOf(path)}: the model ${quote(model)} does not support it${detail ? ` (${detail})` : ""}; leave it out.`,
      ),
      { param: firstField(strict) },
    );
  const required = preferences?.parameters ? settings.filter(isLost) : [];
  if (required.length > 0)
    throw new EntryRejected(
      "parameters",
      "unsupported_parameter",
      sayLosses(required, model, "provider.require_parameters is true"),
      { param: firstField(required) },
    );
  if (policy === "strict")
    throw new EntryRejected("losses", "losses", sayLosses(all, model, "x-loss-policy is strict"), {
      param: firstField(all),
    });
  return all;
}

/** A loss, with the caller's path. */
export interface LocatedLoss {
  loss: Loss;
  /** The kind of content, for the error: "image by url". Absent: the answer fits the request also without it. */
  content: string | undefined;
}

/** Refuses a request with content that the entry does not accept, whatever the policy: the answer would be to another. */
export function refuseContent(located: readonly LocatedLoss[], model: string): void {
  const losses = located.filter(({ loss, content }) => content !== undefined && isLost(loss));
  if (losses.length === 0) return;
  throw new EntryRejected(
    "refused",
    "unsupported_content",
    losses.map(
      ({ loss: { path, detail }, content }) =>
        `${fieldOf(path)}: the model ${quote(model)} does not accept ${content}${detail ? ` (${detail})` : ""}.`,
    ),
    { param: firstField(losses.map(({ loss }) => loss)) },
  );
}

/** The texts of a refusal that lists losses, each with the caller's rule that refuses them. */
const sayLosses = (losses: readonly Loss[], model: string, rule: string): string[] =>
  losses.map(({ path, why, detail }) => {
    const what = why === "unsupported" ? "would be lost" : "would be changed";
    return `${fieldOf(path)}: ${what} with the model ${quote(model)}${detail ? ` (${detail})` : ""}, and ${rule}.`;
  });

const firstField = ([first]: readonly Loss[]): string => fieldOf(first?.path ?? "");
