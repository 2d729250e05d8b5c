import type { Log, Model } from "@manifold/gateway";
import {
  createLineClient,
  discoverModels,
  type Provider,
  presets,
  type Transport,
} from "@manifold/providers";
import { listedModel } from "./commands/listed.ts";
import { toPrice } from "./config/build.ts";
import { knownModels } from "./known.ts";

/** Milliseconds that a provider has to say what it serves: a start does not wait for one that is away. */
const PATIENCE = 3_000;

/** What activated providers serve. */
export interface Discovered {
  models: Model[];
  /** The ids of providers that did not say: what is known of them from before still stands. */
  unheard: ReadonlySet<string>;
}

/**
 * The models of providers that the environment activated, as they list them. A local server's models are free;
 * a vendor's are sold at the public list's prices, with the abilities it lists; one it does not know is left out.
 * Images and videos are those that are known by name.
 */
export async function discoveredModels(
  providers: readonly Provider[],
  transport: Transport,
  log: Log,
): Promise<Discovered> {
  const client = createLineClient(transport);
  const unheard = new Set<string>();
  const found = await Promise.all(
    providers.map(async (provider) => {
      try {
        const names = await discoverModels(provider, client, AbortSignal.timeout(PATIENCE));
        return names.flatMap((name) => toModel(provider, name) ?? []);
      } catch (error) {
        log.warn(
          { provider: provider.id, why: (error as Error).message },
          "a provider did not list its models",
        );
        unheard.add(provider.id);
        return [];
      }
    }),
  );
  const models = new Map<string, Model>();
  for (const model of found.flat()) {
    const known = models.get(model.id);
    if (known) known.entries.push(...model.entries);
    else models.set(model.id, model);
  }
  for (const model of providers.flatMap(knownModels)) models.set(model.id, model);
  return { models: [...models.values()], unheard };
}

function toModel(provider: Provider, name: string): Model | undefined {
  const local = presets[provider.id]?.originVariable !== undefined;
  const listed = local ? undefined : listedModel({ name }, provider, new Date());
  // The list names models whose prices it does not know: nothing is free because nobody wrote a price down.
  const isPriced = listed && (Object.keys(listed.price).length > 0 || name.endsWith(":free"));
  if (!local && !isPriced) return undefined;
  return {
    id: name,
    inputModalities: listed?.input ?? ["text"],
    outputModalities: listed?.output ?? ["text"],
    isActive: true,
    revision: 1,
    entries: [
      {
        provider: provider.id,
        name,
        priority: 1,
        isActive: true,
        // An entry has one price for prompts of any length: the highest, so that none is sold below its cost.
        price: toPrice(listed?.highest ?? {}),
        ...(listed && { capabilities: { text: { ...listed.text } } }),
      },
    ],
  };
}
