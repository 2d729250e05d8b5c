import type { AnyCaller, Failure } from "@manifold-gateway/core";
import { kindOfStatus } from "@manifold-gateway/core/codec";

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

  /** The refusal as a protocol's answers describe failures. */
  failure(): Failure {
    const { status, code, message, param } = this;
    return { kind: kindOfStatus(status), status, code, message, ...(param !== undefined && { param }) };
  }
}

/** The headers of every answer: both spellings of its id are read by SDKs. */
export const answerHeaders = (id: string, contentType: string): Record<string, string> => ({
  "content-type": contentType,
  "x-request-id": id,
  "request-id": id,
});

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
