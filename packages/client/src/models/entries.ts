import type { TokenPrice } from "../catalog/cost.ts";
import type { AnyOptions, Target, TargetOptions } from "../options.ts";
import { ClientRefusal } from "../reply/failure.ts";

/** A model of a provider. */
export interface Entry extends Omit<TargetOptions, "target"> {
  /** The provider's id, and its name for the model. */
  provider: string;
  name: string;
}

/** The entries of a client's models. The same model gives the same entries, by which facts are remembered. */
export interface Entries {
  /** The entries of a model in their order. Throws a refusal for a name that has none. */
  of(model: string): Promise<readonly Entry[]>;
}

/** The most models without an alias whose entries are remembered. */
const MOST = 1000;

/**
 * `hasProvider` checks whether there is a provider of an id. `checkPrice` throws for a price by which no cost can be
 * computed: an answer is paid for by the time that its cost is.
 */
export function createEntries(
  models: NonNullable<AnyOptions["models"]>,
  hasProvider: (id: string) => Promise<boolean>,
  checkPrice: (price: TokenPrice) => Promise<void>,
): Entries {
  const entryOf = async (alias: string, target: Target): Promise<Entry> => {
    const entry = toEntry(target);
    const problem = (await hasProvider(entry.provider))
      ? entry.price &&
        (await checkPrice(entry.price).then(
          () => undefined,
          ({ message }) => `price: ${message}`,
        ))
      : `'${nameOf(target)}' names no provider of the option \`providers\`, nor a preset: it must be 'provider/name'`;
    if (problem === undefined) return entry;
    throw new ClientRefusal(404, "invalid_model", `models.${alias}: ${problem}.`, "model");
  };
  const known = new Map<string, readonly Entry[]>();
  const find = async (model: string): Promise<readonly Entry[]> => {
    const targets = Object.hasOwn(models, model) ? [models[model] ?? []].flat() : [];
    if (targets.length > 0) return Promise.all(targets.map((target) => entryOf(model, target)));
    const entry = model.includes("/") ? toEntry(model as Target) : undefined;
    if (entry && (await hasProvider(entry.provider))) return [entry];
    throw unknownModel(model, entry?.provider, Object.keys(models));
  };
  return {
    async of(model) {
      const before = known.get(model);
      if (before) return before;
      const entries = await find(model);
      if (known.size >= MOST) known.clear();
      known.set(model, entries);
      return entries;
    },
  };
}

const nameOf = (target: Target): string => (typeof target === "string" ? target : target.target);

function toEntry(target: Target): Entry {
  const { target: name, ...facts } = typeof target === "string" ? { target } : target;
  const at = name.indexOf("/");
  return { ...facts, provider: name.slice(0, at), name: name.slice(at + 1) };
}

/** The most aliases that an error lists. */
const LISTED = 20;

function unknownModel(
  model: string,
  provider: string | undefined,
  aliases: readonly string[],
): ClientRefusal {
  const known = aliases.length > 0 ? ` (${aliases.slice(0, LISTED).join(", ")})` : "";
  return provider === undefined
    ? new ClientRefusal(
        404,
        "model_not_found",
        `model: '${model}' is no alias of the option \`models\`${known}; name a model as 'provider/name'.`,
        "model",
      )
    : new ClientRefusal(
        404,
        "provider_not_found",
        `model: '${model}' names the provider '${provider}', which is neither in the option \`providers\` nor a preset; nor is it an alias of \`models\`${known}.`,
        "model",
      );
}
