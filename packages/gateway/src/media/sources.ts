import type { PartSource } from "@manifold-gateway/core/operations";
import { quote, Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { mediaOf } from "./media.ts";
import type { MediaRoute } from "./resolve.ts";

/** A piece of media that a request brings; a picture's has no type. */
export interface Sourced {
  type?: "image" | "video" | "audio";
  source: PartSource;
  /** JSON pointer into the caller's request. */
  at: string;
}

/**
 * Judges the addresses and assets of a request before anything is held for it: addresses have to be public, assets
 * the caller's own, of the kind that is wanted, and active. Gives the parts as the provider knows them. A 400 names
 * every part that will not do.
 */
export async function settleSources<Part extends Sourced>(
  { services, caller }: Pick<Context, "services" | "caller">,
  { model, provider }: MediaRoute,
  parts: readonly Part[],
): Promise<{ parts: Part[]; inputSeconds?: number }> {
  const { faultOfUrl } = services;
  const { jobs } = mediaOf(services);
  const errors = parts.flatMap(({ source, at }) => {
    const fault = source.type === "url" ? faultOfUrl(source.url) : undefined;
    return fault === undefined ? [] : [`${fieldOf(at)}: ${fault}`];
  });
  const resolved = await jobs.resolve({ accountId: caller.accountId, parts, provider: provider.id });
  if (!resolved.ok) errors.push(...resolved.issues.map(({ message }) => message));
  if (!resolved.ok || errors.length > 0) {
    const told = errors.map((error) => `${error} (model ${quote(model.id)})`);
    throw new Refusal("unusable_input", told, { param: "content" });
  }
  return resolved;
}

/** On the native wire the address is a member of its part; elsewhere the pointer leads to it. */
const fieldOf = (at: string): string =>
  at.slice(1).replaceAll("/", ".") + (at.startsWith("/content/") ? ".url" : "");
