import { isObject, textOf, toArray } from "@manifold/core";
import type { KyInstance } from "ky";
import { upstreamHeaders } from "./headers.ts";
import type { Provider, UpstreamProtocol } from "./provider.ts";

/** The native names of the models that a provider says it serves, in any protocol's listing. Throws where it refuses. */
export async function discoverModels(provider: Provider, client: KyInstance): Promise<string[]> {
  const [protocol, endpoint] = Object.entries(provider.speaks)[0] ?? [];
  if (!protocol || !endpoint) return [];
  const headers = upstreamHeaders(provider, protocol as UpstreamProtocol, false);
  const response = await client.get(`${provider.origin}${endpoint.base}/models`, { headers });
  if (!response.ok) throw new Error(`it answered with status ${response.status}`);
  const body: unknown = await response.json();
  if (!isObject(body)) return [];
  return toArray(body.data ?? body.models).flatMap((model) => {
    const name = isObject(model) ? (textOf(model.id) ?? textOf(model.name)) : undefined;
    return name === undefined ? [] : [name.replace(/^models\//, "")];
  });
}
