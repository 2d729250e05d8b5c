import type { Price } from "@manifold-gateway/store";
import { amountOf } from "../billing/amounts.ts";
import type { JsonBody } from "../http/json-body.ts";
import { refuseAddresses } from "../http/refuse-addresses.ts";
import { storableText } from "../http/storable-body.ts";
import type { Opening } from "../ports/billing.ts";
import type { Context } from "../ports/context.ts";
import type { CredentialChoice } from "../ports/routing.ts";
import type { Candidate } from "../routing/candidate.ts";
import { type Queue, queueOf } from "../routing/queue.ts";
import type { Sent } from "../routing/record.ts";
import { endStage, type RequestTrace } from "../routing/request-trace.ts";
import type { RoutePlan } from "../routing/route.ts";
import { inputEstimate } from "./token-estimate.ts";

/** Everything that is known of a generation before anything is held, called or stored. */
export interface Prepared<Of, Entry = Candidate> {
  queue: Queue<Of, Entry>;
  opening: Omit<Opening, "id">;
  /** The least usage, if that is known. */
  least?(): Opening["usage"];
  /** The key under which the conversation's entry is remembered; `undefined` while there was no choice. */
  conversation?(): string | undefined;
  /** The credentials for a plan, if its provider has several. */
  credentials?(plan: Of): CredentialChoice | undefined;
}

/** The hold for the request at one entry. */
export interface Held {
  usage: Opening["usage"];
  price: Price;
}

interface Preparation<Of> {
  ask: { body: JsonBody; model: string; codec: Parameters<typeof refuseAddresses>[1]["codec"] };
  route: RoutePlan;
  /** Plans the request for an entry. Throws a refusal if the entry cannot serve it. */
  plan(candidate: Candidate): Of;
  /** Computes the hold at each entry, given the first plan. */
  held(first: Of): (candidate: Candidate) => Held;
  /** The entry that serves the conversation is remembered. */
  isConversation?: true;
}

/** Plans a request for the first entry that takes it, and computes the hold. Throws a 400 if no entry takes it. */
export function prepareGeneration<Of extends Sent & { resolution: Candidate }>(
  { services, caller }: Context,
  trace: RequestTrace,
  { ask, route, plan, held, isConversation }: Preparation<Of>,
): Prepared<Of> {
  const queue = queueOf(route, plan, services.routing.maxAttempts);
  trace.queue = queue;
  refuseAddresses(services, ask);
  const first = queue.first();
  trace.plan = first;
  endStage(trace, "plan");
  const heldAt = held(first);
  const hold = heldAt(first.resolution);
  const amountAt = (candidate: Candidate): number =>
    amountOf(candidate === first.resolution ? hold : heldAt(candidate));
  return {
    queue,
    ...(isConversation && { conversation: route.conversation }),
    credentials: ({ resolution }) => route.credentials(resolution),
    least: () => ({ input: inputEstimate(ask.body), output: 0 }),
    opening: {
      caller,
      modality: "text",
      model: route.model.id,
      request: storableText(ask.body),
      ...hold,
      // The hold covers the most expensive entry, since a fallback may serve the request.
      amount: Math.max(...queue.within().map(amountAt)),
    },
  };
}
