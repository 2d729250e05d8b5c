import {
  type Credential,
  reframe,
  type UpstreamResponse,
  upstreamHeaders,
} from "@manifold-gateway/providers";
import { send } from "../observe/observed-call.ts";
import type { Context } from "../ports/context.ts";
import type { Plan } from "./stages.ts";

/** Calls the entry of a plan, with one of its provider's credentials if there are several. `signal` ends the call. */
export function callProvider(
  context: Context,
  { resolution, endpoint, body }: Plan,
  credential: Credential | undefined,
  signal: AbortSignal | undefined,
): Promise<UpstreamResponse> {
  const { provider, origin, path, operation, stream, framing } = endpoint;
  const headers = upstreamHeaders(
    provider,
    resolution.protocol,
    stream,
    (name) => context.exchange.header(name),
    credential,
  );
  if (framing) headers.accept = framing.contentType;
  const request = {
    origin,
    path,
    method: "POST",
    headers,
    body,
    ...provider.timeouts,
    ...(signal && { signal }),
  } as const;
  const response = send(context, { ...resolution, credential }, request, { operation, stream });
  return framing ? response.then((framed) => reframe(framed, framing)) : response;
}
