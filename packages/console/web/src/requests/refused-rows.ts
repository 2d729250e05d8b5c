import { call } from "../api/client.ts";
import type { Refusal } from "./refused.ts";
import type { Filters, Row, Whose } from "./source.ts";

/** A refused request as a row among records. */
const toRow = (refusal: Refusal): Row => {
  const { id, userId, accountName, createdAt, apiKeyId, surface, requestId, model = "–" } = refusal;
  const of = {
    ...{ surface, requestId },
    ...(accountName !== undefined && { accountName }),
    ...(apiKeyId !== undefined && { apiKeyId }),
  };
  return { id, userId, createdAt, status: "refused", model, ...of, refusal };
};

const PAGE = 100;

interface Place {
  /** The refused requests before this one. */
  before?: string | undefined;
  /** The moment before which they were refused. */
  to?: string | undefined;
  /** The moment since which they are listed. */
  since?: string | undefined;
}

/** Refused requests that filters choose, newest first: a page of them, or all since a moment. */
export async function refusedOf(
  whose: Whose,
  { account, key, model, surface, requestId: request, batch, code, from, to }: Filters,
  place: Place,
  signal: AbortSignal,
): Promise<{ rows: Row[]; next?: string }> {
  const rows: Row[] = [];
  let before = place.before;
  for (;;) {
    const chosen = {
      key,
      model,
      surface,
      request,
      batch,
      code,
      from,
      to: place.to ?? to,
      before,
      limit: PAGE,
    };
    const { results, next } =
      whose === "all"
        ? await call("get", "/api/admin/refusals", { query: { ...chosen, account }, signal })
        : await call("get", "/api/compat/v1/refusals", { query: chosen, signal });
    const { since } = place;
    rows.push(...results.filter(({ createdAt }) => since === undefined || createdAt >= since).map(toRow));
    const isOver = since === undefined || (results.at(-1)?.createdAt ?? since) <= since;
    if (next === undefined || isOver) return { rows, ...(next !== undefined && { next }) };
    before = next;
  }
}
