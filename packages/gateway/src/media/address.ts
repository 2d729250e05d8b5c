import { createAddressGuard, isLocalHost } from "@manifold-gateway/providers";

/**
 * Characters before a query that parsers interpret differently: the checked address might differ from the fetched
 * one.
 */
const AMBIGUOUS = /^[^?#]*(?:[^ -~\u00a0-\uffff]|\\)/;
/** The longest address, in characters. It is large because signed links are long. */
const LONGEST = 8_192;

/** An IPv4 address within a name, with dots or hyphens: public services lead `10.0.0.1.nip.io` to that address. */
const EMBEDDED = /(?<![\w])(\d{1,3})([.-])(\d{1,3})\2(\d{1,3})\2(\d{1,3})(?=[.-])/g;

/** Checks whether a name contains an address that the guard keeps back. */
const namesPrivate = (hostname: string, guard: (address: string) => boolean): boolean =>
  hostname
    .matchAll(EMBEDDED)
    .some(
      ([, a, , b, c, d]) =>
        [a, b, c, d].every((part) => Number(part) < 256) &&
        !guard(`${Number(a)}.${Number(b)}.${Number(c)}.${Number(d)}`),
    );

/**
 * Checks the address that a caller wants a provider to fetch. Returns what is wrong with it. Host names are not
 * resolved here: the code that fetches must check the addresses that they resolve to.
 */
export function createUrlJudge(allow: readonly string[] = []): (url: string) => string | undefined {
  const guard = createAddressGuard(allow);
  return (text) => {
    if (text.length > LONGEST) return `must have at most ${LONGEST} characters`;
    if (AMBIGUOUS.test(text)) return "must not contain control characters or backslashes";
    const url = URL.parse(text);
    if (!url || !/^https?:$/.test(url.protocol)) return "must be a public http or https URL";
    if (url.username !== "" || url.password !== "") return "must not contain credentials";
    const port = Number(url.port || 443);
    if (port < 1024 && port !== 443 && port !== 80) return "must use port 80, 443, or 1024 and above";
    const isPrivate = isLocalHost(url.hostname, guard) || namesPrivate(url.hostname, guard);
    return isPrivate ? "must be on the public internet" : undefined;
  };
}
