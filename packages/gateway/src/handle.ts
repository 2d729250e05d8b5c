import { authenticate, operatorCredential, operatorOf } from "./access.ts";
import { refusedOperator } from "./account/sign-in.ts";
import { createContext } from "./context.ts";
import { withoutProviders } from "./generation/explain.ts";
import { networkOf } from "./http/caller-address.ts";
import type { RefusalCode } from "./http/codes.ts";
import type { Watch as BodyWatch, Exchange } from "./http/exchange.ts";
import { Refusal } from "./http/refusal.ts";
import { refuse, write } from "./http/reply.ts";
import { refuseTooMany } from "./http/unauthenticated.ts";
import { withIdempotency } from "./idempotency.ts";
import { readInput } from "./input.ts";
import { requestIdOf } from "./observe/request-id.ts";
import { decodeParams, type Rows, refuseCrooked } from "./paths.ts";
import type { Answer, Context } from "./ports/context.ts";
import type { Services } from "./ports/services.ts";
import { apartOf, openFlight } from "./receive.ts";
import { isAdmitted } from "./recheck.ts";
import { narrow } from "./restrictions/scope.ts";
import type { Route, Surface } from "./route.ts";
import { readRequestOptions } from "./routing/losses.ts";
import { type Opens, openSocket } from "./socket/open.ts";

/** The router's findings for a request. */
export interface Found {
  surface: Surface;
  rows: Rows;
  /** The parameters as they came. */
  params: Record<string, string>;
  services: Services;
}

/** One request, from its route to its log line. */
export async function handle(exchange: Exchange, found: Found): Promise<void> {
  const { surface, rows, services } = found;
  const started = services.now();
  const id = requestIdOf(exchange.header("x-request-id"), services.id);
  // An answer belongs to its caller: caches keep only answers that say otherwise themselves.
  const named = surface.requestHeader === undefined ? {} : { [surface.requestHeader]: id };
  const crossed = services.cors.headers(exchange);
  exchange.sink.stamp = { "x-request-id": id, ...named, "cache-control": "no-store", ...crossed };
  const { route, params, wrong } = choose(exchange, found);
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
  const context = createContext({ id, exchange, services, params, started, watch, surface: name, codec });
  let code: RefusalCode | undefined;
  const respond = async (): Promise<void> => {
    try {
      if (!route) {
        refuseTooMany(exchange);
        throw wrong;
      }
      await answer(context, found, route);
    } catch (error) {
      await context.place?.end();
      const { generation } = context;
      code = refuse(exchange, error, { codec, now: services.now(), log: services.log, id, generation });
    } finally {
      context.flight?.end();
      context.body?.release();
    }
  };
  // A stop waits for what came before it, also where its client has left: it is settled yet. What comes after is
  // turned away, and must not keep the stop from ending.
  await (route?.always || services.stopping() ? respond() : services.track(respond()));
  const { status } = exchange.sink;
  watch?.ended?.(status);
  if (route?.quiet) return;
  const fields = {
    request: id,
    method: exchange.method,
    route: path,
    status,
    ms: services.now() - started,
    account: context.caller?.accountId,
    key: context.caller?.keyId,
    generation: context.generation,
    socket: exchange.socket,
    code,
    ...context.trace?.summary(),
  };
  const write = (): void => services.log.info(fields, "request");
  const address = isAnybodys(status, route, code) ? services.addressOf(exchange) : undefined;
  if (address === undefined) write();
  else services.refusalLog.note(networkOf(address), String(code), write);
}

/** Checks whether the answer is a refusal that takes no credential: anybody can fill the log with those. */
const isAnybodys = (status: number, route: Route | undefined, code: RefusalCode | undefined): boolean =>
  status >= 400 &&
  status < 500 &&
  (status === 401 || code === "too_many_requests_from_address" || !route || route.access === "open");

type Chosen = { params: Record<string, string>; route?: Route; wrong?: unknown };

function choose(exchange: Exchange, { rows, params: raw }: Found): Chosen {
  try {
    refuseCrooked(exchange.path);
    const params = decodeParams(raw);
    return { params, route: rows.choose(params, exchange.path) };
  } catch (wrong) {
    return { params: {}, wrong };
  }
}

/** State of the service, credentials, schemas, handler, in this order. */
async function answer(context: Context, found: Found, route: Route): Promise<void> {
  const { exchange, services } = context;
  if (services.stopping() && !route.always)
    throw new Refusal("shutting_down", "The service is shutting down.", {
      headers: { "retry-after": "1", connection: "close" },
    });
  await admit(context, found.surface, route);
  if (context.caller?.restrictions) narrow(context, found.surface);
  if (route.generates && context.caller) context.watch?.admitted?.(context.caller);
  if (route.generates || route.rated)
    context.place = await context.services.places.enter(context, found.surface);
  if (route.body) context.flight = await openFlight(context, route);
  const count: BodyWatch = (piece) => context.flight?.add(piece.length);
  const input = await readInput(exchange, route, context.params, count, apartOf(context));
  const run = () => discovering(context.services, async () => route.handler(context, input));
  context.options = readRequestOptions(
    exchange,
    found.surface.codec,
    route.generates ? input.json : undefined,
  );
  const explain = route.generates && context.options.explain;
  if (explain && !route.explains)
    throw new Refusal("explain_not_supported", "x-explain: not supported by this route.", {
      param: "x-explain",
    });
  if (route.opens) return openSocket(context, opensOf(found, route.opens));
  const done = await (explain
    ? explained(context, run)
    : route.generates
      ? withIdempotency(context, input.json, run)
      : run());
  // A client that has its answer may send the next request.
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
 * Lets the caller in, or throws. Wrong credentials of operators are counted; what is missing is no attempt. A request
 * without a valid credential counts for its address: the others have the limits of their key.
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

/** Sockets outlive the request that opened them: what runs on them is served and watched for itself. */
const opensOf = (found: Found, opens: NonNullable<Route["opens"]>): Opens => ({
  ...opens,
  services: found.services,
  run: (exchange, route) =>
    handle(exchange, { ...found, rows: { path: route.path, choose: () => route }, params: {} }),
  isAdmitted: (opening) => isAdmitted(opening, found.services, opens.route, found.surface.credentials),
});

/** Does the work of a request, and once more where it names a model that is found only then. */
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
