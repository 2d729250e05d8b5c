import { isObject, type Json, type JsonObject, textOf, toArray } from "@manifold-gateway/core/codec";
import type { KyInstance } from "ky";
import { readBytes, readJson } from "./adapters/bytes.ts";
import { upstreamHeaders } from "./headers.ts";
import { type AskServer, describers, type ListedModel, readListed } from "./model-description.ts";
import type { Provider, UpstreamProtocol } from "./provider.ts";
import { UpstreamFault } from "./transport/fault.ts";

/** The most pages read of one listing, in case a provider always names another one. */
const PAGES = 50;
/** The most bytes of one page. */
const LIMIT = 8 * 1024 * 1024;

/** The most bytes read of an error's body. */
const ERROR_LIMIT = 16 * 1024;

/** The answer of a provider with an error status in place of its models. */
export class ListingRefused extends Error {
  /** The status of the answer. */
  readonly status: number;
  /** The beginning of its body, in which credentials may be. */
  readonly body: Uint8Array;
  constructor(status: number, body: Uint8Array) {
    super(`it answered with status ${status}`);
    this.status = status;
    this.body = body;
  }
}

async function readRefusal(response: Response, signal: AbortSignal): Promise<ListingRefused> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of readBytes(response, Number.POSITIVE_INFINITY, signal)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ERROR_LIMIT) break;
    }
  } catch (error) {
    // The status is known: a body that breaks off adds nothing.
    if (!(error instanceof UpstreamFault)) throw error;
  }
  return new ListingRefused(response.status, Buffer.concat(chunks).subarray(0, ERROR_LIMIT));
}

/**
 * The models that a provider lists, with its descriptions, from all pages in any protocol's format. Throws
 * `ListingRefused` if the provider refuses, and `UpstreamFault` if there is no list before `signal` aborts.
 */
export async function discoverModels(
  provider: Provider,
  client: KyInstance,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const [protocol, endpoint] = Object.entries(provider.speaks)[0] ?? [];
  if (!protocol || !endpoint || provider.listing === false) return [];
  const listing = new URL(provider.listing ?? `${endpoint.base}/models`, provider.origin);
  const headers = upstreamHeaders(provider, protocol as UpstreamProtocol, false);
  const models = new Map<string, ListedModel>();
  let query: URLSearchParams | undefined = new URLSearchParams();
  for (let page = 0; query && page < PAGES; page += 1) {
    for (const [name, value] of query) listing.searchParams.set(name, value);
    const path = listing.pathname + listing.search;
    const signed = await provider.identity?.headers({ origin: provider.origin, path, method: "GET" });
    const response = await client.get(listing.href, { headers: { ...headers, ...signed }, signal });
    if (!response.ok) throw await readRefusal(response, signal);
    const body = await readJson(response, LIMIT, signal);
    // Two vendors answer with the bare list.
    if (!isObject(body) && !Array.isArray(body)) throw new UpstreamFault("encoding");
    for (const row of rowsOf(body)) {
      const model = readListed(row);
      if (model) models.set(model.name, model);
    }
    query = isObject(body) ? nextPage(body) : undefined;
  }
  const root = provider.origin + endpoint.base.replace(/\/v1$/, "");
  const ask: AskServer = async (path, json) => {
    const options = { headers, signal };
    const response = await (json === undefined
      ? client.get(root + path, options)
      : client.post(root + path, { ...options, json }));
    const body: Json | undefined = await readJson(response, LIMIT, signal);
    return response.ok ? body : undefined;
  };
  const listed = [...models.values()];
  if (provider.describes === undefined) return listed;
  // The names are known already: a failed request for details must not lose them.
  return describers[provider.describes](listed, ask).catch((error: unknown) => {
    if (error instanceof UpstreamFault) return listed;
    throw error;
  });
}

/** The rows of a listing: vendors name the list differently, or answer with nothing else. */
const rowsOf = (body: JsonObject | Json[]): readonly Json[] =>
  Array.isArray(body) ? body : toArray(body.data ?? body.models);

/** The parameters of the next page, in either of the two styles of listings. */
function nextPage({ has_more: hasMore, last_id, nextPageToken }: JsonObject): URLSearchParams | undefined {
  const last = textOf(last_id);
  const token = textOf(nextPageToken);
  if (hasMore === true && last) return new URLSearchParams({ after_id: last });
  return token ? new URLSearchParams({ pageToken: token }) : undefined;
}
