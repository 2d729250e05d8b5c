import { refuseAddresses } from "../media/forwarded.ts";
import type { Opening } from "../ports/billing.ts";
import type { Context } from "../ports/context.ts";
import { type Queue, queueOf } from "../routing/queue.ts";
import { endStage, type RequestTrace } from "../routing/request-trace.ts";
import { findRoute, type RoutePlan } from "../routing/route.ts";
import { heldAmount, heldPrice, heldUsage } from "./hold.ts";
import type { Owned } from "./ids.ts";
import { refuseAmbiguous } from "./members.ts";
import type { Metered } from "./metered.ts";
import { type Plan, planner, type TextAsk } from "./plan.ts";
import { asksIn, readable, requestDecoder } from "./read.ts";
import { storableText } from "./storable.ts";
import { inputEstimate } from "./tokens.ts";

/** All that is known of a generation before anything is held, called or stored. */
export interface Prepared<Of = Plan> {
  route: RoutePlan;
  queue: Queue<Of>;
  opening: Omit<Opening, "id">;
  /** The least that it can use. */
  least(): Opening["usage"];
}

/** Finds the way of a text generation and what is sent on it; a 400 where there is none. */
export function prepareText(
  context: Context,
  ask: TextAsk,
  trace: RequestTrace,
  { metered, owned }: { metered: Metered; owned?: Owned | undefined },
): Prepared {
  const { services, caller } = context;
  refuseAmbiguous(ask.body, ask.codec.billing);
  const { catalog, providers, routing } = services;
  const read = requestDecoder(ask);
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
    asks: asksIn(read),
    params: () => readable(read)?.request.params ?? {},
  });
  const options = {
    catalog,
    losses: trace.policy,
    preferences: route.preferences,
    isOurs: (provider: string) => providers.has(provider),
    ...(owned && { owned }),
  };
  const plan = planner(ask, options, read);
  const queue = queueOf(route, (candidate) => plan(candidate), routing.maxAttempts);
  trace.queue = queue;
  refuseAddresses(services, ask);
  const first = queue.first();
  trace.plan = first;
  endStage(trace, "plan");
  const held = heldUsage({ facts: ask.codec.billing, body: ask.body, metered }, services);
  const { resolution } = first;
  return {
    route,
    queue,
    least: () => ({ input: inputEstimate(ask.body.brief), output: 0 }),
    opening: {
      caller,
      modality: "text",
      model: ask.model,
      request: storableText(ask.body),
      price: heldPrice(metered, resolution),
      usage: held(resolution),
      // One hold is enough for whichever of them comes to serve it.
      amount: Math.max(...queue.within().map((of) => heldAmount(of, held(of), metered))),
    },
  };
}
