import type { Log, Model } from "@manifold/gateway";
import { createClient, discoverModels, type Provider, presets, type Transport } from "@manifold/providers";
import { listedModel } from "./commands/listed.ts";
import { toPrice } from "./config/build.ts";
import { knownModels } from "./known.ts";

/** Milliseconds that a provider has to say what it serves: a start does not wait for one that is away. */
const PATIENCE = 3_000;

/**
 * The models of providers that the environment activated, as they list them. A local server's models are free;
 * a vendor's are sold at the public list's prices, with the abilities it lists; one it does not know is left out.
 * Images and videos are those that are known by name.
 */
export async function discoveredModels(
  providers: readonly Provider[],
  transport: Transport,
  log: Log,
): Promise<Model[]> {
  const client = createClient(transport).extend({ timeout: PATIENCE });
  const found = await Promise.all(
    providers.map(async (provider) => {
      try {
        const names = await discoverModels(provider, client);
        return names.flatMap((name) => toModel(provider, name) ?? []);
      } catch (error) {
        log.warn(
          { provider: provider.id, why: (error as Error).message },
          "a provider did not list its models",
        );
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
  return [...models.values()];
}

function toModel(provider: Provider, name: string): Model | undefined {
  const local = presets[provider.id]?.originVariable !== undefined;
  const listed = local ? undefined : listedModel({ name }, provider, new Date());
  if (!local && !listed) return undefined;
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
        price: toPrice(listed?.price ?? {}),
        ...(listed && { capabilities: { text: { ...listed.text } } }),
      },
    ],
  };
}
