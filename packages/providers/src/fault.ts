/** Why an upstream call gave no answer that could be read. */
export type FaultKind = "connect" | "timeout" | "reset" | "redirect" | "encoding" | "too_large" | "cancelled";

/** An upstream exchange that failed below HTTP. Its message names no address. */
export class UpstreamFault extends Error {
  readonly kind: FaultKind;
  constructor(kind: FaultKind, cause?: unknown) {
    super(texts[kind], { cause });
    this.kind = kind;
  }
}

const texts: Record<FaultKind, string> = {
  connect: "The provider could not be reached.",
  timeout: "The provider did not answer in time.",
  reset: "The provider closed the connection before its answer was complete.",
  redirect: "The provider answered with a redirect, which is never followed.",
  encoding: "The provider's answer could not be decoded.",
  too_large: "The provider's answer is larger than the limit.",
  cancelled: "The call was cancelled.",
};

const connectCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The fault that an error of the transport stands for. */
export function toFault(error: unknown): UpstreamFault {
  if (error instanceof UpstreamFault) return error;
  const code = (error as { code?: string } | undefined)?.code ?? "";
  if (connectCodes.has(code) || code.startsWith("ERR_TLS") || code.startsWith("CERT_"))
    return new UpstreamFault("connect", error);
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT")
    return new UpstreamFault("timeout", error);
  return new UpstreamFault("reset", error);
}
