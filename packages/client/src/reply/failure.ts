import type { AnyCaller, Failure } from "@manifold-gateway/core";
import { kindOfStatus } from "@manifold-gateway/core/codec";
import { Rejection } from "@manifold-gateway/core/plan";
import type { NoReason } from "@manifold-gateway/core/reply";
import { isProviderFault, ProviderUnavailable, providerFaultText } from "@manifold-gateway/providers/routing";
import { ignoreErrors } from "../ignore-errors.ts";
import { HookError } from "./hook-error.ts";

/** A refusal by the client itself; nothing was sent to a provider. */
export class ClientRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | undefined;

  constructor(status: number, code: string, message: string, param?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** The headers of every answer: both spellings of its id are read by SDKs. */
export const answerHeaders = (id: string, contentType: string): Record<string, string> => ({
  "content-type": contentType,
  "x-request-id": id,
  "request-id": id,
});

/** Tells SDKs that know the header not to try again: all targets were tried. */
export const finalHeaders = { "x-should-retry": "false" };

/** A failure as the answer of a protocol. */
export function failureResponse(
  codec: AnyCaller,
  failure: Failure,
  id: string,
  more: Record<string, string> = {},
): Response {
  const { status, body } = codec.failure.encode(failure);
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...answerHeaders(id, "application/json"), ...more },
  });
}

/** A provider's error without a readable reason, such as the page of a proxy: its status says what SDKs do next. */
export function reasonlessResponse(codec: AnyCaller, error: NoReason, id: string): Response {
  const { status, message, headers } = error;
  const failure: Failure = { kind: kindOfStatus(status), status, message, code: "provider_failed" };
  return failureResponse(codec, failure, id, { ...headers, ...finalHeaders });
}

/**
 * Reports a defect to `onError`, and returns the words for its caller. They have the defect's own only if there is no
 * `onError`: the caller is then the program that the client is a part of.
 */
export function reportDefect(error: unknown, onError: ((error: unknown) => void) | undefined): string {
  ignoreErrors(() => onError?.(error));
  return `The client failed${onError ? "" : `: ${String(error)}`}.`;
}

/** An error of a request before an answer began, as the answer of a protocol. A defect is reported. */
export function errorResponse(
  codec: AnyCaller,
  error: unknown,
  id: string,
  onError: ((error: unknown) => void) | undefined,
): Response {
  const { status, code, message, param } =
    toRefusal(error) ?? new ClientRefusal(500, "internal", reportDefect(error, onError));
  const failure = {
    kind: kindOfStatus(status),
    status,
    code,
    message,
    ...(param !== undefined && { param }),
  };
  return failureResponse(codec, failure, id, status >= 500 ? finalHeaders : {});
}

function toRefusal(error: unknown): ClientRefusal | undefined {
  if (error instanceof ClientRefusal) return error;
  if (error instanceof Rejection) {
    const { code, message, param } = error;
    return new ClientRefusal(code === "body_too_large" ? 413 : 400, code, message, param);
  }
  if (isProviderFault(error)) return new ClientRefusal(502, "provider_failed", providerFaultText(error));
  if (error instanceof HookError) return new ClientRefusal(500, "hook_failed", error.message);
  return error instanceof ProviderUnavailable
    ? new ClientRefusal(503, "provider_unavailable", `${error.message} Try again later.`)
    : undefined;
}
