import ipaddr from "ipaddr.js";

/**
 * Finds the address of a request's client from the peer's address and the `x-forwarded-for` header. `undefined` if
 * the runtime does not know the peer.
 */
export type CallerAddress = (peer: string | undefined, forwarded: string | undefined) => string | undefined;

/**
 * Trusts `x-forwarded-for` as far as proxies in the `trusted` ranges have written it: read from its end, the first
 * address outside these ranges is the client's. Throws a `RangeError` for an invalid range.
 */
export function createCallerAddress(trusted: readonly string[] = []): CallerAddress {
  const ranges = trusted.map((text) => {
    if (!ipaddr.isValidCIDR(text)) throw new RangeError(`'${text}' is no address range like 10.0.0.0/8`);
    return ipaddr.parseCIDR(text);
  });
  const isTrusted = (text: string): boolean => {
    const address = ipaddr.parse(text);
    return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
  };
  return (peer, forwarded) => {
    let address = peer === undefined ? undefined : plainAddress(peer);
    if (address === undefined) return peer;
    if (ranges.length === 0 || forwarded === undefined) return address;
    const hops = forwarded.split(",");
    while (isTrusted(address)) {
      const before = plainAddress(hops.pop() ?? "");
      // Our proxies write addresses only. After any other value, the proxy counts as the client.
      if (before === undefined) return address;
      address = before;
    }
    return address;
  };
}

/** Checks whether an address is this machine's own. */
export const isLocal = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";

/**
 * The network that a client's limits count: an IPv4 address, or the /64 of an IPv6 address, since its holder can use
 * all of them.
 */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`;
}

const PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/;

/** Normalizes an address: without port, scope and brackets, and IPv4 even if it is written as IPv6. */
function plainAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bracketed, plain] = PORT.exec(trimmed) ?? [];
  const [bare = ""] = (bracketed ?? plain ?? trimmed).split("%");
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare).toString();
}
