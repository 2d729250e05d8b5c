import type { ImpossibleFigure } from "@manifold-gateway/core/codec";
import {
  type Credential,
  type Provider,
  UpstreamFault,
  type UpstreamRequest,
  type UpstreamResponse,
} from "@manifold-gateway/providers";
import type { Unit } from "@manifold-gateway/store";
import { errorFields } from "@manifold-gateway/store";
import type { Hold, Opening } from "../ports/billing.ts";
import type { Context } from "../ports/context.ts";
import type { Log } from "../ports/log.ts";
import type { ObservedAttempt, Watch } from "../ports/observer.ts";

/** Wraps a hold so that `watch` observes its settlement, after the commit. */
export function watchHold(hold: Hold, { id, modality, model, price }: Opening, watch: Watch): Hold {
  return {
    checkpoint: (usage, price) => hold.checkpoint(usage, price),
    async settle(outcome) {
      const cost = await hold.settle(outcome);
      // Observers see no contents.
      const { errors: _, reply: _r, ...facts } = outcome;
      watch.settled?.({ id, modality, model, price, ...facts, cost });
      return cost;
    },
  };
}

/** The provider that is called, and how. */
interface Target {
  provider: Provider;
  entry: { name: string };
  protocol: ObservedAttempt["protocol"];
  /** The credential, if the provider has several. */
  credential?: Credential | undefined;
}

/** Statuses by which a provider refuses us: for our credential, or for our credit there. */
const DENIALS: ReadonlySet<number> = new Set([401, 402]);

/** Logs such a refusal, which the operator has to resolve. Other statuses are not logged. */
export function logDenial(log: Log, status: number | undefined, fields: Record<string, unknown>): void {
  if (status !== undefined && DENIALS.has(status))
    log.error({ ...fields, status }, "a provider refuses our credential");
}

/**
 * Reports impossible figures of a provider: the record has estimates instead, and the provider may bill otherwise.
 */
export function reportImpossible(
  { services, watch, id: request, progress: { generation } }: Context<"log">,
  { provider, entry }: Pick<Target, "provider" | "entry">,
  figures: readonly (ImpossibleFigure | Unit)[],
  reported: Readonly<Record<string, number | undefined>>,
): void {
  for (const figure of figures) watch?.impossible?.({ provider: provider.id, figure });
  services.log.warn(
    { request, generation, provider: provider.id, name: entry.name, figures, reported },
    "provider reports impossible usage",
  );
}

/**
 * Adds headers that identify the service, if the provider needs more than a fixed key. They are only sent to the
 * provider's own host.
 */
async function identified(
  { services, id: request }: Context<"log">,
  { id: provider, identity, origin }: Provider,
  call: UpstreamRequest,
): Promise<UpstreamRequest> {
  if (!identity || call.origin !== origin) return call;
  try {
    return { ...call, headers: { ...call.headers, ...(await identity.headers(call)) } };
  } catch (error) {
    if (error instanceof UpstreamFault)
      services.log.error({ request, provider, ...errorFields(error.cause) }, "provider token not issued");
    throw error;
  }
}

/** Calls a provider, observed by the request's watch. */
export async function send(
  context: Context<"log" | "transport">,
  { provider, entry, protocol, credential }: Target,
  call: UpstreamRequest,
  { operation = "chat", stream = false }: Partial<Pick<ObservedAttempt, "operation" | "stream">> = {},
): Promise<UpstreamResponse> {
  const { services, watch, id: request } = context;
  const { id, origin } = provider;
  const made = provider.identity ? await identified(context, provider, call) : call;
  const attempt = watch?.attempt?.({ operation, provider: id, origin, name: entry.name, protocol, stream });
  let response: UpstreamResponse;
  try {
    const { headers } = attempt ?? {};
    const observed = headers ? { ...made, headers: { ...made.headers, ...headers } } : made;
    response = await services.transport.send(observed);
  } catch (error) {
    attempt?.failed?.(error instanceof UpstreamFault ? error.kind : "defect");
    throw error;
  }
  const { status } = response;
  attempt?.answered?.(status);
  if (DENIALS.has(status))
    logDenial(services.log, status, {
      request,
      provider: id,
      name: entry.name,
      ...(credential && { credential: credential.name }),
    });
  if (status === 401) provider.identity?.refused();
  return response;
}
