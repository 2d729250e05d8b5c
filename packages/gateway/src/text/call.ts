import {
  type Credential,
  reframe,
  type UpstreamResponse,
  upstreamHeaders,
} from "@manifold-gateway/providers";
import { send } from "../observe/observed-call.ts";
import type { Context } from "../ports/context.ts";
import type { Plan } from "./plan.ts";

/** The path to which a plan is sent, below the provider's origin. */
export function target({ resolution, upstream }: Plan, stream: boolean): string {
  const { provider, protocol, entry } = resolution;
  const { base = "", platform } = provider.speaks[protocol] ?? {};
  return base + (platform ?? upstream).endpoint(encodeURIComponent(entry.name), stream);
}

interface CallOptions {
  /** Ends the call. */
  signal: AbortSignal | undefined;
  /** The credential, if the provider has several. */
  credential: Credential | undefined;
}

/** Calls the entry of a plan. */
export function call(
  context: Context,
  plan: Plan,
  stream: boolean,
  { signal, credential }: CallOptions,
): Promise<UpstreamResponse> {
  const { provider, protocol } = plan.resolution;
  const framing = stream ? provider.speaks[protocol]?.platform?.framing : undefined;
  const headers = upstreamHeaders(
    provider,
    protocol,
    stream,
    (name) => context.exchange.header(name),
    credential,
  );
  if (framing) headers.accept = framing.contentType;
  const request = {
    origin: provider.origin,
    path: target(plan, stream),
    method: "POST",
    headers,
    body: plan.body,
    ...provider.timeouts,
    ...(signal && { signal }),
  } as const;
  const response = send(context, { ...plan.resolution, credential }, request, { stream });
  return framing ? response.then((framed) => reframe(framed, framing)) : response;
}
