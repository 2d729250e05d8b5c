import type { Loss } from "@manifold-gateway/core";
import type { Issue } from "@manifold-gateway/core/capability";
import type { ParamNames } from "@manifold-gateway/core/operations";
import { quote, Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { sayLosses } from "../routing/losses.ts";
import { unknownLosses } from "../routing/preferences.ts";
import { EntryRejected } from "../routing/queue.ts";
import type { MediaRoute } from "./resolve.ts";
import type { WorkAt } from "./work.ts";

interface LossContext<Ask> {
  /** The request as it would be sent, and as the caller wrote it. */
  ask: Ask;
  requested: object;
  /** The issues that the capability check found. */
  issues?: readonly Issue[];
  /** The caller's names for parameters that its protocol names otherwise. */
  names?: ParamNames | undefined;
}

/**
 * The losses of a request: parameters that its model does not take, and those that the provider's wire cannot
 * express. A model that is strict about parameters refuses the latter, and a strict caller refuses both. A caller
 * that allows losses gets no report, but the record has them.
 */
export function lossesOf<Ask extends object>(
  { options: requestOptions }: Pick<Context, "options">,
  { entry, model, preferences }: MediaRoute,
  adapter: { losses?(ask: Ask): Loss[] } | undefined,
  { ask, requested, issues = [], names = {} }: LossContext<Ask>,
): Pick<WorkAt, "losses" | "quiet"> {
  const unsaid = (adapter?.losses?.(ask) ?? []).filter(({ path }) => Object.hasOwn(requested, nameOf(path)));
  const renamed = unsaid.map((loss) => ({ ...loss, path: names[nameOf(loss.path)] ?? loss.path }));
  // The end user's id does not count as a parameter of the model.
  const params = renamed.filter(({ path }) => path !== "/user");
  if (params.length > 0 && entry.capabilities?.strictParams)
    throw new Refusal(
      "unsupported_parameter",
      params.map(
        ({ path, detail }) =>
          `${path.slice(1).replaceAll("/", ".")}: the model ${quote(model.id)} does not support it${detail ? `: ${detail}` : ""}; leave it out.`,
      ),
      { param: nameOf(params[0]?.path ?? "") },
    );
  const dropped = issues.flatMap(({ effect, path }): Loss[] =>
    effect === "drop" ? [{ path, why: "unsupported" }] : [],
  );
  const lost = [...dropped, ...renamed];
  if (preferences.parameters && lost.some(({ why }) => why === "unsupported"))
    throw new EntryRejected("parameters", "unsupported_parameter", sayLosses(lost, model.id), {
      param: "provider.require_parameters",
    });
  const all = [...lost, ...unknownLosses(preferences)];
  const { losses: policy } = requestOptions;
  if (policy === "strict" && all.length > 0)
    throw new EntryRejected("losses", "losses", sayLosses(all, model.id));
  return { losses: all, ...(policy === "allow" && { quiet: true }) };
}

const nameOf = (path: string): string => path.split("/")[1] ?? "";
