import { createAddressGuard, isLocalHost } from "@manifold-gateway/providers";

/**
 * Characters before a query that parsers read in different ways: the address that is judged here might not be the one
 * that is fetched.
 */
const AMBIGUOUS = /^[^?#]*(?:[^ -~\u00a0-\uffff]|\\)/;
/** The longest address, in characters: signed links are long. */
const LONGEST = 8_192;

/**
 * Judges an address that a caller wants a provider to fetch, and says what is wrong with it. Names are not looked up
 * here: who fetches has to judge what they lead to.
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
