import type { IncomingMessage, ServerResponse } from "node:http";
import { StoreUnavailable } from "@manifold/store";
import { H3, type H3Event } from "h3";
import { authenticate } from "./access.ts";
import type { Answer, Context } from "./context.ts";
import type { Exchange } from "./http/exchange.ts";
import { nodeExchange } from "./http/node.ts";
import { envelope, Refusal } from "./http/refusal.ts";
import { webExchange } from "./http/web.ts";
import type { Route, Surface } from "./route.ts";
import type { Services } from "./services.ts";

/** What a handler returns to h3 once the node response has been written by itself. */
const HANDLED = Symbol.for("h3.handled");

/** The h3 app of a list of surfaces. Everything else is a 404 in the envelope. */
export function mount(surfaces: readonly Surface[], services: Services): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true });
  for (const surface of surfaces) {
    for (const route of surface.routes) {
      app.on(route.method, `${surface.prefix}${route.path}`, (event) =>
        serve(event, services, (exchange) =>
          handle(exchange, surface, route, event.context.params ?? {}, services),
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

async function handle(
  exchange: Exchange,
  surface: Surface,
  route: Route,
  raw: Record<string, string>,
  services: Services,
): Promise<void> {
  const started = services.now();
  let context: Context | undefined;
  try {
    if (services.stopping())
      throw new Refusal(503, "The service is shutting down.", {
        headers: { "retry-after": "1", connection: "close" },
      });
    const caller = await authenticate(exchange, services.access, route.access, surface.credentials);
    context = {
      exchange,
      services,
      caller,
      params: decodeParams(raw),
      started,
      ...(surface.codec && { codec: surface.codec }),
    } as Context;
    const answer = await route.handler(context);
    if (answer) write(exchange, answer);
  } catch (error) {
    refuse(exchange, surface, services, error);
  }
  services.log.info(
    {
      method: route.method,
      route: surface.prefix + route.path,
      status: exchange.sink.status,
      ms: services.now() - started,
      account: context?.caller?.accountId,
      key: context?.caller?.keyId,
      generation: context?.generation,
    },
    "request",
  );
}

/** Path parameters come percent-encoded; they are decoded once, and what hides another layer is refused. */
function decodeParams(raw: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    let text = value;
    try {
      text = decodeURIComponent(value);
    } catch {
      throw new Refusal(400, "The path is not correctly percent-encoded.");
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    if (/[\x00-\x1f\x7f]|%[0-9a-f]{2}|(^|\/)\.{1,2}(\/|$)/i.test(text) || text.length > 512)
      throw new Refusal(400, "The path holds characters that are not accepted.");
    params[name] = text;
  }
  return params;
}

function write(exchange: Exchange, { status = 200, headers = {}, body }: Answer): void {
  const bare = body === undefined || exchange.method === "HEAD";
  if (bare) {
    exchange.sink.head(status, headers);
    exchange.sink.end();
    return;
  }
  const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const length = String(typeof text === "string" ? Buffer.byteLength(text) : text.byteLength);
  exchange.sink.head(status, { "content-type": "application/json", "content-length": length, ...headers });
  exchange.sink.end(text);
}

function refuse(exchange: Exchange, surface: Surface | undefined, services: Services, error: unknown): void {
  const { sink } = exchange;
  const refusal = toRefusal(error);
  if (refusal.status === 500)
    services.log.error({ error: error instanceof Error ? error.stack : String(error) }, "defect");
  if (sink.started) {
    sink.abort();
    return;
  }
  const body = envelope(refusal, exchange.path, services.now(), surface?.codec);
  write(exchange, { status: refusal.status, headers: refusal.options.headers ?? {}, body });
}

async function missing(exchange: Exchange, surfaces: readonly Surface[], services: Services): Promise<void> {
  const surface = surfaces.find(({ prefix }) => exchange.path.startsWith(`${prefix}/`));
  const doubled = /\/(v1beta|v1)\/(v1beta|v1)\//.exec(exchange.path);
  const hint = doubled
    ? ` The version stands twice in the path: leave '/${doubled[1]}' out of the base URL, the SDK adds '/${doubled[2]}' itself.`
    : "";
  const headers: Record<string, string> =
    exchange.method === "GET" || exchange.method === "HEAD" ? {} : { connection: "close" };
  refuse(
    exchange,
    surface,
    services,
    new Refusal(404, `There is no ${exchange.method} route at this path.${hint}`, { headers }),
  );
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreUnavailable)
    return new Refusal(503, "The service cannot reach its database.", { headers: { "retry-after": "1" } });
  return new Refusal(500, "Internal error.");
}
