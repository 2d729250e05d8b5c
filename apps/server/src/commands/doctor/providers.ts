import {
  createLineClient,
  discoverModels,
  type Provider,
  presets,
  type Transport,
} from "@manifold-gateway/providers";
import { toModels } from "../../config/build.ts";
import { type Case, type Check, fail, messageOf, type Outcome, ok, seconds, warn } from "./check.ts";

/** Milliseconds within which a provider must answer. */
const ANSWER_TIMEOUT = 10_000;

/** Requests every provider's list of models: a real call with its credential, which providers do not bill. */
export const providers: Check = async (of) =>
  of.providers.size === 0
    ? [
        warn(
          "providers",
          "there are none",
          "add one to 'providers', or set a vendor's key variable: docs/configuration.md",
        ),
      ]
    : (
        await Promise.all([...of.providers.values()].flatMap(byCredential).map((probe) => ask(probe, of)))
      ).flat();

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
  const isText = Object.keys(provider.speaks).length > 0;
  const begun = of.now();
  const observed: { status?: number } = {};
  const transport = listening(of, provider, observed);
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT);
    if (!isText || provider.listing === false) {
      await (await createLineClient(transport).get(provider.origin, { signal })).body?.cancel();
      return [
        ok(
          check,
          `${provider.origin} answers in ${seconds(of.now() - begun)}; its key is not tried, as no call is free`,
        ),
      ];
    }
    const listed = await discoverModels(provider, createLineClient(transport), signal);
    const names = new Set(listed.map(({ name }) => name));
    const answered = ok(
      check,
      `${provider.origin} lists ${names.size} models in ${seconds(of.now() - begun)}`,
    );
    return [
      answered,
      ...missing(provider.id, names, of).map((text) =>
        warn(check, text, "compare the entry's name with the provider's list"),
      ),
    ];
  } catch (error) {
    return [fail(check, sayFault(provider, error, observed.status), todoOf(provider, observed.status, of))];
  }
}

/** A transport that records the status of answers, and how far the provider's clock is ahead. */
const listening = (
  { transport, now, clocks }: Case,
  provider: Provider,
  observed: { status?: number },
): Transport => ({
  ...transport,
  async send(request) {
    const begun = now();
    const answer = await transport.send(request);
    observed.status = answer.status;
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

const sayFault = ({ origin }: Provider, error: unknown, status: number | undefined): string =>
  `${origin}: ${status !== undefined && status >= 300 ? `it answered with status ${status}` : messageOf(error)}`;

function todoOf(provider: Provider, status: number | undefined, { config }: Case): string {
  const preset = presets[config.providers[provider.id]?.preset ?? provider.id];
  if (status === 401 || status === 403)
    return `check its key${preset?.keyVariable ? `, which ${preset.keyVariable} holds where the file has none` : ""}`;
  if (status === 404) return "check its origin: the path in it replaces the protocol's own";
  if (status === 429) return "wait: it takes no more requests with this key at the moment";
  if (status !== undefined) return "look at the provider's own status page";
  return "check its origin, and what stands between: name server, firewall, proxy";
}
