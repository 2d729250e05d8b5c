import { isAdmitted } from "../access/recheck.ts";
import type { RefusalCode } from "../http/codes.ts";
import type { Exchange } from "../http/exchange.ts";
import { refuse, write } from "../http/reply.ts";
import { withDelay } from "../http/report-delay.ts";
import type { Services } from "../ports/services.ts";
import type { Route } from "../route.ts";
import { openSocket } from "../socket/open.ts";
import { admit, identify } from "./admit.ts";
import { begin } from "./begin.ts";
import { logRequest } from "./log-request.ts";
import { noteRefusal } from "./note-refusal.ts";
import { noParams } from "./paths.ts";
import { receive } from "./receive.ts";
import { runHandler } from "./run-handler.ts";
import { isCalled, type RouteMatch, type RunningRequest } from "./running-request.ts";

/**
 * Takes a request through its stages, from its matched route to its log line. They return a promise only if they wait.
 *
 * Requests that arrive together go through them together. `await undefined`, here and in the stages of a generation, lets
 * the others catch up: then one piece of code runs for all of them in a row while the processor has it at hand, which
 * takes two thirds of the CPU that each takes alone (docs/performance.md).
 */
export async function handle(exchange: Exchange, match: RouteMatch, services: Services): Promise<void> {
  const request = begin(exchange, match, services);
  const { route } = request;
  // A stop waits for all running requests: those whose clients have left must still settle. Requests after the stop
  // began are refused and not waited for, or it would never end.
  const isCounted = !route.always && !services.stopping();
  if (isCounted) services.begun();
  let code: RefusalCode | undefined;
  try {
    const ready = exchange.ready?.();
    if (ready) await ready;
    const identifying = identify(request);
    if (identifying) await identifying;
    const admitting = admit(request);
    if (admitting) await admitting;
    await receive(request);
    const whole =
      route.opens && isCalled(request) ? await open(request, route.opens) : await runHandler(request);
    // Frees the slot first: a client with a whole answer may send its next request at once.
    const ending = request.slot?.end();
    if (ending) await ending;
    await undefined;
    // Handlers that stream have sent their answer.
    if (whole) write(exchange, route.mayLag ? withDelay(whole, services.store) : whole, route.statuses?.[0]);
  } catch (error) {
    await request.slot?.end();
    const { id, surface, progress } = request;
    const { generation } = progress;
    const { log } = services;
    const refusal = refuse(exchange, error, {
      ...{ id, generation, codec: surface.codec, now: services.now(), log },
    });
    code = refusal.code;
    noteRefusal(request, refusal);
  } finally {
    request.bodyUse?.end();
    request.progress.body?.release();
    if (isCounted) services.ended();
  }
  request.watch?.ended?.(exchange.sink.status);
  if (!route.quiet) logRequest(request, code);
}

/** Sockets outlive the requests that opened them, so each message is handled and observed as a request of its own. */
async function open(
  request: Parameters<typeof openSocket>[0] & RunningRequest,
  opens: NonNullable<Route["opens"]>,
): Promise<undefined> {
  const { services, surface } = request;
  await openSocket(request, {
    ...opens,
    services,
    run: (exchange, route) => {
      const path = surface.prefix + route.path;
      return handle(exchange, { surface, route, path, params: noParams, refusal: undefined }, services);
    },
    isAdmitted: (opening) => isAdmitted(opening, services, opens.route, surface.credentials),
  });
}
