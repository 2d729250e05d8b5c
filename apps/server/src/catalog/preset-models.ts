import { outputModality } from "@manifold-gateway/core/capability";
import type { Model } from "@manifold-gateway/gateway";
import { moderationModels, type Provider, rerankModels } from "@manifold-gateway/providers";
import { knownMediaModels } from "./preset-media-models.ts";

const tables = { rerank: rerankModels, moderation: moderationModels } as const;

/** The known models of rankings and moderation of a preset provider, with prices. */
const judgingModels = ({ id: provider, serves = {} }: Provider): Model[] =>
  (["rerank", "moderation"] as const).flatMap((operation) =>
    Object.entries(tables[operation])
      .filter(([, model]) => model.provider === provider && model.wire === serves[operation]?.wire)
      .map(([name, { label, takes, price }]) => ({
        id: name,
        name: label,
        inputModalities: ["text", ...takes],
        outputModalities: [outputModality[operation]],
        isActive: true,
        revision: 1,
        entries: [{ provider, name, priority: 1, isActive: true, price }],
      })),
  );

/** The known models of a preset provider besides those of text. */
export const knownModels = (provider: Provider): Model[] => [
  ...knownMediaModels(provider),
  ...judgingModels(provider),
];
