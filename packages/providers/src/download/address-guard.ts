import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Returns true for an address that may be connected to. */
export type AddressGuard = (address: string) => boolean;

/** The range of public hosts; all forms that embed an IPv4 address lie outside it. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Checks whether a text is a range that an address guard accepts. */
export const isAddressRange = (text: string): boolean => ipaddr.isValidCIDR(text);

/**
 * Allows the public internet and the ranges in `allow` (`127.0.0.1/32`). Throws `RangeError` for an entry that is not
 * a range.
 */
export function createAddressGuard(allow: readonly string[] = []): AddressGuard {
  const allowed = allow.map((text) => {
    if (!isAddressRange(text)) throw new RangeError(`'${text}' is no address range like 10.0.0.0/8`);
    return ipaddr.parseCIDR(text);
  });
  return (text) => {
    // Parsers disagree on spellings such as `::1.2.3.4`; the URL parser's result has no dots and no scope.
    const plain = isIPv6(text) ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : text;
    if (plain === undefined || !ipaddr.isValid(plain)) return false;
    // An IPv4 address written as IPv6 is checked as IPv4.
    const address = ipaddr.process(plain);
    if (allowed.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits)))
      return true;
    if (address.range() !== "unicast") return false;
    return address.kind() === "ipv4" || address.match(GLOBAL_IPV6);
  };
}

const LOCAL = /(^|\.)(localhost|local|internal|localdomain|svc|lan|home\.arpa)\.?$/i;

/**
 * Checks whether a URL's host is local: a name of private networks, or an address that the guard refuses.
 */
export function isLocalHost(hostname: string, guard: AddressGuard = createAddressGuard()): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) > 0 ? !guard(host) : LOCAL.test(host) || !host.includes(".");
}

/** False for a URL whose traffic can be read on the way: plain HTTP to a host on the internet. */
export function isProtectedUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol !== "http:" || isLocalHost(url.hostname);
}
