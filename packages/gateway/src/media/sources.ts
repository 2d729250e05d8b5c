import type { PartSource } from "@manifold-gateway/core/operations";
import { fieldOf } from "@manifold-gateway/core/plan";
import { paramOf, quote, Refusal } from "../http/refusal.ts";
import type { Context } from "../ports/context.ts";
import { mediaOf } from "./media.ts";
import type { MediaRoute } from "./resolve.ts";

/** A piece of media in a request. An image has no type. */
export interface Sourced {
  type?: "image" | "video" | "audio";
  source: PartSource;
  /** JSON pointer into the caller's request. */
  at: string;
}

/**
 * Checks the addresses and assets of a request before the hold: addresses must be public, and assets must be the
 * caller's, of the right kind, and active. Returns the parts as the provider knows them. Throws a 400 that names
 * every unusable part.
 */
export async function settleSources<Part extends Sourced>(
  { services, caller }: Pick<Context<"faultOfUrl" | "media">, "services" | "caller">,
  { model, provider }: MediaRoute,
  parts: readonly Part[],
): Promise<{ parts: Part[]; inputSeconds?: number }> {
  const { faultOfUrl } = services;
  const { jobs } = mediaOf(services);
  const errors = parts.flatMap(({ source, at }) => {
    const fault = source.type === "url" ? faultOfUrl(source.url) : undefined;
    return fault === undefined ? [] : [`${addressField(at)}: ${fault}`];
  });
  const resolved = await jobs.resolve({ accountId: caller.accountId, parts, provider: provider.id });
  if (!resolved.ok) errors.push(...resolved.issues.map(({ message }) => message));
  if (!resolved.ok || errors.length > 0) {
    const messages = errors.map((error) => `${error} (model ${quote(model.id)})`);
    throw new Refusal("unusable_input", messages, { param: paramOf(messages) });
  }
  return resolved;
}

/**
 * The field of an address in error messages. In the native format, the address is a member of its part; elsewhere the pointer leads
 * to it.
 */
const addressField = (at: string): string => fieldOf(at) + (at.startsWith("/content/") ? ".url" : "");
