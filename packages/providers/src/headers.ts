import type { Json } from "@manifold-gateway/core/codec";
import type { Credential } from "./credentials.ts";
import { renamedBetas } from "./platform-betas.ts";
import type { PlatformTerms } from "./platforms.ts";
import { habits, habitsOf, type Provider, type UpstreamProtocol } from "./provider.ts";

const VALUE = /^[\x20-\x7e]{1,256}$/;
/** The form of a list of flags, which may be long: clients send a dozen at once. */
const LIST = /^[\x20-\x7e]{1,4096}$/;

/**
 * The headers of an upstream call, built from scratch: the provider's, and the few client headers that its protocol
 * defines. No credential, cookie or hop-by-hop header of the caller can get in. `credential` is one of the provider's;
 * default: its only or first one.
 */
export function upstreamHeaders(
  provider: Provider,
  protocol: UpstreamProtocol,
  stream: boolean,
  client: (name: string) => string | undefined = () => undefined,
  { key }: Partial<Pick<Credential, "key">> = provider,
): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: stream ? "text/event-stream" : "application/json",
    // Compressed events would have to be decompressed here only to be counted.
    "accept-encoding": "identity",
    "user-agent": "manifold",
    ...provider.headers,
  };
  const { auth, platform } = provider.speaks[protocol] ?? {};
  if (auth && key !== undefined) headers[auth.header] = auth.scheme ? `${auth.scheme} ${key}` : key;
  for (const { from, to, fallback, list } of habitsOf(protocol).forward) {
    const form = list ? LIST : VALUE;
    const sent = from.map(client).filter((value) => value !== undefined && form.test(value));
    const value = list ? joined([headers[to], ...platformLists(sent, platform)]) : (sent[0] ?? fallback);
    if (value) headers[to] = value;
  }
  return headers;
}

/** The lists of a client as the header of a platform has them. */
function platformLists(
  lists: readonly (string | undefined)[],
  platform: PlatformTerms | undefined,
): readonly (string | undefined)[] {
  if (!platform) return lists;
  if (platform.betasMember !== undefined) return [];
  return lists.map((list = "") => acceptedBetas(list.split(","), platform).join(","));
}

const acceptedBetas = (flags: readonly string[], { betas }: PlatformTerms): string[] => {
  const renamed = flags.map((flag) => renamedBetas[flag.trim()] ?? flag.trim());
  return [...new Set(renamed)].filter((flag) => betas.has(flag));
};

/** The members that a platform requires to be changed in a request whose client sends these flags. */
export function platformEdits(
  platform: PlatformTerms,
  flags: readonly string[] = [],
): Readonly<Record<string, Json | undefined>> {
  const { edits, betasMember: member } = platform;
  const sent = member === undefined ? [] : acceptedBetas(flags, platform);
  return sent.length > 0 ? { ...edits, [member as string]: sent } : edits;
}

/** The client headers that go on to providers, whichever protocol they speak. */
const forwarded = Object.values(habits).flatMap(({ forward }) => forward.flatMap(({ from }) => from));

/** What a client sends in headers that may go on to a provider, and so decide its answer. */
export function forwardedHeaders(client: (name: string) => string | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of forwarded) {
    const value = client(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

/** The client headers that contain lists of flags. */
const listHeaders = Object.values(habits).flatMap(({ forward }) =>
  forward.filter(({ list }) => list).flatMap(({ from }) => from),
);

/** The flags in a client's list headers; most clients send none. */
export function betaFlags(client: { header(name: string): string | undefined }): string[] {
  const flags: string[] = [];
  for (const name of listHeaders)
    for (const flag of client.header(name)?.split(",") ?? []) flags.push(flag.trim());
  return flags;
}

/** Joins lists so that each flag occurs once; a single list is returned unchanged. */
function joined(lists: readonly (string | undefined)[]): string | undefined {
  const given = lists.filter((list) => list !== undefined);
  if (given.length < 2) return given[0];
  const flags = given.flatMap((list) => list.split(",")).map((flag) => flag.trim());
  return [...new Set(flags)].filter((flag) => flag !== "").join(",");
}
