import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** True for an address that may be connected to. */
export type AddressGuard = (address: string) => boolean;

/** The range that is handed out to hosts on the internet; the forms that embed an IPv4 address all lie outside it. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Checks whether a text is a range that an address guard takes. */
export const isAddressRange = (text: string): boolean => ipaddr.isValidCIDR(text);

/**
 * Lets through the public internet, and what `allow` names besides (`127.0.0.1/32`). Throws `RangeError` for an
 * entry that is no range.
 */
export function createAddressGuard(allow: readonly string[] = []): AddressGuard {
  const allowed = allow.map((text) => {
    if (!isAddressRange(text)) throw new RangeError(`'${text}' is no address range like 10.0.0.0/8`);
    return ipaddr.parseCIDR(text);
  });
  return (text) => {
    // Parsers differ on spellings such as `::1.2.3.4`; this one's have no dots, and a scope is no part of them.
    const plain = isIPv6(text) ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : text;
    if (plain === undefined || !ipaddr.isValid(plain)) return false;
    // An IPv4 address written as IPv6 is judged as what it is.
    const address = ipaddr.process(plain);
    if (allowed.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits)))
      return true;
    if (address.range() !== "unicast") return false;
    return address.kind() === "ipv4" || address.match(GLOBAL_IPV6);
  };
}

const LOCAL = /(^|\.)(localhost|local|internal|localdomain)\.?$/i;

/**
 * Checks whether a host of an address is one's own: a name of private networks, or an address that the guard keeps
 * back.
 */
export function isLocalHost(hostname: string, guard: AddressGuard = createAddressGuard()): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) > 0 ? !guard(host) : LOCAL.test(host) || !host.includes(".");
}

/** False for an address whose traffic anyone on the way can read: plain http to a host on the internet. */
export function isProtectedUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol !== "http:" || isLocalHost(url.hostname);
}
