import { FrameTooLong, MalformedReply } from "@manifold-gateway/core";
import { UpstreamFault } from "../transport/fault.ts";

/** An error caused by a provider. */
export type ProviderFault = UpstreamFault | MalformedReply | FrameTooLong;

/** Checks whether an error was caused by the provider or its connection. */
export const isProviderFault = (error: unknown): error is ProviderFault =>
  error instanceof UpstreamFault || error instanceof MalformedReply || error instanceof FrameTooLong;

/** The kind of a call's error, for logs and records: `internal` if neither the provider nor its connection caused it. */
export function providerFaultName(error: unknown): string {
  if (error instanceof UpstreamFault) return error.kind;
  return isProviderFault(error) ? "malformed" : "internal";
}

/** The sentence about a provider's fault for a caller. */
export const providerFaultText = (fault: ProviderFault): string =>
  fault instanceof FrameTooLong ? new MalformedReply().message : fault.message;
