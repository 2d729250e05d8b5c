import {
  createLineClient,
  discoverModels,
  faultOf,
  type ListedModel,
  ListingRefused,
  type Provider,
  type Transport,
  UpstreamFault,
} from "@manifold-gateway/providers";
import { readProviderError } from "../generation/provider-error.ts";
import { messageOf } from "../http/fault.ts";
import type { ProviderTest } from "../ports/declarations.ts";

/** The time for a provider to list its models, in milliseconds. */
const LIST_TIMEOUT = 10_000;
/** The most characters that are shown of a provider's message. */
const WORDS = 300;

/** The result of asking a provider for its models. */
export type ProviderTrial = Omit<ProviderTest, "models"> & { models: readonly ListedModel[] };

type Words = Pick<ProviderTrial, "verdict" | "finding" | "todo">;

/** Requests a provider's list of models, which is free, to test its address, its credential and its protocol. */
export async function tryProvider(provider: Provider, transport: Transport): Promise<ProviderTrial> {
  const begun = performance.now();
  const client = createLineClient(transport);
  const signal = AbortSignal.timeout(LIST_TIMEOUT);
  const took = (): number => Math.round(performance.now() - begun);
  try {
    if (Object.keys(provider.speaks).length === 0 || provider.listing === false) {
      await (await client.get(provider.origin, { signal })).body?.cancel();
      const finding = "It answers; its key is not tried, as no call is free.";
      return { verdict: "untried", finding, ms: took(), models: [] };
    }
    const models = await discoverModels(provider, client, signal);
    return { ...ofList(models), ms: took(), models };
  } catch (error) {
    return { ...ofFailure(error, provider, signal), ms: took(), models: [] };
  }
}

const ofList = (models: readonly ListedModel[]): Words =>
  models.length > 0
    ? {
        verdict: "listed",
        finding: `It lists ${models.length === 1 ? "one model" : `${models.length} models`}.`,
      }
    : {
        verdict: "listed",
        finding: "It answers, and lists no models.",
        todo: "If it has some, check its address and its protocol.",
      };

function ofFailure(error: unknown, provider: Provider, signal: AbortSignal): Words {
  if (error instanceof ListingRefused) return ofStatus(error, provider);
  const fault = faultOf(error, signal);
  if (!(fault instanceof UpstreamFault)) throw fault;
  if (fault.kind === "encoding" || fault.kind === "too_large")
    return {
      verdict: "unreadable",
      finding: "It answers with something else than a list of models.",
      todo: `Check its address, and whether it speaks ${Object.keys(provider.speaks)[0]}.`,
    };
  const finding = signal.aborted
    ? `It did not answer within ${LIST_TIMEOUT / 1_000} s.`
    : `${messageOf(fault).replace(/\.$/, "")}.`;
  const todo = "Check its address, and what stands between: name server, firewall, proxy.";
  return { verdict: "unreachable", finding, todo };
}

/** The verdicts on statuses, and what to do; the first row that matches applies. */
const STATUSES: readonly [matches: (status: number) => boolean, Omit<Words, "finding">, does: string][] = [
  [
    (status) => status === 401 || status === 403,
    { verdict: "refused", todo: "Check the key, and whether it is one of this provider." },
    "refuses the credential",
  ],
  [
    (status) => status === 404 || status === 405,
    { verdict: "not_found", todo: "Check its address: a path in it replaces the protocol's own." },
    "has no list of models there",
  ],
  [
    (status) => status === 429,
    { verdict: "busy", todo: "Wait, or use another key." },
    "takes no more requests with this key at the moment",
  ],
  [
    (status) => status >= 500,
    { verdict: "failing", todo: "Look at the provider's own status page, and try again." },
    "fails",
  ],
  [
    () => true,
    { verdict: "rejected", todo: "Check its key, its address and its protocol." },
    "rejects the request",
  ],
];

function ofStatus({ status, body }: ListingRefused, provider: Provider): Words {
  const [, words, does] = STATUSES.find(([matches]) => matches(status))!;
  const error = readProviderError({ attempt: 0, status, body }, provider);
  // The HTML page of a proxy is left out, because it does not help a reader.
  const text = error?.message ?? (error?.body?.startsWith("<") ? undefined : error?.body);
  return { ...words, finding: `It ${does} (status ${status})${text ? `: ${text.slice(0, WORDS)}` : "."}` };
}
