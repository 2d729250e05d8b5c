/** The kinds of error a vendor answers, with the HTTP status each one has when nothing else is said. */
const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  tooLarge: 413,
  rateLimited: 429,
  internal: 500,
  unavailable: 503,
  overloaded: 529,
} as const;

export type RefusalKind = keyof typeof STATUS;

export interface RefusalDetail {
  status?: number;
  /** Wire name of the field at fault. */
  field?: string;
  /** The vendor's machine-readable code, where its protocol has one. */
  code?: string;
  /** Seconds. */
  retryAfter?: number;
}

/** The reason why a request is not answered. Each protocol has its own way to spell one. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly status: number;
  readonly detail: RefusalDetail;

  constructor(kind: RefusalKind, message: string, detail: RefusalDetail = {}) {
    super(message);
    this.kind = kind;
    this.status = detail.status ?? STATUS[kind];
    this.detail = detail;
  }
}

/** The kind that fits an HTTP status chosen by a fault. */
export function kindOf(status: number): RefusalKind {
  const exact = Object.entries(STATUS).find(([, value]) => value === status)?.[0] as RefusalKind | undefined;
  return exact ?? (status < 500 ? "invalid" : "internal");
}
