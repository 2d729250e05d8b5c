import { codecs, type Params, type ParamTable, type Protocol, readParams } from "@manifold/core";
import { amountOf, type Opening } from "../billing.ts";
import type { Context } from "../context.ts";
import { refuseAddresses } from "../media/forwarded.ts";
import { type Queue, queueOf } from "../routing/queue.ts";
import { findRoute, type Route } from "../routing/route.ts";
import { mark, type Trail } from "../routing/trail.ts";
import { type Plan, planner, type TextAsk } from "./plan.ts";
import { storableText } from "./storable.ts";
import { inputBound, inputEstimate } from "./tokens.ts";

/** The output that is held for where the caller set no limit, in tokens, and the most that is held for. */
const OUTPUT_BOUND = 8_192;

/** All that is known of a generation before anything is held, called or stored. */
export interface Prepared<Of = Plan> {
  route: Route;
  queue: Queue<Of>;
  opening: Omit<Opening, "id">;
  /** The least that it can use. */
  least(): Opening["usage"];
}

/** Finds the way of a text generation and what is sent on it; a 400 where there is none. */
export function prepareText(context: Context, ask: TextAsk, trail: Trail): Prepared {
  const { services, caller } = context;
  const { catalog, providers, routing } = services;
  const route = findRoute(services, {
    model: ask.model,
    protocol: ask.codec.protocol,
    body: ask.body,
    account: caller.accountId,
  });
  trail.route = route;
  refuseAddresses(services, ask);
  const plan = planner(ask, {
    catalog,
    losses: trail.policy,
    preferences: route.preferences,
    isOurs: (provider) => providers.has(provider),
  });
  const queue = queueOf(route, (candidate) => plan(candidate));
  trail.plan = queue.first;
  mark(trail, "plan");
  const allowed = allowedOutput(ask);
  const input = inputBound(ask.body.brief);
  const uses = (of: Plan["resolution"]): Opening["usage"] => ({ input, output: outputBound(allowed, of) });
  const asks = route.candidates.slice(0, routing.most);
  const { price } = queue.first.resolution;
  const usage = uses(queue.first.resolution);
  return {
    route,
    queue,
    least: () => ({ input: inputEstimate(ask.body.brief), output: 0 }),
    opening: {
      caller,
      modality: "text",
      model: ask.model,
      request: storableText(ask.body),
      price,
      usage,
      // One hold is enough for whichever of them comes to serve it.
      ...(asks.length > 1 && {
        amount: Math.max(...asks.map((of) => amountOf({ usage: uses(of), price: of.price }))),
      }),
    },
  };
}

/** What a caller allows of output. */
type Allowed = Pick<Params, "maxTokens" | "candidates">;

/** Where each protocol says it. */
const outputRows = new Map<Protocol, ParamTable>(
  Object.values(codecs).map(({ protocol, params }) => [
    protocol,
    params.filter(({ name }) => name === "maxTokens" || name === "candidates"),
  ]),
);

/** Read where the caller's protocol has it, so that a body that is forwarded need not be understood. */
const allowedOutput = ({ codec, body }: TextAsk): Allowed =>
  readParams(outputRows.get(codec.protocol) ?? [], body.value);

function outputBound({ maxTokens, candidates }: Allowed, { entry, protocol }: Plan["resolution"]): number {
  const most = entry.traits?.maxOutput ?? entry.capabilities?.text?.maxOutputTokens ?? OUTPUT_BOUND;
  const each = maxTokens !== undefined && maxTokens > 0 ? maxTokens : most;
  // Each alternative may be as long, where upstream is asked for more than one.
  const isSeveral = outputRows.get(protocol)?.some(({ name }) => name === "candidates");
  const many = isSeveral ? Math.max(1, candidates ?? 1) : 1;
  // No limit is a whole number until upstream has said so.
  return Math.ceil(Math.min(each * many, OUTPUT_BOUND));
}
