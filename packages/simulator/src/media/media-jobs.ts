import type { LedgerEntry } from "../ledger.ts";
import type { Outcome } from "../script/outcomes.ts";

export type WorkState = "queued" | "running" | "succeeded" | "failed" | "cancelled" | "expired";

/** One file that a work made, or the place of one that it could not make. */
export interface Output {
  type: string;
  width?: number;
  height?: number;
  seconds?: number;
  /** Where it can be downloaded, for outputs that are not answered inline. */
  url?: string;
  /** The number of times that it was downloaded whole. */
  downloads: number;
  error?: WorkError;
}

export interface WorkError {
  code: string;
  message: string;
}

/** The truth about one piece of media work: an image, a video, speech or an asset. */
export interface Work {
  /** The vendor's id of it: what a client polls. */
  id: string;
  operation: string;
  protocol: string;
  model: string;
  /** The body that ordered it. */
  request: unknown;
  state: WorkState;
  error?: WorkError;
  outputs: Output[];
  /** The items that the vendor bills, by its own names; empty until it succeeded, and for ever when it did not. */
  billed: Record<string, number>;
  /** The number of times that a client read its state. */
  reads: number;
  /** True if the answer to the request that asked for it arrived whole. */
  readonly isDelivered: boolean;
  /** Milliseconds since 1970. */
  created: number;
  updated: number;
  outcome: Outcome;
}

/** The product of a work when nothing goes wrong. */
export interface Product {
  outputs: Output[];
  billed: Record<string, number>;
  /** Facts that the wire remembers for its answers. */
  detail?: Record<string, unknown>;
}

interface Errors {
  /** The vendor's codes for content it will not make, and for its own faults. */
  moderation: string;
  internal: string;
}

export interface Begun {
  id: string;
  operation: string;
  protocol: string;
  model: string;
  request: unknown;
  outcome: Outcome;
  errors: Errors;
  exchange: LedgerEntry;
  now: number;
  make(work: Work): Product;
}

export interface Works {
  readonly all: readonly Work[];
  /** Starts a work; `finish` brings it to its end, as its outcome wants. */
  begin(begun: Begun): Work;
  find(id: string): Work | undefined;
  /** Counts a read of the state, which is what makes time pass here. */
  read(work: Work, now: number): Work;
  finish(work: Work, now: number): Work;
  cancel(work: Work, now: number): void;
  /** Takes back an exchange's beginnings, because its answer reports an error half way. */
  revoke(exchange: LedgerEntry): void;
  /** Facts that the wire remembered about a work. */
  detail(work: Work): Record<string, unknown>;
  /** Forgets that a client can find it; the record stays. */
  hide(work: Work): void;
  clear(): void;
}

const ENDED: WorkState[] = ["succeeded", "failed", "cancelled", "expired"];

/** A file as its outcome leaves it: whole, or broken off half way. */
export const halved = (bytes: Buffer, { broken }: Outcome): Buffer =>
  broken ? bytes.subarray(0, bytes.length >> 1) : bytes;

export const hasEnded = (work: Work): boolean => ENDED.includes(work.state);

export function createWorks(capacity: number): Works {
  const all: Work[] = [];
  const begunOf = new Map<Work, Begun>();
  const details = new Map<Work, Record<string, unknown>>();
  const byId = new Map<string, Work>();

  const end = (work: Work): void => {
    const { make, errors } = begunOf.get(work)!;
    const { fail, expire, cancel } = work.outcome;
    if (fail !== undefined) {
      const code = fail === "moderation" || fail === "internal" ? errors[fail] : fail;
      work.state = "failed";
      work.error = { code, message: `The work failed as it was told to: ${fail}.` };
    } else if (expire) work.state = "expired";
    else if (cancel) work.state = "cancelled";
    else {
      work.state = "succeeded";
      const { outputs, billed, detail = {} } = make(work);
      Object.assign(work, { outputs, billed });
      details.set(work, detail);
    }
  };
  const works: Works = {
    all,
    begin(begun) {
      const { make: _, errors: __, exchange, now, ...rest } = begun;
      const work: Work = {
        ...rest,
        state: "queued",
        outputs: [],
        billed: {},
        reads: 0,
        get isDelivered() {
          return exchange.delivered === "complete";
        },
        created: now,
        updated: now,
      };
      if (all.length >= capacity) {
        const oldest = all.shift()!;
        begunOf.delete(oldest);
        details.delete(oldest);
        byId.delete(oldest.id);
      }
      all.push(work);
      begunOf.set(work, begun);
      byId.set(work.id, work);
      return work;
    },
    find: (id) => byId.get(id),
    read(work, now) {
      work.reads += 1;
      const { queued = 0, running = 1 } = work.outcome;
      if (hasEnded(work) || work.reads <= queued) return work;
      if (work.reads > queued + running) return works.finish(work, now);
      if (work.state !== "running") Object.assign(work, { state: "running", updated: now });
      return work;
    },
    finish(work, now) {
      if (hasEnded(work)) return work;
      end(work);
      work.updated = now;
      return work;
    },
    cancel: (work, now) => void Object.assign(work, { state: "cancelled", updated: now }),
    revoke(exchange) {
      for (const work of all) {
        const begun = begunOf.get(work);
        if (begun?.exchange !== exchange) continue;
        const error = { code: begun.errors.internal, message: "The answer broke off with an error." };
        Object.assign(work, { state: "failed", error, billed: {} });
      }
    },
    detail: (work) => details.get(work) ?? {},
    hide: (work) => void byId.delete(work.id),
    clear() {
      all.length = 0;
      for (const map of [begunOf, details, byId]) map.clear();
    },
  };
  return works;
}
