import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";

/** The providers and routes as the process that answers knows them now. */
export type State = Answer<"/api/admin/state">;
export type ProviderState = State["providers"][number];
export type RouteState = ProviderState["entries"][number];

const EVERY_MS = 5_000;

interface StateOptions {
  /** Circuits and loads change by themselves. */
  isWatched?: boolean;
  enabled?: boolean;
}

/** The state of the process that answers, as of now, or read again and again. */
export const useGatewayState = ({ isWatched = false, enabled = true }: StateOptions = {}) =>
  useQuery({
    queryKey: ["state"],
    queryFn: ({ signal }) => call("get", "/api/admin/state", { signal }),
    refetchInterval: isWatched && EVERY_MS,
    enabled,
  });
