import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { operator } from "../state/session.ts";
import { useMembers } from "./calls.ts";

/** Whether any provider is served but those that are built in; undefined until it is known, and for accounts. */
export function useHasProvider(): boolean | undefined {
  const isOperator = operator.value !== null;
  const members = useMembers(isOperator);
  const state = useQuery({
    queryKey: ["state"],
    queryFn: ({ signal }) => call("get", "/api/admin/state", { signal }),
    enabled: isOperator,
  });
  if (!members.data || !state.data) return undefined;
  const builtIn = new Set(
    members.data.flatMap((one) =>
      one.section === "providers" && one.source === "service" ? [one.name] : [],
    ),
  );
  return state.data.providers.some(({ id }) => !builtIn.has(id));
}
