import type { Loss, ParamNames } from "@manifold/core";
import { quote, Refusal } from "../http/refusal.ts";
import type { MediaRoute } from "./resolve.ts";

/**
 * What the caller set and the provider's wire has no word for. A model that is strict about parameters refuses it;
 * of others it is told.
 */
export function strictLosses<Ask extends object>(
  adapter: { losses?(ask: Ask): Loss[] } | undefined,
  { entry, model }: MediaRoute,
  ask: Ask,
  asked: object,
  names: ParamNames = {},
): Loss[] {
  const lost = (adapter?.losses?.(ask) ?? []).filter(({ path }) => Object.hasOwn(asked, nameOf(path)));
  const told = lost.map((loss) => ({ ...loss, path: names[nameOf(loss.path)] ?? loss.path }));
  if (told.length > 0 && entry.capabilities?.strictParams)
    throw new Refusal(
      400,
      told.map(
        ({ path, detail }) =>
          `${path.slice(1).replaceAll("/", ".")}: the model ${quote(model.id)} cannot be told it${detail ? `: ${detail}` : ""}; leave it out.`,
      ),
      { param: nameOf(told[0]?.path ?? ""), code: "unsupported_parameter" },
    );
  return told;
}

const nameOf = (path: string): string => path.split("/")[1] ?? "";
