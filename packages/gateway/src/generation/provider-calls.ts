import { isObject, parseBounded } from "@manifold-gateway/core/codec";
import {
  type Credential,
  type Provider,
  reframe,
  type UpstreamRequest,
  type UpstreamResponse,
  upstreamHeaders,
} from "@manifold-gateway/providers";
import { type Attempt, Attempts, type Sender } from "@manifold-gateway/providers/routing";
import { isLeft, type Leaving, watchLeaving } from "../http/client-left.ts";
import { faultRefusal } from "../http/fault.ts";
import { relayLimits } from "../http/vendor-limits.ts";
import { send } from "../observe/observed-call.ts";
import type { Context } from "../ports/context.ts";
import { endStage, type RequestTrace } from "../routing/request-trace.ts";
import type { Generation } from "./generation.ts";
import { noteError, readProviderError } from "./provider-error.ts";
import { restByBody } from "./rest-by-body.ts";
import type { Answered, Held, Plan } from "./stages.ts";

/** The services that calls to providers use. */
type CallService = "log" | "now" | "protocols" | "routing" | "steady" | "transport";

/** The calls to providers for one generation. Where that saves cost, they are cancelled once the client has left. */
export class ProviderCalls<Of extends Plan> implements Sender<Of> {
  readonly attempts: Attempts<Of>;
  readonly #context: Context<CallService>;
  readonly #trace: RequestTrace;
  #leaving: Leaving | undefined = undefined;

  constructor(context: Context<CallService>, trace: RequestTrace) {
    this.#context = context;
    this.#trace = trace;
    this.attempts = new Attempts(context.services, context.caller.accountId, this, trace.attempts);
  }

  /** Calls the entry of a plan, with one of its provider's credentials if there are several. */
  send(plan: Of, credential: Credential | undefined): Promise<UpstreamResponse> {
    const context = this.#context;
    this.#trace.plan = plan;
    this.#trace.called = this.#trace.steady();
    const { resolution, endpoint, body } = plan;
    const { provider, origin, path, operation, stream, framing } = endpoint;
    const header = (name: string): string | undefined => context.exchange.header(name);
    const headers = upstreamHeaders(provider, resolution.protocol, stream, header, credential);
    if (framing) headers.accept = framing.contentType;
    if (endpoint.headers) Object.assign(headers, endpoint.headers);
    const call: UpstreamRequest = {
      origin,
      path,
      method: "POST",
      headers,
      body,
      firstByte: provider.timeouts?.firstByte ?? endpoint.firstByte,
      idle: provider.timeouts?.idle,
      // Other providers bill a cancelled call too, so it goes on.
      signal: resolution.provider.drain === undefined ? undefined : this.#signal(resolution.provider),
    };
    const target = {
      provider: resolution.provider,
      entry: resolution.entry,
      protocol: resolution.protocol,
      credential,
    };
    const response = send(context, target, call, { operation, stream });
    return framing ? response.then((framed) => reframe(framed, framing)) : response;
  }

  /** Keeps the body of an error after which another call follows, if it can be read. */
  discarded(plan: Of, attempt: Attempt, bytes: Promise<Uint8Array>): void {
    const { services } = this.#context;
    const { failure } = services.protocols.codecs[plan.resolution.protocol];
    const at = this.#trace.attempts.indexOf(attempt);
    const read = bytes.then(
      (body) => {
        const value = parseBounded(new TextDecoder().decode(body));
        if (isObject(value)) restByBody(services, plan, failure.decode(attempt.status ?? 0, value));
        return readProviderError({ attempt: at, status: attempt.status, body }, plan.endpoint.provider);
      },
      () => undefined,
    );
    noteError(this.#trace, read);
  }

  /** Ends the call some time after the client has left, at providers that bill nothing for cancelled calls. */
  #signal(provider: Provider): AbortSignal | undefined {
    this.#leaving ??= watchLeaving(this.#context.exchange.sink);
    return this.#leaving.signal(provider);
  }

  /** Frees the provider's slot and stops watching the client, because the answer is over. */
  close(): void {
    this.#leaving?.close();
    this.attempts.close();
  }
}

/**
 * Calls the planned entries until one answers, with whatever status. If none does, settles the generation as failed and
 * throws the caller's error.
 */
export async function callProviders<Of extends Plan, Stage extends Held<Of>>(
  context: Context,
  held: Stage & Held<Of>,
): Promise<Stage & Answered<Of>> {
  const { calls, queue, route, trace, generation } = held;
  try {
    const { plan, credential, response } = await calls.attempts.call(queue, route.rules);
    endStage(trace, "upstream");
    if (!plan.translated) relayLimits(trace.vendorLimits, response.headers, context.exchange.sink);
    return { ...held, plan, credential, response };
  } catch (error) {
    throw await fail(context, generation, error);
  }
}

/** Sends another part of a request to the entry that answered: an answer is never mixed from several entries. */
export async function callAgain<Of extends Plan, Stage extends Answered<Of>>(
  context: Context,
  answered: Stage & Answered<Of>,
  plan: Of,
): Promise<Stage & Answered<Of>> {
  try {
    const { response } = await answered.calls.attempts.callAgain(answered, plan);
    return { ...answered, response };
  } catch (error) {
    throw await fail(context, answered.generation, error);
  }
}

/** Settles a generation that got no answer, and returns the error that the caller gets. */
export async function fail(
  { exchange: { sink } }: Pick<Context, "exchange">,
  generation: Generation,
  error: unknown,
): Promise<unknown> {
  const left = isLeft(error, sink);
  if (!left) generation.noteFault(error);
  await generation.settle(left ? "aborted" : "failed");
  return faultRefusal(error, sink);
}
