import { isObject, type JsonObject, textOf, toArray } from "@manifold/core";
import type { KyInstance } from "ky";
import { readJson } from "./adapters/bytes.ts";
import { UpstreamFault } from "./fault.ts";
import { upstreamHeaders } from "./headers.ts";
import type { Provider, UpstreamProtocol } from "./provider.ts";

/** Pages of one listing that are read: a provider that always has another one comes to an end. */
const PAGES = 50;
/** Bytes of one page. */
const LIMIT = 8 * 1024 * 1024;

/**
 * The native names of the models that a provider says it serves, in any protocol's listing, all its pages. Throws
 * where it refuses or does not come to an end before `signal` does.
 */
export async function discoverModels(
  provider: Provider,
  client: KyInstance,
  signal: AbortSignal,
): Promise<string[]> {
  const [protocol, endpoint] = Object.entries(provider.speaks)[0] ?? [];
  if (!protocol || !endpoint) return [];
  const headers = upstreamHeaders(provider, protocol as UpstreamProtocol, false);
  const names = new Set<string>();
  let query: URLSearchParams | undefined = new URLSearchParams();
  for (let page = 0; query && page < PAGES; page += 1) {
    const url = `${provider.origin}${endpoint.base}/models${query.size > 0 ? `?${query}` : ""}`;
    const response = await client.get(url, { headers, signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`it answered with status ${response.status}`);
    }
    const body = await readJson(response, LIMIT, signal);
    if (!isObject(body)) throw new UpstreamFault("encoding");
    for (const model of toArray(body.data ?? body.models)) {
      const name = isObject(model) ? (textOf(model.id) ?? textOf(model.name)) : undefined;
      if (name !== undefined) names.add(name.replace(/^models\//, ""));
    }
    query = nextPage(body);
  }
  return [...names];
}

/** How the page after this one is asked for, in the two ways that listings have. */
function nextPage({ has_more: hasMore, last_id, nextPageToken }: JsonObject): URLSearchParams | undefined {
  const last = textOf(last_id);
  const token = textOf(nextPageToken);
  if (hasMore === true && last) return new URLSearchParams({ after_id: last });
  return token ? new URLSearchParams({ pageToken: token }) : undefined;
}
