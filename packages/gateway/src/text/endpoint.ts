import type { AnyProvider } from "@manifold-gateway/core";
import type { Endpoint } from "../generation/stages.ts";
import type { Resolution } from "../routing/candidate.ts";

/** The endpoints of an entry that were last used, with the codec that says their paths. */
const endpoints = new WeakMap<Resolution, { upstream: AnyProvider; endpoint: Endpoint }[]>();

/** The endpoint for text of an entry's provider. Made once for each entry, codec and way to answer. */
export function endpointOf(resolution: Resolution, upstream: AnyProvider, stream: boolean): Endpoint {
  let known = endpoints.get(resolution);
  if (!known) {
    known = [];
    endpoints.set(resolution, known);
  }
  for (const one of known)
    if (one.upstream === upstream && one.endpoint.stream === stream) return one.endpoint;
  const endpoint = makeEndpoint(resolution, upstream, stream);
  known.push({ upstream, endpoint });
  return endpoint;
}

function makeEndpoint(
  { provider, protocol, entry }: Resolution,
  upstream: AnyProvider,
  stream: boolean,
): Endpoint {
  const { base = "", platform, framing } = provider.speaks[protocol] ?? {};
  const path = base + (platform ?? upstream).endpoint(encodeURIComponent(entry.name), stream);
  return {
    provider,
    origin: provider.origin,
    path,
    operation: "chat",
    stream,
    framing: stream ? framing : undefined,
  };
}
