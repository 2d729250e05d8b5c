import type { AnyCodec } from "@manifold-gateway/core";
import type { z } from "zod";
import type { BodyLimits } from "./http/body.ts";
import type { JsonBody } from "./http/json-body.ts";
import type { RateHeaders } from "./http/rate-headers.ts";
import type { Admits, CredentialPlace } from "./ports/access.ts";
import type { Answer, Context, OperatorContext, RequestContext } from "./ports/context.ts";
import type { ServiceName } from "./ports/services.ts";
import type { Upload } from "./uploads/upload.ts";

type Shape = z.ZodObject;
type Nothing = z.ZodObject<Record<never, never>>;

/** The contents of a request, validated by the schemas of its route. */
export interface Input<
  Params = Record<string, unknown>,
  Query = Record<string, unknown>,
  Body = unknown,
  Json = JsonBody,
> {
  /** Parameters of the path, by name. */
  params: Params;
  /** Parameters of the query, by name. */
  query: Query;
  /** The body as its schema returns it. */
  body: Body;
  /** The body as it arrived. Absent if the route has no `body`. */
  json: Json;
  /** The file of a multipart form, on routes that take one as `upload`. */
  upload?: Upload | undefined;
}

/** What a handler of a route receives beside the input: a caller or an operator, as the route admits them. */
export type ContextOf<Access extends Admits, Uses extends ServiceName = never> = Access extends "open"
  ? RequestContext<Uses>
  : Access extends "operator"
    ? OperatorContext<Uses>
    : Context<Uses>;

/** A sample request and a possible answer, both valid by the route's schemas. */
export interface Example {
  /** Values for the path's parameters. */
  params?: Record<string, string>;
  /** Values for the query. */
  query?: Record<string, string>;
  /** A valid body. */
  body?: unknown;
  /** A possible answer to it. */
  answer?: unknown;
}

/**
 * A route of a surface: its path, the callers that it admits, and its handler. Its schemas validate requests and make
 * the OpenAPI document.
 */
export interface Route<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
  Handled = RequestContext<ServiceName>,
  Json = JsonBody | undefined,
  Uses extends ServiceName = ServiceName,
> {
  /** The HTTP method. A `GET` answers `HEAD` too, unless the path has a route for it. */
  method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  /**
   * The path below the surface's prefix. `:name` is a segment, `**:name` the rest of the path, and `**:name:verb` the
   * rest of a path that ends in `:verb`.
   */
  path: string;
  /** The documented path, if the route accepts further spellings of it. */
  shown?: string;
  /** The callers that it admits. */
  access: Admits;
  /** The operator's credential may also be a bearer token, as metrics scrapers send it. */
  bearer?: true;
  /** The route's purpose, in a few words. */
  summary: string;
  /** Further documentation, in Markdown. */
  about?: string;
  /** The schema of the path's parameters. Default: any texts. */
  params?: Params;
  /** The schema of the query. Unknown parameters are ignored. */
  query?: Query;
  /** The schema of the JSON body. Without it, no body is read. */
  body?: Body;
  /** The content type must be JSON: another site's page can send any other type without a preflight request. */
  strictType?: true;
  /** A multipart form is accepted too. Its fields become members, with the contents of its files. */
  form?: true;
  /**
   * A multipart form with one file, `file`, is accepted, `only` or beside JSON. The file is not held in memory: its facts
   * are in the body, and its bytes in the input's `upload`.
   */
  upload?: "only" | "also";
  /** The fields of a form that are lists: their items may come without brackets. */
  lists?: ReadonlySet<string>;
  /**
   * The schema of a body that has to be translated, as opposed to one that is forwarded. Only documented, not
   * validated.
   */
  wire?: z.ZodType;
  /** The size limits of a body. Default: `smallBody`. */
  limits?: BodyLimits;
  /** The request is a generation: it runs once for each `Idempotency-Key`, and its answer has the generation's id. */
  generates?: true;
  /**
   * The request begins a batch, whose id has this prefix: once for each `Idempotency-Key`, from whose stored id the
   * batch's is made.
   */
  begins?: string;
  /**
   * The request becomes a WebSocket. Each message on it is a request of another route of the surface, in this
   * protocol. `warmUp` serves messages that ask for no output.
   */
  opens?: { route: Route; warmUp: Route; codec: AnyCodec };
  /** The request counts against the key's limits, as all generations do. */
  rated?: true;
  /** The request can be explained, with `x-explain`. */
  explains?: true;
  /** Lines of batches can name the route. */
  batched?: true;
  /** The route also answers while the service stops. */
  always?: true;
  /** Machines call the route often, so its requests are not logged. */
  quiet?: true;
  /** Its answer may come from a replica of the database, and then says how far that is behind. */
  mayLag?: true;
  /** The statuses of a success; the first is the default. Default: 200. */
  statuses?: readonly number[];
  /** The schema of a success's JSON body. */
  answer?: z.ZodType;
  /** Further content types of a success. */
  also?: Record<string, z.ZodType>;
  /** Samples by name, for the OpenAPI document. */
  examples?: Record<string, Example>;
  /** The services that the handler uses. It receives no others by its type. Default: none. */
  uses?: readonly Uses[];
  /** Answers the request; `undefined` if it has written the answer itself. */
  handler(
    context: Handled,
    input: Input<z.output<Params>, z.output<Query>, z.output<Body>, Json>,
  ): Promise<Answer | undefined> | Answer | undefined;
}

/** Defines a route whose handler gets the values that its schemas produce. */
export const defineRoute = <
  Access extends Admits,
  Params extends Shape = Nothing,
  Query extends Shape = Nothing,
  Body extends z.ZodType = z.ZodUndefined,
  Uses extends ServiceName = never,
>(
  route: Route<
    Params,
    Query,
    Body,
    ContextOf<Access, Uses>,
    Body extends z.ZodUndefined ? undefined : JsonBody,
    Uses
  > & {
    access: Access;
  },
): Route => route as unknown as Route;

/** A group of routes with a common prefix and error format. */
export interface Surface {
  /** Its name in restrictions, logs and metrics. */
  name: string;
  /** The surface's purpose, in a sentence or two. */
  about: string;
  /** The prefix of all paths, such as `/api/chatstyle`. */
  prefix: string;
  /** The protocol whose error object is added to the envelope. */
  codec?: AnyCodec;
  /** The header in which the surface's clients look for the request's id, besides `x-request-id`. */
  requestHeader?: string;
  /** The headers that report what is left of a key's limits. Absent: only errors report it. */
  rates?: RateHeaders;
  /** Further places where the surface's clients send credentials. */
  credentials?: readonly CredentialPlace[];
  /** Its routes, in the order of the documentation. */
  routes: readonly Route[];
}
