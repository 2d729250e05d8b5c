import ipaddr from "ipaddr.js";

/**
 * Names the address that a request comes from, by the address of the peer and the `x-forwarded-for` header. Nothing
 * where the runtime does not name the peer.
 */
export type CallerAddress = (peer: string | undefined, forwarded: string | undefined) => string | undefined;

/**
 * Believes `x-forwarded-for` as far as proxies within the `trusted` ranges have written it: read from its end, the
 * first address that is no proxy of ours is the caller's. Throws `RangeError` for an entry that is no range.
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
      // A value that no proxy of ours would write says nothing: the proxy stands for its clients.
      if (before === undefined) return address;
      address = before;
    }
    return address;
  };
}

/** Whether an address is this very machine's. */
export const isLocal = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";

/**
 * The network by which a caller is counted: an IPv4 address, or the /64 of an IPv6 address, since the holder of one
 * address has all of them.
 */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`;
}

const PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/;

/** One spelling for each address, without port, scope and brackets; IPv4 written as IPv6 is what it is. */
function plainAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [, bracketed, plain] = PORT.exec(trimmed) ?? [];
  const [bare = ""] = (bracketed ?? plain ?? trimmed).split("%");
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare).toString();
}
