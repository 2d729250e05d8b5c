import { createGuardedFetch, type GuardedFetch, type Provider } from "@manifold-gateway/providers";

/** The longest download of an output, in milliseconds, since outputs may be large. A stalled one ends sooner. */
const WHOLE = 30 * 60_000;

export interface OutputOptions {
  providers: ReadonlyMap<string, Provider>;
  /** Address ranges to allow besides public addresses. */
  allow?: readonly string[] | undefined;
  /** Fetches from addresses that belong to no declared provider. Default: like the others. */
  fetch?: GuardedFetch | undefined;
}

/**
 * Creates the fetch for outputs. Declaring a provider at a private address means trusting it: files are fetched from
 * there, but from no other private address, even after a redirect.
 */
export function createOutputFetch({ providers, allow, fetch }: OutputOptions): GuardedFetch {
  const isDeclared = (origin: string | undefined): boolean =>
    [...providers.values()].some(
      (provider) =>
        provider.origin === origin ||
        Object.values(provider.serves ?? {}).some((service) => service.origin === origin),
    );
  const guarded = createGuardedFetch({ ...(allow && { allow }), whole: WHOLE, trusts: isDeclared });
  return (url, options) => (fetch && !isDeclared(URL.parse(url)?.origin) ? fetch : guarded)(url, options);
}
