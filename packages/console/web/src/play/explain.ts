import type { Draft } from "./draft.ts";

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
    candidates: { entry: string; provider?: string; protocol?: string; decidedBy?: string }[];
    skipped: { entry: string; why: string; detail?: string }[];
  };
}

/** Asks a route what would become of a body; nothing is sent to a provider, nothing is held. */
export async function explainAt(
  path: string,
  body: string,
  { key, signal }: { key?: string | undefined; signal: AbortSignal },
): Promise<Explanation> {
  const response = await fetch(path, {
    method: "POST",
    credentials: key === undefined ? "same-origin" : "omit",
    headers: {
      "content-type": "application/json",
      "x-explain": "true",
      ...(key === undefined ? { "x-console": "1" } : { "x-api-key": key }),
    },
    body,
    signal,
  });
  const answer = (await response.json()) as Explanation & { error?: { message?: string } };
  if (response.ok) return answer;
  const errors = answer.errors ?? [answer.error?.message ?? "It cannot be explained."];
  return { verdict: "refused", errors };
}

/** Asks what would become of a draft of the text playground. */
export async function explain(draft: Draft, signal: AbortSignal): Promise<Explanation> {
  const { encode } = await import("./protocols.ts");
  return explainAt("/api/v1/text/completions", JSON.stringify(encode(draft, "native").body), { signal });
}
