import {
  isProviderFault,
  ProviderUnavailable,
  providerFaultName,
  providerFaultText,
} from "@manifold-gateway/providers/routing";
import {
  type ErrorFields,
  errorFields,
  ObjectFault,
  StoreUnavailable,
  systemWords,
} from "@manifold-gateway/store";
import type { Log } from "../ports/log.ts";
import { isLeft } from "./client-left.ts";
import type { Sink } from "./exchange.ts";
import { Refusal } from "./refusal.ts";

/** Names the storage that cannot be reached, if that is the error. Other errors of the object store are defects. */
export function missingStorage(error: unknown): "database" | "files" | undefined {
  if (error instanceof StoreUnavailable) return "database";
  const gone = error instanceof ObjectFault && (error.code === "unavailable" || error.code === "damaged");
  return gone ? "files" : undefined;
}

/** Checks whether an error is a defect of ours: not a refusal, a provider's fault or missing storage. */
export const isDefect = (error: unknown): boolean =>
  !(error instanceof Refusal) && !isProviderFault(error) && missingStorage(error) === undefined;

/** Logs a defect as one line: `defect`, its stack and where it happened. */
export const logDefect = (log: Log, error: unknown, fields: Record<string, unknown>): void =>
  log.error({ ...fields, error: stackOf(error) }, "defect");

/** The stack of a defect, for its log line. */
export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The code and the words of what made an error of ours, for its log line. */
export function causeFields(error: unknown): Omit<ErrorFields, "error"> {
  if ((error as { cause?: unknown } | undefined)?.cause === undefined) return {};
  const { error: _, ...fields } = errorFields(error);
  return fields;
}

/** Logs an error of background work: a defect as such, any other error as a warning with its kind and cause. */
export function logFailure(log: Log, error: unknown, fields: Record<string, unknown>, message: string): void {
  if (isDefect(error)) logDefect(log, error, { ...fields, while: message });
  else log.warn({ ...fields, fault: faultName(error), ...causeFields(error) }, message);
}

/** The kind of a call's error, for logs, records and headers. */
export function faultName(error: unknown): string {
  if (isProviderFault(error)) return providerFaultName(error);
  if (error instanceof ProviderUnavailable) return error.fault;
  return missingStorage(error) ?? (error instanceof Refusal ? error.code : "internal");
}

/** The message of an error in the middle of an answer. It never shows a caller the text of a defect. */
export function faultMessage(error: unknown, request: string): string {
  if (isProviderFault(error)) return providerFaultText(error);
  if (error instanceof Refusal) return error.message;
  const missing = missingStorage(error);
  return missing ? `The service cannot reach its ${missing}.` : internalError(request);
}

/**
 * An error in one sentence with its cause, which often holds the actual reason. It is for operators. A system's error
 * has our words and its code: its own name a call of the system, and an address of ours.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // An error of the store says its cause already.
  if (cause instanceof Error && cause.message && error.message.includes(cause.message)) return error.message;
  const why = systemWords(cause) ?? (cause instanceof Error ? cause.message : "");
  // What `fetch` says of itself is no reason.
  if (error.message === "fetch failed" && why !== "") return why;
  const sentence = systemWords("syscall" in error ? error : undefined) ?? error.message;
  return why === "" ? sentence : `${sentence.replace(/\.$/, "")}: ${why}`;
}

export const internalError = (request: string): string => `Internal error. Request ${request}.`;

/** The error to throw for a call's error: a provider's fault becomes a 502, its unavailability a 503. */
export function faultRefusal(error: unknown, sink?: Pick<Sink, "closed">): unknown {
  if (sink && isLeft(error, sink)) return new Refusal("client_left", "The client disconnected.");
  if (error instanceof ProviderUnavailable)
    return new Refusal("provider_unavailable", `${error.message} Try again later.`, {
      headers: { "retry-after": "1" },
    });
  return isProviderFault(error) ? new Refusal("provider_failed", providerFaultText(error)) : error;
}
