import type { AnyCodec } from "@manifold-gateway/core";
import type { z } from "zod";
import type { BodyLimits } from "./http/body.ts";
import type { JsonBody } from "./http/json-body.ts";
import type { Admits, CredentialPlace } from "./ports/access.ts";
import type { Answer, Context } from "./ports/context.ts";
import type { RateHeaders } from "./restrictions/headers.ts";

type Shape = z.ZodObject;
type Nothing = z.ZodObject<Record<never, never>>;

/** The contents of a request, read by the schemas of its row. */
export interface Input<Params = Record<string, unknown>, Query = Record<string, unknown>, Body = unknown> {
  params: Params;
  query: Query;
  body: Body;
  /** The body as it arrived. Only where the row has a `body`. */
  json: JsonBody;
}

/** A request as a client might send it, and a possible answer. All of it holds to the row's schemas. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  answer?: unknown;
}

/**
 * One line of a surface: its path, the callers it admits, its handler. Requests are held to its schemas, and the
 * OpenAPI document is made from them.
 */
export interface Route<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
> {
  method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  /**
   * Below the surface's prefix; `:name` is a segment, `**:name` the rest of the path, and `**:name:verb` the rest of
   * a path that ends in `:verb`.
   */
  path: string;
  /** The path as it is documented, where the row takes more spellings of it. */
  shown?: string;
  access: Admits;
  /** The operator's credential may come as a bearer too, as scrapers send it. */
  bearer?: true;
  /** Its purpose, in a few words. */
  summary: string;
  /** Further documentation, in Markdown. */
  about?: string;
  /** Of the path; without it every parameter is a text. */
  params?: Params;
  /** Parameters that it does not name are passed over. */
  query?: Query;
  /** Of the JSON body. Without it no body is read. */
  body?: Body;
  /** The content type must say JSON: a page of another site can send every other type without a preflight. */
  strictType?: true;
  /** A multipart form will do as well: its fields are the members, and its files are read into it. */
  form?: true;
  /**
   * The schema of a body that has to be translated, where it is not handed on as it came. For the document, not
   * checked here.
   */
  wire?: z.ZodType;
  /** The size that a body may have. Default: `smallBody`. */
  limits?: BodyLimits;
  /** It makes a generation: done once for each `Idempotency-Key`, and its answer has the generation's id. */
  generates?: true;
  /**
   * It becomes a WebSocket, on which each message is a request of another row of the surface, in this protocol. `warmUp`
   * is the handler of those for which nothing is to be generated.
   */
  opens?: { route: Route; warmUp: Route["handler"]; codec: AnyCodec };
  /** It counts against the limits of a key, as every row does that makes a generation. */
  rated?: true;
  /** It can be explained: `x-explain`. */
  explains?: true;
  /** It answers while the service stops, too. */
  always?: true;
  /** Called over and over by machines: its requests leave no line in the log. */
  quiet?: true;
  /** Of a success; the first is the default. Default: 200. */
  statuses?: readonly number[];
  /** The JSON body of a success. */
  answer?: z.ZodType;
  /** Other bodies of a success, by content type. */
  also?: Record<string, z.ZodType>;
  examples?: Record<string, Example>;
  handler(
    context: Context,
    input: Input<z.output<Params>, z.output<Query>, z.output<Body>>,
  ): Promise<Answer | undefined> | Answer | undefined;
}

/** A row whose handler is given what its schemas read. */
export const defineRoute = <
  Params extends Shape = Nothing,
  Query extends Shape = Nothing,
  Body extends z.ZodType = z.ZodUndefined,
>(
  route: Route<Params, Query, Body>,
): Route => route as unknown as Route;

/** One HTTP face of the service. */
export interface Surface {
  name: string;
  /** Its purpose, in a sentence or two. */
  about: string;
  /** `/api/chatstyle`; route paths follow it. */
  prefix: string;
  /** The protocol whose error object stands beside the envelope. */
  codec?: AnyCodec;
  /** The header in which its clients look for the name of a request, besides `x-request-id`. */
  requestHeader?: string;
  /** The headers that say what is left of the limits of a key. Absent: in errors only. */
  rates?: RateHeaders;
  /** Where its clients put credentials, besides the two places that hold everywhere. */
  credentials?: readonly CredentialPlace[];
  routes: readonly Route[];
}
