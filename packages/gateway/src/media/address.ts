import { createAddressGuard, isLocalHost } from "@manifold-gateway/providers";

/**
 * Characters before a query that parsers interpret differently: the checked address might differ from the fetched
 * one.
 */
const AMBIGUOUS = /^[^?#]*(?:[^ -~\u00a0-\uffff]|\\)/;
/** The longest address, in characters. It is large because signed links are long. */
const LONGEST = 8_192;

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
    return isLocalHost(url.hostname, guard) ? "must be on the public internet" : undefined;
  };
}
