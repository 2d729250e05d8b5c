import type { Draft } from "./draft.ts";

/** What a request would come to, before it is sent. */
export interface Explanation {
  verdict: "accepted" | "refused";
  errors?: string[];
  entry?: string;
  translation?: string;
  losses?: { path: string; why: string; detail?: string }[];
  hints?: string[];
  reservation?: number;
  cost?: { least?: number; most?: number };
  headroom?: { balance?: number };
  route?: {
    candidates: { entry: string; protocol?: string }[];
    skipped: { entry: string; why: string; detail?: string }[];
  };
}

/** Asks what would become of a draft; nothing is sent to a provider, nothing is held. */
export async function explain(draft: Draft, signal: AbortSignal): Promise<Explanation> {
  const { encode } = await import("./protocols.ts");
  const response = await fetch("/api/v1/text/completions", {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/json", "x-explain": "true", "x-console": "1" },
    body: JSON.stringify(encode(draft, "native").body),
    signal,
  });
  const answer = (await response.json()) as Explanation & { errors?: string[] };
  return response.ok ? answer : { verdict: "refused", errors: answer.errors ?? ["It cannot be explained."] };
}
