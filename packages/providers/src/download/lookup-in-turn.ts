import { Slots } from "../routing/slots.ts";

/**
 * Runs lookups of names one at a time. One that waits is dropped when its signal aborts.
 *
 * The system's lookup holds one of the few threads that also look up providers, and cannot be cancelled. The owner of a
 * name decides how long it takes: many slow names at once would keep the service from connecting to any provider.
 */
export function lookupInTurn<T>(
  lookup: (hostname: string) => Promise<T>,
): (hostname: string, signal: AbortSignal) => Promise<T> {
  const slots = new Slots({ total: 1 });
  return (hostname, signal) => slots.run(hostname, () => lookup(hostname), signal);
}
