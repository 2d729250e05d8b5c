import type { Failure } from "@manifold-gateway/core";
import { pausesEntry } from "@manifold-gateway/providers/routing";
import type { Context } from "../ports/context.ts";
import type { Plan } from "./stages.ts";

/**
 * Lets an entry rest for as long as the body of its refusal requests, which some vendors send in place of a header. Of
 * several credentials each rests by itself, for the usual time.
 */
export function restByBody(
  { routing }: Context<"routing">["services"],
  { resolution, endpoint }: Plan,
  { status, retryAfter }: Pick<Failure, "status" | "retryAfter">,
): void {
  if (!retryAfter || !pausesEntry(status) || endpoint.provider.credentials) return;
  routing.breakers.cool(resolution.id, retryAfter);
}
