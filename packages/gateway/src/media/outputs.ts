import { createGuardedFetch, type GuardedFetch, type Provider } from "@manifold/providers";

/**
 * A fetch for what providers made. An operator who declares a provider at a private address trusts that place: files
 * are fetched from it, and from nowhere else that is not public.
 */
export function createOutputFetch(
  fetch: GuardedFetch,
  providers: ReadonlyMap<string, Provider>,
): GuardedFetch {
  const trusting = createGuardedFetch({ allow: ["0.0.0.0/0", "::/0"] });
  const isDeclared = (url: string): boolean => {
    const origin = URL.parse(url)?.origin;
    return [...providers.values()].some(
      (provider) =>
        provider.origin === origin ||
        Object.values(provider.serves ?? {}).some((service) => service.origin === origin),
    );
  };
  return (url, options) => (isDeclared(url) ? trusting : fetch)(url, options);
}
