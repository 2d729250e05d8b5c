import type { AnyProvider, Failure } from "@manifold-gateway/core";
import { convertRefusal, hideSecrets, NoReason } from "@manifold-gateway/core/reply";
import type { UpstreamResponse } from "@manifold-gateway/providers/fetch-transport";
import { secretsOf } from "@manifold-gateway/providers/provider";
import type { Candidate } from "../models/candidate.ts";
import type { Incoming } from "../request/incoming.ts";
import type { Services } from "../services.ts";
import { answerHeaders, failureResponse, finalHeaders, reasonlessResponse } from "./failure.ts";

/** The longest error body that is read, in bytes. */
const LONGEST = 16 * 1024 * 1024;

/** The error of a provider in the caller's protocol, without the provider's keys. */
export async function refusedResponse(
  { id, codec }: Incoming,
  { provider, protocol }: Candidate,
  { status, headers, body }: UpstreamResponse,
  { codecs }: Services,
): Promise<Response> {
  const upstream = (await codecs.provider(protocol, { schemas: false })) as AnyProvider;
  const bytes = await body.bytes(LONGEST);
  try {
    const { whole } = convertRefusal({ status, headers, bytes }, upstream, codec, {
      secrets: () => secretsOf(provider),
      now: Date.now(),
    });
    const written = typeof whole.body === "string" ? whole.body : JSON.stringify(whole.body);
    return new Response(written, {
      status: whole.status,
      headers: { ...answerHeaders(id, "application/json"), ...whole.headers, ...finalHeaders },
    });
  } catch (error) {
    if (error instanceof NoReason) return reasonlessResponse(codec, error, id);
    throw error;
  }
}

/** An error that a provider gave in place of what was requested, in the caller's protocol, without the provider's keys. */
export function failedResponse(
  { id, codec }: Incoming,
  { provider }: Candidate,
  { raw: _, ...failure }: Failure,
): Response {
  const message = hideSecrets(() => secretsOf(provider))(failure.message);
  return failureResponse(codec, { ...failure, message }, id, finalHeaders);
}
