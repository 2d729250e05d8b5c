import { habits, type Provider, type UpstreamProtocol } from "./provider.ts";

const FORWARDABLE = /^[\x20-\x7e]{1,256}$/;

/**
 * The headers of an upstream call, built from nothing: what the provider wants, and the few client headers that
 * its protocol defines. No credential, cookie or hop-by-hop header of the caller can get in.
 */
export function upstreamHeaders(
  provider: Provider,
  protocol: UpstreamProtocol,
  stream: boolean,
  client: (name: string) => string | undefined = () => undefined,
): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: stream ? "text/event-stream" : "application/json",
    // Compressed events would have to be unpacked here only to be counted.
    "accept-encoding": "identity",
    "user-agent": "manifold",
    ...provider.headers,
  };
  const auth = provider.speaks[protocol]?.auth;
  if (auth && provider.key !== undefined)
    headers[auth.header] = auth.scheme ? `${auth.scheme} ${provider.key}` : provider.key;
  for (const { from, to, fallback } of habits[protocol].forward) {
    const sent = from.map(client).find((value) => value !== undefined && FORWARDABLE.test(value)) ?? fallback;
    if (sent !== undefined) headers[to] = sent;
  }
  return headers;
}
