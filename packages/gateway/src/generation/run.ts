import type { Credential, UpstreamResponse } from "@manifold-gateway/providers";
import type { Price } from "@manifold-gateway/store";
import { isLeft, watchLeaving } from "../http/client-left.ts";
import { faultRefusal } from "../http/fault.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { Release } from "../ports/routing.ts";
import { attempt } from "../routing/attempts.ts";
import type { Candidate } from "../routing/candidate.ts";
import type { Sent } from "../routing/record.ts";
import { endStage, RequestTrace, traceHeaders } from "../routing/request-trace.ts";
import { type Begun, beginGeneration, withTraceHeaders } from "./begin.ts";
import { explain, type Foreseen } from "./explain.ts";
import type { Prepared } from "./prepare.ts";
import { type RefusedOptions, refused } from "./upstream-error.ts";

/** A request as it is sent to one entry. */
export interface Plan extends Sent {
  resolution: Candidate;
}

type Call = (
  signal: AbortSignal | undefined,
  credential: Credential | undefined,
) => Promise<UpstreamResponse>;

/** A generation that an entry answers while the caller waits. */
export interface Generation<Of> extends Pick<Begun, "id" | "checkpoint" | "settle"> {
  /** The plan for the entry that answered, and the price of that entry. */
  readonly plan: Of;
  /** The credential of the call, if the provider has several. */
  readonly credential: Credential | undefined;
  readonly price: Price;
  /** Settles the generation as failed and throws the error that the caller gets. */
  fail(error: unknown): Promise<never>;
  /** Settles the generation as failed and converts the provider's error to the caller's protocol. */
  refuse(response: UpstreamResponse): Promise<Answer>;
  /** Calls the same entry again: an answer is never mixed from several entries. */
  again(call: Call): Promise<UpstreamResponse>;
}

/** The steps in which operations differ, for generations that are answered while the caller waits. */
export interface Operation<Of extends Plan> {
  /** Counts against the key's limit of streams. */
  stream?: boolean;
  prepare(): Promise<Prepared<Of>>;
  /** Shows the request as it would be sent, for an explanation. */
  foresee(plan: Of): Foreseen;
  call(
    plan: Of,
    signal: AbortSignal | undefined,
    credential: Credential | undefined,
  ): Promise<UpstreamResponse>;
  /** The price of an entry's answer, if another entry than the hold's answers. */
  price(plan: Of): Price;
  /** The protocols of provider and caller, for errors, and the credentials to hide in them. */
  errors(plan: Of): Pick<RefusedOptions, "from" | "to" | "secrets" | "isForeign">;
  /** Settles the response, then answers with it. */
  answer(response: UpstreamResponse, generation: Generation<Of>): Promise<Answer | undefined>;
}

/** Creates the trace of a request, for its headers, its record and its log line. */
export function traceRequest(context: Context, model: string): RequestTrace {
  const trace = new RequestTrace(model, context.options.losses, context.services.steady);
  context.trace = trace;
  return trace;
}

/** Runs one generation from the checked request to its settlement, or explains it if only that is requested. */
export function runGeneration<Of extends Plan>(
  context: Context,
  trace: RequestTrace,
  operation: Operation<Of>,
): Promise<Answer | undefined> {
  if (context.options.explain) return explain(context, trace, operation.prepare, operation.foresee);
  const work = () => generate(context, trace, operation);
  return operation.stream ? context.services.streams.run(context.caller, work) : work();
}

/** Settles the generation exactly once, whatever happens after the hold. The answer ends only after that. */
async function generate<Of extends Plan>(
  context: Context,
  trace: RequestTrace,
  operation: Operation<Of>,
): Promise<Answer | undefined> {
  const { sink } = context.exchange;
  const leaving = watchLeaving(sink);
  let begun: Begun | undefined;
  let release: Release | undefined;
  try {
    const { services, caller } = context;
    const { queue, opening, conversation, credentials } = await operation.prepare();
    begun = await beginGeneration(context, trace, opening);
    const { id, checkpoint, settle } = begun;
    const options = {
      ...services.routing,
      account: caller.accountId,
      now: services.now,
      steady: services.steady,
    };
    const fail = async (error: unknown): Promise<never> => {
      await settle(isLeft(error, sink) ? "aborted" : "failed");
      throw faultRefusal(error, sink);
    };
    const call = (plan: Of, credential: Credential | undefined): Promise<UpstreamResponse> => {
      trace.plan = plan;
      trace.called = trace.steady();
      return operation.call(plan, leaving.signal(plan.resolution.provider), credential);
    };
    const planning = { first: queue.first, next: queue.next, ...(credentials && { credentials }) };
    const answered = await attempt(options, planning, call, trace.attempts).catch(fail);
    const { plan, credential, response } = answered;
    release = answered.release;
    endStage(trace, "upstream");
    const refuse = (response: UpstreamResponse): Promise<Answer> =>
      refused(response, {
        ...operation.errors(plan),
        limit: services.limits.answer,
        settle: () => settle("failed"),
        headers: () => traceHeaders(trace),
      });
    if (response.status >= 400) return await refuse(response);
    const remembered = conversation?.();
    if (remembered !== undefined)
      services.routing.affinity.set(remembered, {
        entry: plan.resolution.id,
        ...(credential && { credential: credential.name }),
      });
    return await operation.answer(response, {
      id,
      plan,
      credential,
      checkpoint,
      settle,
      fail,
      refuse,
      price: plan === queue.first() ? opening.price : operation.price(plan),
      async again(call) {
        release?.();
        const chosen = credential && { credentials: [credential], identity: () => id };
        const same = { first: () => plan, next: () => undefined, credentials: () => chosen };
        const send = () => call(leaving.signal(plan.resolution.provider), credential);
        const answered = await attempt(options, same, send, trace.attempts).catch(fail);
        release = answered.release;
        return answered.response;
      },
    });
  } catch (error) {
    await begun?.abandon();
    throw withTraceHeaders(error, trace);
  } finally {
    leaving.close();
    release?.();
  }
}
