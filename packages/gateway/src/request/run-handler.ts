import { operatorOf } from "../access/authenticate.ts";
import { withoutProviders } from "../generation/explain.ts";
import { Refusal } from "../http/refusal.ts";
import type { Answer } from "../ports/context.ts";
import { withIdempotency } from "./idempotency.ts";
import type { Received } from "./stages.ts";

/** Runs the handler of a request's route: a generation once for each idempotency key, unless it is only explained. */
export function runHandler(received: Received): Promise<Answer | undefined> {
  const { route, options } = received;
  if (!route.generates) return runDiscovering(received);
  return options.explain ? runExplained(received) : withIdempotency(received, runDiscovering);
}

async function runExplained(received: Received): Promise<Answer | undefined> {
  const { exchange, services } = received;
  const done = await runDiscovering(received);
  const isOperator = (await operatorOf(exchange, services.access)) !== undefined;
  return done && !isOperator ? withoutProviders(done) : done;
}

/** Runs the handler, and once more if its model was unknown and is found by discovery. */
async function runDiscovering(received: Received): Promise<Answer | undefined> {
  const { route, input } = received;
  const { catalog, discover } = received.services;
  const known = catalog.list();
  try {
    return await route.handler(received, input);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "model_not_found") throw error;
    await discover?.();
    if (catalog.list() === known) throw error;
    return route.handler(received, input);
  }
}
