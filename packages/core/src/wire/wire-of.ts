import type { Protocol } from "../ir/part.ts";
import type { JsonObject } from "../json/json.ts";
import type { Edits } from "../json/splice.ts";
import { endpoints, type Operation, type WireEndpoint } from "./endpoints.ts";
import { wantsEvents } from "./framing.ts";
import { modelInPath } from "./model-names.ts";

/** The headers of a request: an instance of `Headers`, or of anything that reads them alike. */
export interface RequestHeaders {
  /** The value of a header, whatever the case of its name. */
  get(name: string): string | null | undefined;
}

/** What a request's path, headers and body say of the wire that its client speaks. */
export interface Wire {
  /** The client's protocol. */
  protocol: Protocol;
  /** What the request is for. */
  operation: Operation;
  /** The model's name, of the path or of the body; absent if neither has one. */
  model?: string;
  /** Whether the client expects a stream. */
  stream: boolean;
  /** The form of such a stream: server-sent events, or one JSON array. */
  form: "events" | "array";
  /** Members to change in the body if it is forwarded to a provider of the same wire. */
  edits: Edits;
}

/**
 * The wire of a client's request, known by the end of its path, whatever the host and the base before it: `undefined`
 * if no wire has such an endpoint.
 *
 *     wireOf("POST", "/v1/chat/completions", headers, { model: "best", stream: true, messages })
 *     // { protocol: "chatstyle", operation: "text", model: "best", stream: true, form: "events", edits: { … } }
 *     wireOf("POST", "/v1beta/models/best:streamGenerateContent?alt=sse", headers, { contents })
 *     // { protocol: "genstyle", operation: "text", model: "best", stream: true, form: "events", edits: {} }
 *
 * `path` may have a query, or be a whole address. `body` is the parsed body; without it the members that it decides have
 * their defaults.
 */
export function wireOf(
  method: string,
  path: string,
  headers: RequestHeaders,
  body: JsonObject = {},
): Wire | undefined {
  const [place = "", query = ""] = (path.split("#", 1)[0] as string).split("?", 2);
  const endpoint = method.toUpperCase() === "POST" ? endpointAt(place) : undefined;
  if (!endpoint) return undefined;
  const { end, protocol, operation, edits } = endpoint;
  const inPath = end.startsWith(":");
  const model = inPath ? modelInPath(place.slice(0, -end.length)) : body.model;
  const stream = endpoint.stream ?? body.stream === true;
  const alt = inPath && stream ? (new URLSearchParams(query).get("alt") ?? undefined) : undefined;
  const isArray = inPath && stream && !wantsEvents(alt, headers.get("accept") ?? undefined);
  return {
    protocol,
    operation,
    ...(typeof model === "string" && model !== "" && { model }),
    stream,
    form: isArray ? "array" : "events",
    edits: edits?.(body) ?? {},
  };
}

function endpointAt(path: string): WireEndpoint | undefined {
  // Messages of a stored thread are no endpoint of these wires.
  if (/\/threads\/[^/]+\/messages$/.test(path)) return undefined;
  return endpoints.find(({ end }) => path.endsWith(end));
}

/** The protocol in which an error about a path that no wire has can best be read: as its headers and version suggest. */
export function likelyProtocol(path: string, headers: RequestHeaders): Protocol {
  if (headers.get("anthropic-version")) return "msgstyle";
  if (headers.get("x-goog-api-key") || /\/v1beta\//.test(path)) return "genstyle";
  return "chatstyle";
}
