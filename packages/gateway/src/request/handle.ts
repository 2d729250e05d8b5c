import { authenticate, operatorCredential, operatorOf } from "../access/authenticate.ts";
import { isAdmitted } from "../access/recheck.ts";
import { narrow } from "../access/restrict.ts";
import { refusedOperator } from "../account/sign-in.ts";
import { withoutProviders } from "../generation/explain.ts";
import { networkOf } from "../http/caller-address.ts";
import type { RefusalCode } from "../http/codes.ts";
import type { Watch as BodyWatch, Exchange } from "../http/exchange.ts";
import { Refusal } from "../http/refusal.ts";
import { refuse, write } from "../http/reply.ts";
import { refuseTooMany } from "../http/unauthenticated.ts";
import { requestIdOf } from "../observe/request-id.ts";
import type { Answer, Context } from "../ports/context.ts";
import type { Services } from "../ports/services.ts";
import type { Route, Surface } from "../route.ts";
import { readRequestOptions } from "../routing/losses.ts";
import { type Opens, openSocket } from "../socket/open.ts";
import { createContext } from "./context.ts";
import { withIdempotency } from "./idempotency.ts";
import { deferOf, openFlight } from "./large-body.ts";
import { decodeParams, type Rows, refuseCrooked } from "./paths.ts";
import { readInput } from "./read-input.ts";

/** The router's result for a request: the surface, and the routes that have its path. */
export interface RouteMatch {
  surface: Surface;
  rows: Rows;
  /** The path parameters, not yet validated. */
  params: Record<string, string>;
  services: Services;
}

/** Serves a request from its matched route to its log line. */
export async function handle(exchange: Exchange, match: RouteMatch): Promise<void> {
  const { surface, rows, services } = match;
  const started = services.now();
  const began = services.steady();
  const id = requestIdOf(exchange.header("x-request-id"), services.id);
  // An answer is for its caller alone: caches store it only if its route says so.
  const named = surface.requestHeader === undefined ? {} : { [surface.requestHeader]: id };
  const crossed = services.cors.headers(exchange);
  exchange.sink.stamp = { "x-request-id": id, ...named, "cache-control": "no-store", ...crossed };
  const { route, params, wrong } = choose(exchange, match);
  const path = surface.prefix + (route ?? rows).path;
  const watch = services.observer?.started({
    id,
    surface: surface.name,
    method: exchange.method,
    route: path,
    header: (name) => exchange.header(name),
  });
  exchange.sink.watch = watch;
  const { name, codec } = surface;
  const context = createContext({
    id,
    exchange,
    services,
    params,
    started,
    began,
    watch,
    surface: name,
    codec,
  });
  let code: RefusalCode | undefined;
  const respond = async (): Promise<void> => {
    try {
      if (!route) {
        refuseTooMany(exchange);
        throw wrong;
      }
      await answer(context, match, route);
    } catch (error) {
      await context.place?.end();
      const { generation } = context;
      code = refuse(exchange, error, { codec, now: services.now(), log: services.log, id, generation });
    } finally {
      context.flight?.end();
      context.body?.release();
    }
  };
  // A stop waits for all running requests: those whose clients have left must still settle. Requests after the stop
  // began are refused and not waited for, or it would never end.
  await (route?.always || services.stopping() ? respond() : services.track(respond()));
  const { status } = exchange.sink;
  watch?.ended?.(status);
  if (route?.quiet) return;
  const fields = {
    request: id,
    method: exchange.method,
    route: path,
    status,
    ms: Math.round(services.steady() - began),
    account: context.caller?.accountId,
    key: context.caller?.keyId,
    generation: context.generation,
    socket: exchange.socket,
    code,
    ...context.trace?.summary(),
  };
  const write = (): void => services.log.info(fields, "request");
  const address = isAnonymous(status, route, code) ? services.addressOf(exchange) : undefined;
  if (address === undefined) write();
  else services.refusalLog.note(networkOf(address), String(code), write);
}

/** Checks whether the answer is a refusal that needs no credential: any client could fill the log with those. */
const isAnonymous = (status: number, route: Route | undefined, code: RefusalCode | undefined): boolean =>
  status >= 400 &&
  status < 500 &&
  (status === 401 || code === "too_many_requests_from_address" || !route || route.access === "open");

type RouteChoice = { params: Record<string, string>; route?: Route; wrong?: unknown };

function choose(exchange: Exchange, { rows, params: raw }: RouteMatch): RouteChoice {
  try {
    refuseCrooked(exchange.path);
    const params = decodeParams(raw);
    return { params, route: rows.choose(params, exchange.path) };
  } catch (wrong) {
    return { params: {}, wrong };
  }
}

/** Checks the service's state, the credential and the input, in this order, then calls the handler. */
async function answer(context: Context, match: RouteMatch, route: Route): Promise<void> {
  const { exchange, services } = context;
  if (services.stopping() && !route.always)
    throw new Refusal("shutting_down", "The service is shutting down.", {
      headers: { "retry-after": "1", connection: "close" },
    });
  await admit(context, match.surface, route);
  if (context.caller?.restrictions) narrow(context, match.surface);
  if (route.generates && context.caller) context.watch?.admitted?.(context.caller);
  if (route.generates || route.rated)
    context.place = await context.services.places.enter(context, match.surface);
  if (route.body) context.flight = await openFlight(context, route);
  const count: BodyWatch = (piece) => context.flight?.add(piece.length);
  const input = await readInput(exchange, route, context.params, {
    watch: count,
    defer: deferOf(context),
    protocols: context.services.protocols,
  });
  const run = () => discovering(context.services, async () => route.handler(context, input));
  context.options = readRequestOptions(
    exchange,
    match.surface.codec,
    route.generates ? input.json : undefined,
  );
  const explain = route.generates && context.options.explain;
  if (explain && !route.explains)
    throw new Refusal("explain_not_supported", "x-explain: not supported by this route.", {
      param: "x-explain",
    });
  if (route.opens) return openSocket(context, opensOf(match, route.opens));
  const done = await (explain
    ? explained(context, run)
    : route.generates
      ? withIdempotency(context, input.json, run)
      : run());
  // Frees the slot first: a client with a whole answer may send its next request at once.
  await context.place?.end();
  if (done) write(exchange, { status: route.statuses?.[0] ?? 200, ...done });
}

async function explained(
  { exchange, services }: Context,
  run: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const done = await run();
  const isOperator = (await operatorOf(exchange, services.access)) !== undefined;
  return done && !isOperator ? withoutProviders(done) : done;
}

/**
 * Authenticates the caller, or throws. A wrong operator credential counts as a failed sign-in, a missing one does
 * not. Requests without a valid credential are limited by their address, others by the limits of their key.
 */
async function admit(context: Context, surface: Surface, route: Route): Promise<void> {
  const { exchange, services } = context;
  try {
    Object.assign(context, await authenticate(exchange, services, route, surface.credentials));
  } catch (error) {
    if (route.access === "operator" && operatorCredential(exchange, route.bearer))
      await refusedOperator(context);
    if (error instanceof Refusal && error.status === 401) refuseTooMany(exchange);
    throw error;
  }
  if (route.access === "open") refuseTooMany(exchange);
}

/** Sockets outlive the requests that opened them, so each message is handled and observed as a request of its own. */
const opensOf = (match: RouteMatch, opens: NonNullable<Route["opens"]>): Opens => ({
  ...opens,
  services: match.services,
  run: (exchange, route) =>
    handle(exchange, { ...match, rows: { path: route.path, choose: () => route }, params: {} }),
  isAdmitted: (opening) => isAdmitted(opening, match.services, opens.route, match.surface.credentials),
});

/** Runs `work`, and once more if its model was unknown and is found by discovery. */
async function discovering<T>({ catalog, discover }: Services, work: () => Promise<T>): Promise<T> {
  const known = catalog.list();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "model_not_found") throw error;
    await discover?.();
    if (catalog.list() === known) throw error;
    return work();
  }
}
