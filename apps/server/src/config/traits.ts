import { contradictionsOf, type Traits } from "@manifold-gateway/core/codec";
import { presets } from "@manifold-gateway/providers";
import { toList } from "./build.ts";
import { type Problem, problemAt } from "./problem.ts";
import type { Config } from "./schema.ts";

const problemsAt = (path: readonly PropertyKey[], traits: Traits | undefined): Problem[] =>
  contradictionsOf(traits ?? {}).map((one) => problemAt([...path, ...one.path], one.text));

/** Finds traits that contradict each other, and those that no request can reach. */
export function problemsOfTraits({ providers, models }: Pick<Config, "providers" | "models">): Problem[] {
  const ofProviders = Object.entries(providers).flatMap(([id, { preset, protocol, ...provider }]) => {
    const path = ["providers", id];
    const spoken = toList(protocol ?? presets[preset ?? ""]?.speaks ?? []);
    const byProtocol = Object.entries(provider.protocolTraits ?? {}).flatMap(([one, traits]) => {
      const place = [...path, "protocolTraits", one];
      const isSpoken = spoken.some((spokenOne) => spokenOne === one);
      return isSpoken
        ? problemsAt(place, traits)
        : [problemAt(place, `'${id}' does not speak ${one}; it speaks ${spoken.join(", ") || "none"}`)];
    });
    return [...problemsAt([...path, "traits"], provider.traits), ...byProtocol];
  });
  const ofEntries = Object.entries(models).flatMap(([id, { entries }]) =>
    entries.flatMap(({ traits }, i) => problemsAt(["models", id, "entries", i, "traits"], traits)),
  );
  return [...ofProviders, ...ofEntries];
}
