import type { JsonObject } from "../engine/json-columns.ts";

export const MODALITIES = ["text", "image", "video", "audio"] as const;
export type Modality = (typeof MODALITIES)[number];

/** The outcomes of a generation. */
export const OUTCOMES = ["succeeded", "failed", "aborted", "cancelled"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Names and values that a caller gives a request, for its own records and sums. */
export type Tags = Readonly<Record<string, string>>;

/** One billable record of a request. Amounts are micro-USD, times are ms. */
export interface Generation {
  id: string;
  accountId: string;
  keyId?: string;
  modality: Modality;
  model: string;
  /** `pending` from the reservation to the settlement. */
  status: Outcome | "pending";
  request?: JsonObject;
  /** The provider and the entry that served it. */
  route?: JsonObject;
  /** The price by which it is charged, as of the request. */
  price?: JsonObject;
  usage?: JsonObject;
  /** The last usage stored while it ran; recovery charges it. */
  checkpoint?: JsonObject;
  /** The charge, before refunds. Absent while pending. */
  cost?: number;
  durationMs?: number;
  createdAt: number;
  dispatchedAt?: number;
  tags?: Tags;
  /** The id of the end user for whom the caller sent the request. */
  user?: string;
  /** The name of the surface that received it. */
  surface?: string;
}
