import { type UpstreamResponse, upstreamHeaders } from "@manifold-gateway/providers";
import { send } from "../observe/watch.ts";
import type { Context } from "../ports/context.ts";
import type { Plan } from "./plan.ts";

/** Where a plan is sent to, below the provider's origin. */
export function target({ resolution, upstream }: Plan, stream: boolean): string {
  const { provider, protocol, entry } = resolution;
  const { base } = provider.speaks[protocol] ?? { base: "" };
  return base + upstream.endpoint(encodeURIComponent(entry.name), stream);
}

/** Calls the entry of a plan; `signal` ends the call. */
export function call(
  context: Context,
  plan: Plan,
  stream: boolean,
  signal: AbortSignal | undefined,
): Promise<UpstreamResponse> {
  const { provider, protocol } = plan.resolution;
  const request = {
    origin: provider.origin,
    path: target(plan, stream),
    method: "POST",
    headers: upstreamHeaders(provider, protocol, stream, (name) => context.exchange.header(name)),
    body: plan.body,
    ...provider.timeouts,
    ...(signal && { signal }),
  } as const;
  return send(context, plan.resolution, request, { stream });
}
