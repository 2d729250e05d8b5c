import type { JsonObject } from "../engine/json-columns.ts";
import type { ProviderError } from "../requests/provider-errors.ts";

/** What a generation makes: `text` is also that of embeddings. */
export const MODALITIES = ["text", "image", "video", "audio", "ranking", "moderation"] as const;
/** One of `MODALITIES`. */
export type Modality = (typeof MODALITIES)[number];

/** The outcomes of a generation. */
export const OUTCOMES = ["succeeded", "failed", "aborted", "cancelled"] as const;
/** One of `OUTCOMES`: `aborted` if the client left before the end, `cancelled` if a job was cancelled. */
export type Outcome = (typeof OUTCOMES)[number];

/** Names and values that a caller gives a request, for its own records and sums. */
export type Tags = Readonly<Record<string, string>>;

/** One billable record of a request. Amounts are micro-USD, times are ms. */
export interface Generation {
  /** The id that the answer has. */
  id: string;
  /** The account that is charged. */
  accountId: string;
  /** The key of the request; absent for a session. */
  keyId?: string;
  /** What was generated. */
  modality: Modality;
  /** The model, by the caller's name for it. */
  model: string;
  /** `pending` from the reservation to the settlement. */
  status: Outcome | "pending";
  /** The kept part of the request: see `RecordOptions.requests`. */
  request?: JsonObject;
  /** The kept part of the reply in its canonical form: see `RecordOptions.replies`. */
  reply?: JsonObject;
  /** What providers answered to its attempts, as far as it is kept; only read for one generation. */
  errors?: readonly ProviderError[];
  /** The provider and the entry that served it. */
  route?: JsonObject;
  /** The price by which it is charged, as of the request. */
  price?: JsonObject;
  /** What was counted, in the units of prices. */
  usage?: JsonObject;
  /** The last usage stored while it ran; recovery charges it. */
  checkpoint?: JsonObject;
  /** The charge, before refunds. Absent while pending. */
  cost?: number;
  /** The credit that was held for it alone until its end. */
  held: number;
  /** The credit that was reserved for it in a credit lease until its end. */
  leased: number;
  /** Milliseconds from the request to its end. */
  durationMs?: number;
  /** When the request arrived. */
  createdAt: number;
  /** When its first call went out, right after the reservation; absent for jobs, whose calls come later. */
  dispatchedAt?: number;
  /** The caller's labels of the request. */
  tags?: Tags;
  /** The id of the end user for whom the caller sent the request. */
  user?: string;
  /** The name of the surface that received it. */
  surface?: string;
}
