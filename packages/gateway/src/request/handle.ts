import { isAdmitted } from "../access/recheck.ts";
import type { RefusalCode } from "../http/codes.ts";
import type { Exchange } from "../http/exchange.ts";
import { refuse, write } from "../http/reply.ts";
import type { Context } from "../ports/context.ts";
import type { Route } from "../route.ts";
import { openSocket } from "../socket/open.ts";
import { admit, identify } from "./admit.ts";
import { type Ended, logRequest } from "./log-request.ts";
import { matchRoute } from "./match-route.ts";
import { receive } from "./receive.ts";
import { runHandler } from "./run-handler.ts";
import type { Admitted, Identified, Matched, Received, RouteMatch } from "./stages.ts";

/** Serves a request from its matched route to its log line. */
export async function handle(exchange: Exchange, match: RouteMatch): Promise<void> {
  const matched = matchRoute(exchange, match);
  const { route, services, watch } = matched;
  const answering = answer(matched);
  // A stop waits for all running requests: those whose clients have left must still settle. Requests after the stop
  // began are refused and not waited for, or it would never end.
  const ended = await (route.always || services.stopping() ? answering : services.track(answering));
  watch?.ended?.(exchange.sink.status);
  if (!route.quiet) logRequest(matched, ended);
}

/** Takes a request through its stages, each of which returns a new object with all that is known by then. */
async function answer(matched: Matched): Promise<Ended> {
  const { id, exchange, services, surface } = matched;
  let identified: Identified | undefined;
  let admitted: Admitted | undefined;
  let received: Received | undefined;
  let code: RefusalCode | undefined;
  try {
    identified = await identify(matched);
    admitted = await admit(identified);
    received = await receive(admitted);
    const { caller, route, place } = received;
    const whole =
      caller && route.opens ? await open({ ...received, caller }, route.opens) : await runHandler(received);
    // Frees the slot first: a client with a whole answer may send its next request at once.
    await place?.end();
    // Handlers that stream have sent their answer.
    if (whole) write(exchange, { status: route.statuses?.[0] ?? 200, ...whole });
  } catch (error) {
    await admitted?.place?.end();
    const generation = received?.progress.generation;
    code = refuse(exchange, error, {
      ...{ id, generation, codec: surface.codec, now: services.now(), log: services.log },
    });
  } finally {
    received?.flight?.end();
    received?.progress.body?.release();
  }
  return { identified, received, code };
}

/** Sockets outlive the requests that opened them, so each message is handled and observed as a request of its own. */
async function open(received: Received & Context, opens: NonNullable<Route["opens"]>): Promise<undefined> {
  const { services, surface } = received;
  await openSocket(received, {
    ...opens,
    services,
    run: (exchange, route) =>
      handle(exchange, { surface, services, rows: { path: route.path, choose: () => route }, params: {} }),
    isAdmitted: (opening) => isAdmitted(opening, services, opens.route, surface.credentials),
  });
}
