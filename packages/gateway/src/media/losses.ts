import type { Loss } from "@manifold-gateway/core";
import type { ParamNames } from "@manifold-gateway/core/operations";
import type { Context } from "../ports/context.ts";
import type { Findings } from "../routing/check-capabilities.ts";
import { demandLosses } from "../routing/demand-losses.ts";
import type { MediaRoute } from "./resolve.ts";
import type { WorkAt } from "./work.ts";

interface LossContext<Ask> {
  /** The request as it would be sent, and as the caller wrote it. */
  ask: Ask;
  requested: object;
  /** The findings of the capability check. */
  findings: Findings;
  /** The caller's names for parameters that its protocol names otherwise. */
  names?: ParamNames | undefined;
}

/** Checks whether a loss is of a parameter of the model, unlike the end user's id and unknown fields. */
const isParameter = ({ path }: Loss): boolean => path !== "/user" && !path.startsWith("/extra/");

/**
 * The losses of a request: parameters that its model does not take, and those that the provider's wire cannot
 * express. A caller that allows losses gets no report, but the record has them.
 */
export function lossesOf<Ask extends object>(
  { options: { losses: policy } }: Pick<Context, "options">,
  { entry, model, preferences }: MediaRoute,
  adapter: { losses?(ask: Ask): Loss[] } | undefined,
  { ask, requested, findings, names = {} }: LossContext<Ask>,
): Pick<WorkAt, "losses" | "quiet" | "hints"> {
  const nameOf = (path: string): string => path.split("/")[1] ?? "";
  // Defaults that the gateway filled in are no losses.
  const lost = (adapter?.losses?.(ask) ?? []).filter(({ path }) => Object.hasOwn(requested, nameOf(path)));
  const spelled = ({ path, ...loss }: Loss): Loss => ({
    path: names[nameOf(path)] ?? path.replace(/^\/extra\//, "/"),
    ...loss,
  });
  const losses = [...findings.losses, ...lost.map(spelled)];
  const { strictParams } = entry.capabilities ?? {};
  return {
    losses: demandLosses(
      { losses, settings: losses, parameters: lost.filter(isParameter).map(spelled) },
      { model: model.id, strictParams, preferences, policy },
    ),
    hints: findings.hints,
    ...(policy === "allow" && { quiet: true }),
  };
}
