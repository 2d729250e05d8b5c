import { useQuery } from "@tanstack/preact-query";
import { type Answer, ApiError, call } from "../api/client.ts";
import { operator } from "../state/session.ts";

/** A request with all details; only operators see providers. */
export type Detail = Answer<"/api/admin/generations/{generationId}">;

/** One request: the account's own, or any of those that operators see. */
export const useDetail = (id: string, whose: "account" | "all") =>
  useQuery({
    queryKey: ["request", id, whose],
    queryFn: async ({ signal }): Promise<Detail> => {
      const path = { generationId: id };
      const any = () => call("get", "/api/admin/generations/{generationId}", { path, signal });
      if (whose === "all") return any();
      try {
        return await call("get", "/api/compat/v1/usage/{generationId}", { path, signal });
      } catch (error) {
        const isForeign = error instanceof ApiError && error.status === 404 && operator.value !== null;
        if (isForeign) return any();
        throw error;
      }
    },
  });
