import { likelyProtocol } from "@manifold-gateway/core/wire";
import { allParts } from "../all-parts.ts";
import { createClient } from "../client.ts";
import { ignoreErrors } from "../ignore-errors.ts";
import type { ClientOptions, ProviderSettings } from "../options.ts";
import { answerHeaders, failureResponse } from "../reply/failure.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Hooks } from "./hooks.ts";

/** Settings of `createHandler`: those of a client, and who may call. */
export interface HandlerOptions<
  Providers extends Record<string, ProviderSettings> = Record<string, ProviderSettings>,
  Models extends string = string,
> extends ClientOptions<Providers, Models> {
  /**
   * Decides whether a request is answered, by the key that its SDK sent in whichever header or parameter its protocol
   * has; `x-api-key` takes precedence, and a bearer comes last. Default: all are. A request that is refused gets
   * status 401.
   */
  authorize?(key: string | undefined, request: Request): boolean | Promise<boolean>;
  /** See and change requests and answers in their canonical form. */
  hooks?: Hooks;
  /** Gets errors of `authorize` and `hooks`, and defects; their callers get status 500. Default: `console.error`. */
  onError?(error: unknown): void;
}

/**
 * Makes a function that answers requests of any vendor's SDK, for a route of one's own: `POST` to paths that end as the
 * vendors' do (`…/chat/completions`, `…/responses`, `…/messages`, `…/models/{model}:generateContent`), and
 * `GET …/models`. What comes before in the path does not matter.
 *
 *     const handler = createHandler({
 *       models: { best: ["anthropic/claude-opus-4-7", "openai/gpt-6-sol"] },
 *       authorize: (key) => key === process.env.OUR_KEY,
 *     });
 *     app.all("/ai/*", (context) => handler(context.req.raw)); // Hono
 *
 * Without `authorize`, every caller of the route spends the providers' keys.
 */
export function createHandler<
  const Providers extends Record<string, ProviderSettings> = Record<never, ProviderSettings>,
  const Models extends string = string,
>(options: HandlerOptions<Providers, Models> = {}): (request: Request) => Promise<Response> {
  const { authorize, hooks, models = {}, onError = console.error } = options;
  const client = createClient(options, allParts);
  // Hooks and listings are loaded by handlers that need them, and not by a program that has only a fetch.
  const prepare =
    hooks &&
    (async (incoming: Incoming): Promise<Incoming> => {
      if (incoming.wire.operation !== "text") return incoming;
      const { withHooks } = await import("./hooks.ts");
      return withHooks(incoming, hooks, (error) => ignoreErrors(() => onError(error)));
    });

  return async (request) => {
    const { pathname } = new URL(request.url);
    const protocol = likelyProtocol(pathname, request.headers);
    const refuse = async (status: 401 | 404 | 500, code: string, message: string): Promise<Response> => {
      const kind = ({ 401: "authentication", 404: "not_found", 500: "server" } as const)[status];
      return failureResponse(
        (await allParts.codecs.caller(protocol)) ?? (await allParts.codecs.any()),
        { kind, status, code, message },
        crypto.randomUUID(),
      );
    };
    try {
      if (authorize && !(await authorize(keyOf(request), request)))
        return refuse(401, "unauthorized", "The key of this request is missing or not accepted.");
    } catch (error) {
      ignoreErrors(() => onError(error));
      return refuse(500, "internal", "The service failed while it checked the key.");
    }
    if (request.method !== "GET" && request.method !== "HEAD")
      return client.request(request, { prepare, onError });
    const { listModels } = await import("./listing.ts");
    const listing = listModels(pathname, protocol, models);
    if (!listing)
      return refuse(
        404,
        "path_not_found",
        `GET ${pathname}: there is only …/models, and …/models/{name} for the names of the option \`models\`.`,
      );
    return new Response(JSON.stringify(listing), {
      headers: answerHeaders(crypto.randomUUID(), "application/json"),
    });
  };
}

/** The key of a request, wherever its protocol has it. Tools that were signed in elsewhere may send their bearer too. */
const keyOf = ({ headers, url }: Request): string | undefined =>
  headers.get("x-api-key") ??
  headers.get("x-goog-api-key") ??
  new URL(url).searchParams.get("key") ??
  /^Bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
