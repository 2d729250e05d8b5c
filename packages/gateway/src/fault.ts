import { FrameTooLong } from "@manifold-gateway/core";
import { UpstreamFault } from "@manifold-gateway/providers";
import { ObjectFault, StoreUnavailable } from "@manifold-gateway/store";
import type { Sink } from "./http/exchange.ts";
import { Refusal } from "./http/refusal.ts";
import { isLeft } from "./leaving.ts";
import type { Log } from "./ports/log.ts";

/** A provider sent something that is not a reply. */
export class MalformedReply extends Error {
  constructor(message = "The provider sent a response that could not be read.") {
    super(message);
  }
}

/** An error that its provider is to blame for. */
type ProviderFault = UpstreamFault | MalformedReply | FrameTooLong;

/** Checks whether the provider is to blame for an error, or its connection. */
export const isProviderFault = (error: unknown): error is ProviderFault =>
  error instanceof UpstreamFault || error instanceof MalformedReply || error instanceof FrameTooLong;

/** The storage that cannot be reached, where that is the error. Other faults of the object store are defects. */
export function missingStorage(error: unknown): "database" | "files" | undefined {
  if (error instanceof StoreUnavailable) return "database";
  const gone = error instanceof ObjectFault && (error.code === "unavailable" || error.code === "damaged");
  return gone ? "files" : undefined;
}

/**
 * Checks whether an error is a defect of ours: neither the request, nor its provider, nor our storage explains it.
 */
export const isDefect = (error: unknown): boolean =>
  !(error instanceof Refusal) && !isProviderFault(error) && missingStorage(error) === undefined;

/** The one line that a defect leaves: `defect`, with its stack and what it happened to. */
export const logDefect = (log: Log, error: unknown, fields: Record<string, unknown>): void =>
  log.error(
    { ...fields, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    "defect",
  );

/** Logs what failed in the background: a defect as one, anything else as a warning with a word for what it was. */
export function logFailure(log: Log, error: unknown, fields: Record<string, unknown>, message: string): void {
  if (isDefect(error)) logDefect(log, error, { ...fields, while: message });
  else log.warn({ ...fields, fault: faultName(error) }, message);
}

/** A word for what went wrong with a call, for logs, records and headers. */
export function faultName(error: unknown): string {
  if (error instanceof UpstreamFault) return error.kind;
  if (isProviderFault(error)) return "malformed";
  return missingStorage(error) ?? (error instanceof Refusal ? error.code : "internal");
}

/** The message for a caller in the middle of an answer. The text of a defect says nothing to a caller. */
export function faultMessage(error: unknown, request: string): string {
  if (isProviderFault(error)) return messageOf(error);
  if (error instanceof Refusal) return error.message;
  const missing = missingStorage(error);
  return missing ? `The service cannot reach its ${missing}.` : internalError(request);
}

const messageOf = (fault: ProviderFault): string =>
  fault instanceof FrameTooLong ? new MalformedReply().message : fault.message;

export const internalError = (request: string): string => `Internal error. Request ${request}.`;

/** The error to throw for an error of a call: a provider's failure as a 502, anything else as it is. */
export function faultRefusal(error: unknown, sink?: Pick<Sink, "closed">): unknown {
  if (sink && isLeft(error, sink)) return new Refusal("client_left", "The client disconnected.");
  return isProviderFault(error) ? new Refusal("provider_failed", messageOf(error)) : error;
}
