import { AS_PLAYGROUND, refusalOf } from "../api/client.ts";
import { reach, toIncoming } from "../api/reach.ts";

/** An entry that could serve the request. Operators also see the provider, and what is known of the model. */
export interface ExplainedCandidate {
  entry: string;
  provider?: string;
  protocol?: string;
  decidedBy?: string;
  families?: { row: string; at: string; read: string }[];
  traits?: { trait: string; value?: unknown; from: string }[];
}

/** What a request would come to, before it is sent. */
export interface Explanation {
  verdict: "accepted" | "refused";
  errors?: string[];
  entry?: string;
  translation?: string;
  losses?: { path: string; why: "unsupported" | "approximated"; detail?: string }[];
  hints?: string[];
  upstream?: { method: string; path: string; body?: unknown };
  reservation?: number;
  cost?: { least?: number; most?: number };
  headroom?: {
    balance?: number;
    caps?: Record<string, { limit: number; spent: number; remaining: number }>;
  };
  route?: {
    candidates: ExplainedCandidate[];
    skipped: { entry: string; why: string; detail?: string }[];
  };
}

/** The one that a request would come from: the account itself, or its playground, which has a cap. */
export type Payer = "account" | "playground";

/**
 * Asks a route what would become of a body; nothing is sent to a provider, nothing is held. Throws where the service
 * cannot say: without a session, or without a connection.
 */
export async function explainAt(
  path: string,
  body: string,
  { payer, signal }: { payer: Payer; signal: AbortSignal },
): Promise<Explanation> {
  const response = await reach(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { ...AS_PLAYGROUND, ...(payer === "account" && { "x-console": "1" }), "x-explain": "true" },
    body,
    signal,
  });
  if (response.ok) return (await toIncoming(response).json()) as Explanation;
  const refusal = await refusalOf(response, path);
  if (refusal.status === 401) throw refusal;
  return { verdict: "refused", errors: [refusal.message] };
}
