import { outputModality } from "@manifold-gateway/core/capability";
import type { Model } from "@manifold-gateway/gateway";
import {
  imageModels,
  type Provider,
  presets,
  speechModels,
  transcriptionModels,
  videoModels,
} from "@manifold-gateway/providers";
import { termsOfSound } from "../config/known-terms.ts";

const generated = { image: imageModels, video: videoModels } as const;
const sounding = { speech: speechModels, transcription: transcriptionModels } as const;

/** The known media models of a preset provider, with limits and prices, without retired ones. */
export function knownMediaModels({ id: provider, serves = {} }: Provider): Model[] {
  if (!presets[provider]?.media) return [];
  const common = { isActive: true, revision: 1 };
  const entry = { provider, priority: 1, isActive: true };
  const made = (["image", "video"] as const).flatMap((kind) =>
    Object.entries(generated[kind])
      .filter(([, { wire, tiers, retired }]) => wire === serves[kind]?.wire && tiers.length > 0 && !retired)
      .map(([name, { label, takes, capabilities, meter, tiers }]) => ({
        ...common,
        id: name,
        name: label,
        inputModalities: ["text", ...takes],
        outputModalities: [kind],
        entries: [{ ...entry, name, capabilities, meter, tiers }],
      })),
  );
  const sounds = (["speech", "transcription"] as const).flatMap((kind) =>
    Object.entries(sounding[kind])
      .filter(([, { provider: at, wire }]) => at === provider && wire === serves[kind]?.wire)
      .map(([key, model]) => ({
        ...common,
        id: model.name ?? key,
        name: model.label,
        inputModalities: kind === "speech" ? ["text", ...model.takes] : [...model.takes],
        outputModalities: [outputModality[kind]],
        entries: [{ ...entry, name: model.name ?? key, ...termsOfSound(model) }],
      })),
  );
  return [...made, ...sounds];
}
