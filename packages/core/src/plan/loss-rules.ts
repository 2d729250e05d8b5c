import { fieldOf, show } from "../capability/message-text.ts";
import type { Loss } from "../ir/loss.ts";
import { Rejection } from "./rejection.ts";

/** The losses of a request at one target. Paths are pointers into the caller's request. */
export interface RequestLosses {
  /** All of them. */
  losses: readonly Loss[];
  /** Those of settings; the others are of content. */
  settings: readonly Loss[];
  /** Those of model parameters that the target's wire cannot express, which `strictParams` refuses. */
  parameters: readonly Loss[];
}

/** The caller's rules about losses, each in words for the error: "x-loss-policy is strict". */
export interface LossRules {
  /** The rule that no setting may be left out. */
  settings?: string | undefined;
  /** The rule that nothing may be left out or changed. */
  all?: string | undefined;
}

/** The model's part in the decision about losses. */
interface Strictness {
  /** The model's name as the caller wrote it. */
  model: string;
  /** The `strictParams` of the model's capabilities. */
  strictParams?: boolean | undefined;
  rules?: LossRules | undefined;
}

const isLost = ({ why }: Loss): boolean => why === "unsupported";

/**
 * The losses to report, of a request of any modality; a rejection that names each loss, the first also as `param`, if
 * the model is strict about parameters, or by a rule of the caller.
 */
export function applyLossRules(
  { losses, settings, parameters }: RequestLosses,
  { model, strictParams, rules = {} }: Strictness,
): readonly Loss[] | Rejection {
  const strict = strictParams ? parameters.filter(isLost) : [];
  if (strict.length > 0)
    return new Rejection(
      "unsupported_parameter",
      strict.map(
        ({ path, detail }) =>
          `${fieldOf(path)}: the model ${show(model)} does not support it${detail ? ` (${detail})` : ""}; leave it out.`,
      ),
      { param: firstField(strict) },
    );
  const required = rules.settings === undefined ? [] : settings.filter(isLost);
  if (required.length > 0)
    return new Rejection("unsupported_parameter", describeLosses(required, model, rules.settings), {
      param: firstField(required),
      rule: "settings",
    });
  if (rules.all !== undefined && losses.length > 0)
    return new Rejection("losses", describeLosses(losses, model, rules.all), {
      param: firstField(losses),
      rule: "all",
    });
  return losses;
}

/** A loss, with the caller's path. */
export interface LocatedLoss {
  /** The loss; its `path` is a pointer into the caller's request. */
  loss: Loss;
  /** The kind of content, for the error: "image by url". Absent: the answer fits the request also without it. */
  content: string | undefined;
}

/** The rejection of content that the model does not accept, whatever the rules: the answer would be to another request. */
export function rejectContent(located: readonly LocatedLoss[], model: string): Rejection | undefined {
  const losses = located.filter(({ loss, content }) => content !== undefined && isLost(loss));
  if (losses.length === 0) return undefined;
  return new Rejection(
    "unsupported_content",
    losses.map(
      ({ loss: { path, detail }, content }) =>
        `${fieldOf(path)}: the model ${show(model)} does not accept ${content}${detail ? ` (${detail})` : ""}.`,
    ),
    { param: firstField(losses.map(({ loss }) => loss)) },
  );
}

/** The texts of a rejection that lists losses, each with the caller's rule that refuses them. */
const describeLosses = (losses: readonly Loss[], model: string, rule: string | undefined): string[] =>
  losses.map(({ path, why, detail }) => {
    const what = why === "unsupported" ? "would be lost" : "would be changed";
    return `${fieldOf(path)}: ${what} with the model ${show(model)}${detail ? ` (${detail})` : ""}, and ${rule}.`;
  });

const firstField = ([first]: readonly Loss[]): string => fieldOf(first?.path ?? "");
