import { tryProvider } from "@manifold-gateway/gateway/admin";
import { type Provider, presets, type Transport } from "@manifold-gateway/providers";
import { toModels } from "../../config/build.ts";
import { type Case, type Check, fail, type Outcome, ok, seconds, warn } from "./check.ts";

/** Requests every provider's list of models: a real call with its credential, which providers do not bill. */
export const providers: Check = async (of) => {
  const all = [...of.providers().values()];
  if (all.length > 0)
    return (await Promise.all(all.flatMap(byCredential).map((probe) => ask(probe, of)))).flat();
  const todo = "add one to 'providers', or set a vendor's key variable: docs/configuration.md";
  return [warn("providers", "there are none", todo)];
};

/** A provider and one of its credentials. */
interface ProviderProbe {
  check: string;
  provider: Provider;
}

const byCredential = (provider: Provider): ProviderProbe[] =>
  provider.credentials?.map(({ name, key }) => ({
    check: `provider ${provider.id}, key ${name}`,
    provider: { ...provider, key },
  })) ?? [{ check: `provider ${provider.id}`, provider }];

async function ask({ check, provider }: ProviderProbe, of: Case): Promise<Outcome[]> {
  const trial = await tryProvider(provider, listening(of, provider));
  const finding = `${provider.origin}, in ${seconds(trial.ms)}: ${inside(trial.finding)}`;
  if (trial.verdict !== "listed" && trial.verdict !== "untried")
    return [fail(check, finding, `${inside(trial.todo ?? "")}${keyHint(trial.verdict, provider, of)}`)];
  const names = new Set(trial.models.map(({ name }) => name));
  return [
    ok(check, finding),
    ...missing(provider.id, names, of).map((text) =>
      warn(check, text, "compare the entry's name with the provider's list"),
    ),
  ];
}

/** A sentence as a part of a line. */
const inside = (sentence: string): string =>
  `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replace(/\.$/, "");

/** A transport that records how far the provider's clock is ahead. */
const listening = ({ transport, now, clocks }: Case, provider: Provider): Transport => ({
  ...transport,
  async send(request) {
    const begun = now();
    const answer = await transport.send(request);
    const date = Date.parse(String(answer.headers.date));
    // The header has only whole seconds, so half a second is added.
    if (!Number.isNaN(date)) clocks.push({ of: provider.id, aheadMs: date + 500 - (begun + now()) / 2 });
    return answer;
  },
});

/** The entries whose names a provider does not list; none if its list is empty. */
function missing(id: string, names: ReadonlySet<string>, { config }: Case): string[] {
  if (names.size === 0) return [];
  return toModels(config).flatMap(({ id: model, isActive, outputModalities, entries }) =>
    entries
      // Not all vendors list their media models.
      .filter((entry) => isActive && outputModalities.includes("text") && entry.isActive)
      .filter(({ provider, name }) => provider === id && !names.has(name))
      .map(({ name }) => `it does not list '${name}', which '${model}' goes to`),
  );
}

/** The variable in which the key of a preset may be. */
function keyHint(verdict: string, { id }: Provider, { config }: Case): string {
  const variable = presets[config.providers[id]?.preset ?? id]?.keyVariable;
  return verdict === "refused" && variable ? `: ${variable} holds it where the configuration has none` : "";
}
