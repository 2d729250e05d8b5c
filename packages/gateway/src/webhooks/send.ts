import { type Transport, UpstreamFault } from "@manifold-gateway/providers";
import { toSeconds } from "../http/moments.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import { signatureHeaders } from "./sign.ts";

/** The longest wait for an answer, and the longest delivery with its connection, in ms. */
const TIMEOUT = 15_000;
const WHOLE = 20_000;

interface Sending {
  transport: Transport;
  /** Milliseconds since the epoch. */
  now: number;
  /** Ends it early. */
  signal?: AbortSignal;
}

/** Sends an event once, signed. Returns the status of the answer, or the fault. */
export async function sendEvent(
  { url, secrets }: Pick<WebhookEndpoint, "url" | "secrets">,
  { id, body }: { id: string; body: string },
  { transport, now, signal }: Sending,
): Promise<number | UpstreamFault> {
  const { origin, pathname, search } = new URL(url);
  const timeout = AbortSignal.timeout(WHOLE);
  try {
    const { status, body: answer } = await transport.send({
      ...{ origin, path: pathname + search, method: "POST", body },
      headers: {
        "content-type": "application/json",
        "user-agent": "manifold",
        ...signatureHeaders({ id, timestamp: toSeconds(now), body }, secrets),
      },
      ...{ firstByte: TIMEOUT, idle: TIMEOUT },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    // Only the status matters: the body is discarded, whatever its length.
    answer.cancel();
    return status;
  } catch (error) {
    if (error instanceof UpstreamFault) return error;
    throw error;
  }
}

/** True for the outcome of an event that its endpoint has accepted. */
export const isAccepted = (outcome: unknown): boolean =>
  typeof outcome === "number" && outcome >= 200 && outcome < 300;
