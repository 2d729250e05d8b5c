import { createGuardedFetch, type GuardedFetch, type Provider } from "@manifold-gateway/providers";

/** The longest that an output may take to come, in milliseconds: they may be large. Silence ends it sooner. */
const WHOLE = 30 * 60_000;

export interface OutputOptions {
  providers: ReadonlyMap<string, Provider>;
  /** Address ranges to let through besides the public ones. */
  allow?: readonly string[] | undefined;
  /** Fetches what is at no declared provider. Default: as all else. */
  fetch?: GuardedFetch | undefined;
}

/**
 * A fetch for what providers made. An operator who declares a provider at a private address trusts that place: files
 * are fetched from it, and from nowhere else that is not public, wherever it redirects to.
 */
export function createOutputFetch({ providers, allow, fetch }: OutputOptions): GuardedFetch {
  const isDeclared = (origin: string | undefined): boolean =>
    [...providers.values()].some(
      (provider) =>
        provider.origin === origin ||
        Object.values(provider.serves ?? {}).some((service) => service.origin === origin),
    );
  const own = createGuardedFetch({ ...(allow && { allow }), whole: WHOLE, trusts: isDeclared });
  return (url, options) => (fetch && !isDeclared(URL.parse(url)?.origin) ? fetch : own)(url, options);
}
