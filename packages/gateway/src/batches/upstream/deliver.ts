import { UpstreamBody, type UpstreamResponse } from "@manifold-gateway/providers";
import type { CircuitBreakers } from "@manifold-gateway/providers/routing";
import type { LineUpstream, UpstreamBatch } from "@manifold-gateway/store";
import { openGeneration } from "../../generation/generation.ts";
import type { TextService } from "../../generation/services.ts";
import { createKeyLimits } from "../../limits/key-limits.ts";
import type { Context } from "../../ports/context.ts";
import type { Deferral } from "../../ports/deferral.ts";
import type { Services } from "../../ports/services.ts";
import { createRouting } from "../../routing/routing.ts";
import type { PlannedText } from "../../text/plan-text.ts";
import { replyText } from "../../text/reply.ts";
import type { BatchDeps } from "../deps.ts";
import { LineMoney } from "../line-money.ts";
import { endLine, type LineContext, type LineRun, readBody } from "../run-line.ts";
import { sendLine } from "../send-line.ts";
import { catalogOf, storedTerms, type UpstreamTarget } from "./terms.ts";
import type { RemoteResult } from "./wires/index.ts";

/**
 * Circuit breakers that are always closed: an open circuit must not keep a line from the answer that it already has.
 */
const closed: CircuitBreakers = {
  of: () => undefined,
  isOpen: () => false,
  all: () => new Map(),
  enter: () => true,
  answered() {},
  completed() {},
  failed() {},
  inconclusive() {},
  cool() {},
  reset() {},
};

/**
 * The services for delivering the answers of an upstream batch: limits, guards and circuits applied when the lines were
 * sent, and do not apply again.
 */
export function deliveryServices(
  { store, clock }: Pick<BatchDeps, "store" | "clock">,
  upstream: UpstreamBatch,
): Partial<Services> {
  const catalog = catalogOf(storedTerms(upstream));
  return {
    ...{ catalog, wholeCatalog: catalog, answers: undefined, guards: [] },
    routing: { ...createRouting({ learnFromRefusals: false }, clock.now), breakers: closed },
    keyLimits: createKeyLimits(store, Number.POSITIVE_INFINITY),
  };
}

/** A result as the response to a single request. */
function responseOf({ status, body: text }: NonNullable<RemoteResult["answer"]>): UpstreamResponse {
  const body = new UpstreamBody();
  body.push(Buffer.from(text));
  body.finish();
  return { status, headers: { "content-type": "application/json" }, body };
}

/** A deferral that answers a request with its result in an upstream batch. */
function answering(
  { credential }: Pick<UpstreamTarget, "credential">,
  answer: NonNullable<RemoteResult["answer"]>,
): Deferral & { isReached: boolean } {
  const deferral = {
    isReached: false,
    async answer(context: Context<TextService>, planned: PlannedText) {
      const held = await openGeneration(context, planned);
      deferral.isReached = true;
      const plan = held.queue.first();
      const { resolution } = plan;
      held.trace.attempts.push({
        ...{ entry: resolution.id, provider: resolution.provider.id, status: answer.status, ms: 0 },
        ...(credential && { credential: credential.name }),
      });
      try {
        return await replyText(
          context,
          { ...held, plan, credential, response: responseOf(answer) },
          undefined,
        );
      } finally {
        await held.generation.abandon();
        held.calls.close();
      }
    },
  };
  return deferral;
}

/** A result, its line and its upstream batch. */
interface Delivery {
  upstream: UpstreamBatch;
  target: UpstreamTarget;
  services: Partial<Services>;
  line: LineUpstream;
  answer: NonNullable<RemoteResult["answer"]>;
}

/**
 * Delivers a result to its line as if the provider had answered a single request: the same code reads, charges and
 * stores it. After a temporary error the line is given back, to be run alone.
 */
export async function deliver(
  context: LineContext,
  { upstream, target, services, line, answer }: Delivery,
): Promise<LineRun> {
  const { deps, batch, ref } = context;
  const { number, generation } = line;
  const money = new LineMoney(deps, ref, number, generation);
  const deferral = answering(target, answer);
  const { accountId, keyId } = batch;
  const reply = await sendLine(deps, batch, {
    ...{ number, money, body: await readBody(context, line) },
    // The restrictions of the key were checked when the line was sent.
    caller: () => Promise.resolve({ accountId, keyId }),
    exchanged: { ...services, deferral, id: () => generation },
  });
  return endLine(context, {
    ...{ number, money, reply, isLast: false },
    began: upstream.createdAt,
    ...{ remoteId: upstream.remoteId, isReached: deferral.isReached },
  });
}
