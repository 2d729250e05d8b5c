import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";

/** The providers and routes as the process that answers knows them now. */
export type State = Answer<"/api/admin/state">;
export type ProviderState = State["providers"][number];
export type RouteState = ProviderState["entries"][number];

const EVERY_MS = 5_000;

/** Circuits and loads change by themselves. */
export const useGatewayState = () =>
  useQuery({
    queryKey: ["state"],
    queryFn: ({ signal }) => call("get", "/api/admin/state", { signal }),
    refetchInterval: EVERY_MS,
  });
