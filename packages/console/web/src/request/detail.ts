import { useQuery } from "@tanstack/preact-query";
import { type Answer, ApiError, call } from "../api/client.ts";
import { operator } from "../state/session.ts";

/** A request with all details; only operators see providers. */
export type Detail = Answer<"/api/admin/generations/{generationId}">;

/** Finds a request: the account's own, or any of those that operators see. */
export async function findDetail(
  id: string,
  whose: "account" | "all",
  signal?: AbortSignal,
): Promise<Detail> {
  const path = { generationId: id };
  const options = { path, ...(signal && { signal }) };
  const any = () => call("get", "/api/admin/generations/{generationId}", options);
  if (whose === "all") return any();
  try {
    return await call("get", "/api/compat/v1/usage/{generationId}", options);
  } catch (error) {
    const isForeign = error instanceof ApiError && error.status === 404 && operator.value !== null;
    if (isForeign) return any();
    throw error;
  }
}

export const useDetail = (id: string, whose: "account" | "all") =>
  useQuery({
    queryKey: ["request", id, whose],
    queryFn: ({ signal }) => findDetail(id, whose, signal),
  });
