import { explain } from "../check/explain.ts";
import type { Finding } from "../check/finding.ts";
import { Refusal, type RefusalKind } from "../refusal.ts";
import type { ErrorAnswer, Wire } from "./protocol.ts";
import { accessKey } from "./request-signature.ts";

/** The envelope of signed actions: the metadata of the call, and the result or the error. */

export function metadata(hash: string, action: string, version: string, service: string) {
  return {
    RequestId: hash.slice(0, 32).toUpperCase(),
    Action: action,
    Version: version,
    Service: service,
    Region: "sim",
  };
}

/** A finding in the words of signed actions. */
export function toRefusal(finding: Finding): Refusal {
  const { field, why } = explain(finding);
  const code = finding.kind === "missing" ? "MissingParameter" : "InvalidParameter";
  return new Refusal("invalid", `${field}: ${why}`, { field, code });
}

const CODES: Record<RefusalKind, string> = {
  invalid: "InvalidParameter",
  unauthenticated: "InvalidAuthorization",
  forbidden: "AccessDenied",
  missing: "NotFound",
  tooLarge: "InvalidParameter",
  rateLimited: "FlowLimitExceeded",
  internal: "InternalError",
  unavailable: "InternalServiceTimeout",
  overloaded: "InternalServiceTimeout",
};

function refuse({ kind, status, message, detail }: Refusal, hash: string): ErrorAnswer {
  const error = { Code: detail.code ?? CODES[kind], Message: message };
  return {
    status,
    headers: {},
    body: { ResponseMetadata: { RequestId: hash.slice(0, 32).toUpperCase(), Error: error } },
  };
}

/** A wire whose requests are signed. */
export const signedWire = (name: Wire["name"]): Wire => ({
  name,
  // The access key is checked with the signature.
  key: accessKey,
  refuse,
  streamError: (refusal) => ({ data: refuse(refusal, "").body }),
});
