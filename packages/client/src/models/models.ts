import type { AnyOptions, TargetOptions } from "../options.ts";
import type { ProviderTable } from "../providers/provider-table.ts";
import { ClientRefusal } from "../reply/failure.ts";

const toOptions = (target: string | TargetOptions): TargetOptions =>
  typeof target === "string" ? { target: target as TargetOptions["target"] } : target;

/** The targets of a model in their order. Throws a refusal for a model that is neither an alias nor a provider's. */
export function targetsOf(
  model: string,
  models: NonNullable<AnyOptions["models"]>,
  providers: Pick<ProviderTable, "has" | "names">,
): readonly TargetOptions[] {
  const targets = Object.hasOwn(models, model) ? [models[model] ?? []].flat().map(toOptions) : [];
  if (targets.length > 0) return targets;
  const [provider = "", ...name] = model.split("/");
  if (name.length > 0 && providers.has(provider)) return [toOptions(model)];
  const aliases = Object.keys(models);
  const known = aliases.length > 0 ? ` (${aliases.slice(0, 20).join(", ")})` : "";
  throw name.length > 0
    ? new ClientRefusal(
        404,
        "provider_not_found",
        `model: '${model}' names the provider '${provider}', which is neither in the option \`providers\` nor known; nor is it an alias of \`models\`${known}.`,
        "model",
      )
    : new ClientRefusal(
        404,
        "model_not_found",
        `model: '${model}' is no alias of the option \`models\`${known}; name a model as 'provider/name'.`,
        "model",
      );
}
