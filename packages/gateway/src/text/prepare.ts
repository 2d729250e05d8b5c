import { type Prepared, prepareGeneration } from "../generation/prepare.ts";
import type { Context } from "../ports/context.ts";
import type { RequestTrace } from "../routing/request-trace.ts";
import { findRoute } from "../routing/route.ts";
import type { Metered } from "./billable-items.ts";
import { asksIn, readable, requestDecoder } from "./decode-request.ts";
import { heldPrice, heldUsage } from "./hold.ts";
import { type IdOwners, makerAt } from "./ids.ts";
import { refuseAmbiguous } from "./members.ts";
import { type Plan, planner, type TextAsk } from "./plan.ts";

/** Finds the route of a text generation and plans its requests; throws a refusal if there is none. */
export function prepareText(
  context: Context,
  ask: TextAsk,
  trace: RequestTrace,
  { metered, idOwners }: { metered: Metered; idOwners?: IdOwners | undefined },
): Prepared<Plan> {
  const { services, caller } = context;
  refuseAmbiguous(ask.body, ask.codec.billing);
  const { catalog, providers } = services;
  const read = requestDecoder(ask);
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
    asks: asksIn(read),
    params: () => readable(read)?.request.params ?? {},
    ...(idOwners && { maker: (provider) => makerAt(idOwners, provider) }),
  });
  const options = {
    catalog,
    losses: trace.policy,
    preferences: route.preferences,
    isOfService: (provider: string) => providers.has(provider),
    ...(idOwners && { idOwners }),
  };
  return prepareGeneration(context, trace, {
    ask,
    route,
    plan: planner(ask, options, read),
    held() {
      const usageAt = heldUsage({ facts: ask.codec.billing, body: ask.body, metered }, services);
      return (candidate) => ({ usage: usageAt(candidate), price: heldPrice(metered, candidate) });
    },
    isConversation: true,
  });
}
