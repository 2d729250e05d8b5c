import { type Answer, call } from "./api/client.ts";
import { pageOf as batchPage } from "./batches/words.ts";
import { pageOf as jobPage } from "./jobs/words.ts";
import { keyAddress } from "./keys/address.ts";
import { operator, session } from "./state/session.ts";

export type Finding = Answer<"/api/compat/v1/find">["results"][number];

/** What kinds of things are called. */
export const KINDS: Record<Finding["kind"], string> = {
  generation: "request",
  request: "request, by its request id",
  refusal: "refused request",
  job: "job",
  batch: "batch",
  key: "key",
  account: "account",
};

/** The page that shows what was found. */
export const pageOf = ({ kind, id, accountId, path }: Finding): string => {
  const at = encodeURIComponent(id);
  if (kind === "refusal") {
    const { pathname, searchParams } = new URL(path, location.origin);
    const request = encodeURIComponent(searchParams.get("request") ?? "");
    const of = pathname.startsWith("/api/admin/") ? "&of=all" : "";
    return `/console/requests?status=refused&requestId=${request}&open=${at}${of}`;
  }
  const owner = path.startsWith("/api/admin/") ? accountId : undefined;
  if (kind === "batch") return batchPage(id, owner);
  if (kind === "job") return jobPage(id, owner);
  if (kind === "key") return keyAddress(id, accountId);
  if (kind === "account") return `/console/accounts/${encodeURIComponent(accountId ?? id)}`;
  return `/console/requests/${at}`;
};

/** What has an id, of the account or, for operators, of all accounts. */
export async function findById(q: string, of: "account" | "all", signal?: AbortSignal): Promise<Finding[]> {
  const options = { query: { q }, ...(signal && { signal }) };
  const { results } =
    of === "all"
      ? await call("get", "/api/admin/find", options)
      : await call("get", "/api/compat/v1/find", options);
  return results;
}

/** The same wherever who is signed in may look; what is found in both places is listed once, as the account's. */
export async function findAnywhere(q: string, signal: AbortSignal): Promise<Finding[]> {
  const places = [session.value && "account", operator.value !== null && "all"] as const;
  const found = await Promise.all(places.map((place) => (place ? findById(q, place, signal) : [])));
  const unique = new Map<string, Finding>();
  for (const one of found.flat()) {
    const name = `${one.kind} ${one.id}`;
    if (!unique.has(name)) unique.set(name, one);
  }
  return [...unique.values()];
}
