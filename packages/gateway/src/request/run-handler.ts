import { operatorOf } from "../access/authenticate.ts";
import { withoutProviders } from "../generation/explain.ts";
import { checkRequest } from "../guards/check-body.ts";
import { Refusal } from "../http/refusal.ts";
import type { Answer } from "../ports/context.ts";
import { withIdempotency } from "./idempotency.ts";
import { isCalled, type RunningRequest } from "./running-request.ts";

/** Runs the handler of a request's route: what costs once for each idempotency key, unless it is only explained. */
export function runHandler(request: RunningRequest): Promise<Answer | undefined> {
  const { exchange, route, options } = request;
  if (!route.generates && route.begins === undefined) return runDiscovering(request);
  if (route.generates && options.explain) return runExplained(request);
  const name = exchange.header("idempotency-key");
  return name !== undefined && isCalled(request)
    ? withIdempotency(request, name, runDiscovering)
    : runDiscovering(request);
}

async function runExplained(request: RunningRequest): Promise<Answer | undefined> {
  const { exchange, services } = request;
  const done = await runDiscovering(request);
  const isOperator = (await operatorOf(exchange, services.access)) !== undefined;
  return done && !isOperator ? withoutProviders(done) : done;
}

const isGuarded = (request: RunningRequest): request is Parameters<typeof checkRequest>[0] =>
  (request.route.generates ?? request.route.rated) === true && !request.options.explain && isCalled(request);

/** Runs the handler, and once more if its model was unknown and is found by discovery. */
async function runDiscovering(request: RunningRequest): Promise<Answer | undefined> {
  if (request.services.guards.length > 0 && isGuarded(request)) await checkRequest(request);
  const { route, input } = request;
  const { catalog, discover } = request.services;
  const known = catalog.list();
  try {
    return await route.handler(request, input);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "model_not_found") throw error;
    await discover?.();
    if (catalog.list() === known) throw error;
    return route.handler(request, input);
  }
}
