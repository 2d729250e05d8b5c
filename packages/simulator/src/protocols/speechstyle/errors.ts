import { explain } from "../../check/explain.ts";
import type { Finding } from "../../check/finding.ts";
import { Refusal, type RefusalKind } from "../../refusal.ts";
import type { Chunk, ErrorAnswer } from "../protocol.ts";

/** This vendor's numbers for what goes wrong. */
export const CODES = {
  done: 20000000,
  tooLong: 40402003,
  client: 45000000,
  parameter: 45000001,
  key: 45000010,
  grant: 45000030,
  server: 55000000,
  moderation: 45000002,
  promptTooLong: 45001116,
  speaker: 45001115,
  download: 45001131,
  audio: 45001105,
} as const;

const KINDS: Record<RefusalKind, number> = {
  invalid: CODES.parameter,
  unauthenticated: CODES.key,
  forbidden: CODES.grant,
  missing: CODES.client,
  tooLarge: CODES.client,
  rateLimited: CODES.client,
  internal: CODES.server,
  unavailable: CODES.server,
  overloaded: CODES.server,
};

/** A refusal with one of the numbers; most of them come with HTTP status 200. */
export function fault(code: number, message: string, status = 200): Refusal {
  return new Refusal("invalid", message, { code: String(code), status });
}

export function toRefusal(finding: Finding): Refusal {
  const { field, why } = explain(finding);
  return fault(CODES.parameter, `invalid parameter ${field}: ${why}`, 400);
}

function errorOf({ kind, message, detail }: Refusal): Record<string, unknown> {
  return { code: Number(detail.code ?? KINDS[kind]) || CODES.server, message };
}

export function refuse(refusal: Refusal, hash: string): ErrorAnswer {
  const headers = { "x-tt-logid": hash.slice(0, 32) };
  const { code, message } = errorOf(refusal);
  // Errors of the front door are in a header, those behind it are not.
  const isDoor = refusal.kind === "unauthenticated" || refusal.kind === "forbidden";
  const body = isDoor ? { header: { reqid: hash.slice(0, 32), code, message } } : { code, message };
  return { status: refusal.status, headers, body };
}

export function streamError(refusal: Refusal): Chunk {
  return { event: "153", data: errorOf(refusal) };
}
