import type { ProposedModel } from "@manifold-gateway/gateway";
import type { ListedModel, Provider } from "@manifold-gateway/providers";
import { termsOf } from "./discovered-model.ts";
import { knownModels } from "./preset-models.ts";

/**
 * The models of a provider in the form of the configuration file: those that it lists, and the known ones besides text.
 * Public lists and presets know it by the name of its preset, whatever its own is.
 */
export function proposeModels(
  provider: Provider,
  preset: string | undefined,
  listed: readonly ListedModel[],
): ProposedModel[] {
  const vendor = { ...provider, id: preset ?? provider.id };
  const known = knownModels(vendor);
  const named = new Set(known.map(({ id }) => id));
  return [
    ...listed.filter(({ name }) => !named.has(name)).map((model) => ofListed(provider.id, vendor, model)),
    ...known.map(
      ({ id, name, inputModalities: input, outputModalities: output }): ProposedModel => ({
        name: id,
        value: { ...(name && { name }), input, output, entries: [{ provider: provider.id, name: id }] },
        isPriced: true,
        isRetired: false,
      }),
    ),
  ];
}

function ofListed(provider: string, vendor: Provider, model: ListedModel): ProposedModel {
  const { input, output, price, text, isRetired } = termsOf(vendor, model);
  const { name } = model;
  const entry = {
    ...{ provider, name },
    ...(price && { price }),
    ...(Object.keys(text).length > 0 && { capabilities: { text } }),
  };
  return { name, value: { input, output, entries: [entry] }, isPriced: price !== undefined, isRetired };
}
