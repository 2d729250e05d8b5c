import type { Log, Model } from "@manifold-gateway/gateway";
import {
  createLineClient,
  discoverModels,
  type ListedModel,
  type Provider,
  presets,
  type Transport,
} from "@manifold-gateway/providers";
import { isLocal, toModel } from "./discovered-model.ts";
import { knownModels } from "./preset-models.ts";

/** Milliseconds within which a provider must list its models, so that an unreachable one does not delay a start. */
const LIST_TIMEOUT = 3_000;

/**
 * The occasions for listing a provider's models again: an interval has passed, a caller named an unknown model, or the
 * operator sent a signal.
 */
export type Occasion = "interval" | "unknown" | "signal";

const HOUR = 3_600_000;
/**
 * The least age of a provider's list for a new request, in milliseconds. For an unknown name it is the time since the
 * last such request, so that callers cannot cause requests all the time.
 */
const ages: Record<Occasion, { local: number; vendor: number }> = {
  interval: { local: 30_000, vendor: HOUR },
  unknown: { local: 5_000, vendor: HOUR / 6 },
  signal: { local: 0, vendor: 0 },
};

/** The last answer of one activated provider. */
export interface Finding {
  provider: Provider;
  /** The ids of its models; absent until its first answer. */
  models?: string[];
  /** The error as one sentence, if it did not answer. */
  fault?: string;
}

/** The models of the providers that the environment activates, as their answers come in. */
export interface Discovery {
  /** Replaces the providers to list. Models known of one that stays are kept until its next answer. */
  follow(providers: readonly Provider[]): void;
  /** Lists the models of providers whose answer is old. Resolves to whether any answer changed. */
  look(occasion: Occasion): Promise<boolean>;
  /** All known models of the providers. */
  models(): Model[];
  /** The ids of providers that have not answered yet. Their models that an earlier process stored stay in force. */
  unanswered(): ReadonlySet<string>;
  findings(): Finding[];
}

interface ProviderListing {
  provider: Provider;
  at: number;
  /** The time of the last request for an unknown name. */
  unknownAt: number;
  listed?: ListedModel[];
  fault?: string;
}

export function createDiscovery(
  providers: readonly Provider[],
  { transport, log, now = Date.now }: { transport: Transport; log: Log; now?(): number },
): Discovery {
  const client = createLineClient(transport);
  const never = Number.NEGATIVE_INFINITY;
  let listings: ProviderListing[] = [];
  const follow = (providers: readonly Provider[]): void => {
    const known = new Map(listings.map((of) => [of.provider.id, of] as const));
    listings = providers.map((provider) => ({
      ...(known.get(provider.id) ?? { at: never, unknownAt: never }),
      provider,
    }));
  };
  follow(providers);

  const ask = async (of: ProviderListing): Promise<boolean> => {
    const { provider, listed, fault } = of;
    try {
      of.at = now();
      of.listed = await discoverModels(provider, client, AbortSignal.timeout(LIST_TIMEOUT));
      delete of.fault;
    } catch (error) {
      of.fault = describeFault(provider, error as Error);
      if (of.fault !== fault) log.warn({ provider: provider.id, why: of.fault }, "models not listed");
    }
    return of.fault !== fault || JSON.stringify(of.listed) !== JSON.stringify(listed);
  };
  const modelsOf = ({ provider, listed = [] }: ProviderListing): Model[] =>
    listed.flatMap((model) => toModel(provider, model) ?? []);

  return {
    follow,
    async look(occasion) {
      const isDue = ({ provider, at, unknownAt }: ProviderListing): boolean => {
        const age = now() - (occasion === "unknown" ? unknownAt : at);
        return age >= ages[occasion][isLocal(provider) ? "local" : "vendor"];
      };
      const due = listings.filter(isDue);
      if (occasion === "unknown") for (const of of due) of.unknownAt = now();
      const answers = due.map(ask);
      return (await Promise.all(answers)).includes(true);
    },
    models() {
      const models = new Map<string, Model>();
      for (const model of listings.flatMap(modelsOf)) {
        const known = models.get(model.id);
        if (known) known.entries.push(...model.entries);
        else models.set(model.id, model);
      }
      for (const model of listings.flatMap(({ provider }) => knownModels(provider)))
        models.set(model.id, model);
      return [...models.values()];
    },
    unanswered: () => new Set(listings.filter(({ listed }) => !listed).map(({ provider }) => provider.id)),
    findings: () =>
      listings.map((of) => ({
        provider: of.provider,
        ...(of.listed && { models: modelsOf(of).map(({ id }) => id) }),
        ...(of.fault !== undefined && { fault: of.fault }),
      })),
  };
}

/** Describes a provider's fault, with its address and the variable that activated it. */
function describeFault({ id, origin }: Provider, error: Error): string {
  const preset = presets[id];
  const variable = preset?.originVariable ?? preset?.keyVariable;
  const why = error.message.replace(/\.$/, "").replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  return `${preset?.name ?? id} at ${origin} (${variable}) did not list its models: ${why}.`;
}
