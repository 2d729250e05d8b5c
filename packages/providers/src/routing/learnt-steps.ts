import type { Traits } from "@manifold-gateway/core/codec";
import type { TraitsStep } from "@manifold-gateway/core/plan";
import type { Learnt } from "./lessons.ts";
import { mergedTraits, type ServedModel } from "./traits.ts";

/** The traits of an entry before anything was learnt, and after each lesson. */
export function learntSteps({ entry, provider, protocol }: ServedModel, { lessons }: Learnt): TraitsStep[] {
  const steps: TraitsStep[] = [{ traits: mergedTraits(entry, provider, protocol) }];
  let learnt: Traits = {};
  for (const { traits, because } of lessons) {
    learnt = { ...learnt, ...traits };
    steps.push({ traits: mergedTraits(entry, provider, protocol, learnt), because });
  }
  return steps;
}
