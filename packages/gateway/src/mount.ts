import type { IncomingMessage, ServerResponse } from "node:http";
import { H3, type H3Event } from "h3";
import { authenticate } from "./access.ts";
import type { Context } from "./context.ts";
import type { Exchange } from "./http/exchange.ts";
import { nodeExchange } from "./http/node.ts";
import { Refusal } from "./http/refusal.ts";
import { refuse, write } from "./http/reply.ts";
import { webExchange } from "./http/web.ts";
import { readInput } from "./input.ts";
import { decodeParams, doubledVersion, type Rows, toRows } from "./paths.ts";
import type { Surface } from "./route.ts";
import type { Services } from "./services.ts";

/** What a handler returns to h3 once the node response has been written by itself. */
const HANDLED = Symbol.for("h3.handled");

/** The h3 app of a list of surfaces. Everything else is a 404 in the envelope. */
export function mount(surfaces: readonly Surface[], services: Services): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true });
  for (const surface of surfaces) {
    for (const rows of toRows(surface.routes)) {
      app.on(rows.method, `${surface.prefix}${rows.path}`, (event) =>
        serve(event, services, (exchange) =>
          handle(exchange, surface, rows, event.context.params ?? {}, services),
        ),
      );
    }
  }
  app.all("/**", (event) => serve(event, services, (exchange) => missing(exchange, surfaces, services)));
  return app;
}

/** Runs one exchange on the face that the runtime gives: the node pair where there is one. */
function serve(event: H3Event, services: Services, run: (exchange: Exchange) => Promise<void>): unknown {
  const node = event.runtime?.node as { req?: IncomingMessage; res?: ServerResponse } | undefined;
  if (node?.req && node.res) {
    const done = run(nodeExchange(node.req, node.res, services.limits.stall));
    return done.then(() => HANDLED);
  }
  const exchange = webExchange(event.req, services.limits.stall);
  run(exchange).catch((error) => {
    services.log.error({ error: String(error) }, "an exchange ended unexpectedly");
    exchange.sink.abort();
  });
  return exchange.response;
}

/** One request: route, credentials, schemas, handler, in this order. */
async function handle(
  exchange: Exchange,
  surface: Surface,
  rows: Rows,
  raw: Record<string, string>,
  services: Services,
): Promise<void> {
  const started = services.now();
  let path = rows.path;
  let context: Context | undefined;
  try {
    if (services.stopping())
      throw new Refusal(503, "The service is shutting down.", {
        headers: { "retry-after": "1", connection: "close" },
      });
    const params = decodeParams(raw);
    const route = rows.choose(params, exchange.path);
    path = route.path;
    const caller = await authenticate(exchange, services.access, route.access, surface.credentials);
    context = {
      exchange,
      services,
      caller,
      params,
      started,
      ...(surface.codec && { codec: surface.codec }),
    } as Context;
    const answer = await route.handler(context, await readInput(exchange, route, params));
    if (answer) write(exchange, { status: route.statuses?.[0] ?? 200, ...answer });
  } catch (error) {
    refuse(exchange, error, { codec: surface.codec, now: services.now(), log: services.log });
  }
  services.log.info(
    {
      method: exchange.method,
      route: surface.prefix + path,
      status: exchange.sink.status,
      ms: services.now() - started,
      account: context?.caller?.accountId,
      key: context?.caller?.keyId,
      generation: context?.generation,
    },
    "request",
  );
}

async function missing(exchange: Exchange, surfaces: readonly Surface[], services: Services): Promise<void> {
  const surface = surfaces.find(({ prefix }) => exchange.path.startsWith(`${prefix}/`));
  const headers: Record<string, string> =
    exchange.method === "GET" || exchange.method === "HEAD" ? {} : { connection: "close" };
  const refusal = new Refusal(
    404,
    `There is no ${exchange.method} route at this path.${doubledVersion(exchange.path)}`,
    { headers },
  );
  refuse(exchange, refusal, { codec: surface?.codec, now: services.now(), log: services.log });
}
