import type { Model } from "@manifold-gateway/gateway";
import { imageModels, type Provider, presets, videoModels } from "@manifold-gateway/providers";

const tables = { image: imageModels, video: videoModels } as const;

/** The known image and video models of a preset provider, with limits and prices, without retired ones. */
export function knownModels({ id: provider, serves = {} }: Provider): Model[] {
  if (!presets[provider]?.media) return [];
  return (["image", "video"] as const).flatMap((kind) =>
    Object.entries(tables[kind])
      .filter(([, { wire, tiers, retired }]) => wire === serves[kind]?.wire && tiers.length > 0 && !retired)
      .map(([name, { label, takes, capabilities, meter, tiers }]) => ({
        id: name,
        name: label,
        inputModalities: ["text", ...takes],
        outputModalities: [kind],
        isActive: true,
        revision: 1,
        entries: [{ provider, name, priority: 1, isActive: true, capabilities, meter, tiers }],
      })),
  );
}
