import { closestName } from "@manifold-gateway/core/capability";
import { presets } from "@manifold-gateway/providers";
import { problemsOfProcesses } from "../processes/count.ts";
import { toList } from "./build.ts";
import { problemsOfGuards } from "./guards.ts";
import { type Problem, problemAt } from "./problem.ts";
import type { Config } from "./schema.ts";
import { problemsOfStore } from "./store.ts";
import { problemsOfTraits } from "./traits.ts";
import { problemsOfWebhooks } from "./webhooks.ts";

/** The services whose callers wait for the answer, so that limits apply to them as to text. */
const AWAITED = ["embed", "transcription", "speech", "rerank", "moderation"] as const;

/** Finds names that two models have, because it would be arbitrary which of them a request gets. */
function aliasProblems({ models }: Config): Problem[] {
  const problems: Problem[] = [];
  const taken = new Map<string, string>();
  for (const [id, { aliases = [] }] of Object.entries(models))
    for (const [i, alias] of aliases.entries()) {
      const path = ["models", id, "aliases", i];
      const other = taken.get(alias);
      if (models[alias]) problems.push(problemAt(path, `'${alias}' is the id of a model`));
      else if (other !== undefined)
        problems.push(problemAt(path, `'${alias}' is an alias of '${other}' already`));
      taken.set(alias, id);
    }
  return problems;
}

/** Finds models that are their own fallback, and fallbacks that stand twice. Others may be discovered later. */
const fallbackProblems = ({ models }: Config): Problem[] =>
  Object.entries(models).flatMap(([id, { aliases = [], fallbacks = [] }]) =>
    fallbacks.flatMap(({ model }, i) => {
      const path = ["models", id, "fallbacks", i];
      if (model === id || aliases.includes(model)) return [problemAt(path, `'${model}' is the model itself`)];
      const isRepeated = fallbacks.findIndex((other) => other.model === model) < i;
      return isRepeated ? [problemAt(path, `'${model}' stands there already`)] : [];
    }),
  );

/** The outputs that each meter counts; tokens are of videos where it has the sizes of frames. */
const METERED: Readonly<Record<string, readonly string[]>> = {
  images: ["image"],
  seconds: ["video"],
  videos: ["video"],
  sound: ["transcription", "text"],
};

/** Finds meters that count something else than their model makes. */
const meterProblems = ({ models }: Config): Problem[] =>
  Object.entries(models).flatMap(([id, { output, entries }]) =>
    entries.flatMap(({ meter }, i) => {
      if (!meter) return [];
      const counted = METERED[meter.by] ?? ["frames" in meter ? "video" : "image"];
      if (output.some((one) => counted.includes(one))) return [];
      const text = `counts what has the output ${counted.join(" or ")}, and this model's is ${output.join(", ")}`;
      return [problemAt(["models", id, "entries", i, "meter"], text)];
    }),
  );

/** Says that no provider has a name, which were possible, and which one was probably meant. */
function noProvider(name: string, names: readonly string[]): string {
  const meant = closestName(name, names);
  const hint = meant === undefined ? "" : `. Did you mean '${meant}'?`;
  return `no provider '${name}'; known are ${names.join(", ") || "none"}${hint}`;
}

/**
 * Checks names that refer to each other, which the schema of a single field cannot. Unknown providers are problems only
 * in a configuration that is whole.
 */
export function crossCheck(config: Config, isWhole = true): Problem[] {
  const problems = [
    ...problemsOfProcesses(config),
    ...problemsOfGuards(config.guards),
    ...problemsOfWebhooks(config.webhooks),
    ...problemsOfTraits(config),
    ...problemsOfStore(config.store),
  ];
  const add = (path: readonly PropertyKey[], text: string): void => void problems.push(problemAt(path, text));
  if (config.server.adminKey !== undefined && config.server.adminKeys.operator !== undefined)
    add(["server", "adminKeys", "operator"], "this name belongs to server.adminKey; use another");
  config.telemetry.traces?.propagateTo.forEach((provider, i) => {
    if (isWhole && !config.providers[provider] && !presets[provider])
      add(["telemetry", "traces", "propagateTo", i], noProvider(provider, Object.keys(config.providers)));
  });
  for (const [id, { concurrency, preset, protocol, serves }] of Object.entries(config.providers)) {
    const known = preset === undefined ? undefined : presets[preset];
    const isText = protocol !== undefined || (known?.speaks.length ?? 0) > 0;
    const services = serves ?? known?.serves;
    if (concurrency && !isText && !AWAITED.some((operation) => services?.[operation]))
      add(
        ["providers", id, "concurrency"],
        "limits text, embeddings, transcripts, speech, rankings and moderation, and this provider serves none of them",
      );
  }
  for (const [id, model] of Object.entries(config.models))
    model.entries.forEach((entry, i) => {
      const path = ["models", id, "entries", i];
      const provider = config.providers[entry.provider];
      if (!provider) {
        if (!isWhole) return;
        add([...path, "provider"], noProvider(entry.provider, Object.keys(config.providers)));
      } else if (entry.protocol !== undefined) {
        const { preset, protocol } = provider;
        const spoken = toList(protocol ?? presets[preset ?? ""]?.speaks ?? []);
        const other = toList(entry.protocol).find((one) => !spoken.includes(one));
        if (other !== undefined)
          add(
            [...path, "protocol"],
            `'${entry.provider}' does not speak ${other}; it speaks ${spoken.join(", ") || "none"}`,
          );
      }
    });
  problems.push(...aliasProblems(config), ...fallbackProblems(config), ...meterProblems(config));
  const keys = new Map<string, string>();
  for (const [id, account] of Object.entries(config.accounts))
    for (const [name, value] of Object.entries(account.keys)) {
      const raw = typeof value === "string" ? value : value.key;
      const path = ["accounts", id, "keys", name];
      const other = keys.get(raw);
      if (other) add(path, `the same key as ${other}`);
      keys.set(raw, path.join("."));
    }
  return problems;
}
