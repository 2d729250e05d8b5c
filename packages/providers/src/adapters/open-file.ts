import { UpstreamFault } from "../transport/fault.ts";
import type { Line, OpenedFile } from "./adapter.ts";
import { CALL_TIMEOUTS, open } from "./call.ts";

const MOST_REDIRECTS = 3;

/**
 * Opens a file below the base of a service. Its redirects are followed with the key within the provider's origin; what
 * is elsewhere is left to the caller as an address, because the key goes to no other party.
 */
export async function openFile(line: Line, path: string): Promise<OpenedFile> {
  const { origin, base } = line.service;
  const rooted: Line = { ...line, service: { ...line.service, base: "" } };
  let at = base + path;
  for (let redirects = 0; ; redirects++)
    try {
      return { response: await open(rooted, { method: "GET", path: at, timeout: CALL_TIMEOUTS.generate }) };
    } catch (error) {
      const next = redirects < MOST_REDIRECTS ? targetOf(error, origin + at) : undefined;
      if (!next) throw error;
      if (next.origin !== origin) return { url: next.href };
      at = next.pathname + next.search;
    }
}

/** Where a redirect leads; nothing for other faults, and for one that leaves HTTPS. */
function targetOf(error: unknown, from: string): URL | undefined {
  const location = error instanceof UpstreamFault ? error.location : undefined;
  const url = location === undefined ? null : URL.parse(location, from);
  if (!url) return undefined;
  return url.protocol === "https:" || url.protocol === new URL(from).protocol ? url : undefined;
}
