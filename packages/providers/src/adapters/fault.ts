import { FrameTooLong } from "@manifold-gateway/core";
import { isTimeoutError } from "ky";
import { toFault, UpstreamFault } from "../transport/fault.ts";

/** The `UpstreamFault` in an error of the client, at any depth of wrapping; a defect is returned unchanged. */
export function faultOf(error: unknown, signal: AbortSignal): Error {
  const chain: unknown[] = [];
  for (
    let one = error;
    one !== undefined && chain.length < 8;
    one = (one as { cause?: unknown } | null)?.cause
  )
    chain.push(one);
  const fault = chain.find((one) => one instanceof UpstreamFault);
  if (fault) return fault;
  if (error instanceof FrameTooLong) return new UpstreamFault("too_large", error);
  if (signal.aborted) return new UpstreamFault("cancelled", error);
  if (isTimeoutError(error)) return new UpstreamFault("timeout", error);
  return toFault(chain.find((one) => typeof (one as { code?: unknown } | null)?.code === "string") ?? error);
}
