import { useGatewayState } from "../providers/state.ts";
import { operator } from "../state/session.ts";
import { useMembers } from "./calls.ts";

/** Whether any provider is served but those that are built in; undefined until it is known, and for accounts. */
export function useHasProvider(): boolean | undefined {
  const isOperator = operator.value !== null;
  const members = useMembers(isOperator);
  const state = useGatewayState({ enabled: isOperator });
  if (!members.data || !state.data) return undefined;
  const builtIn = new Set(
    members.data.flatMap((one) =>
      one.section === "providers" && one.source === "service" ? [one.name] : [],
    ),
  );
  return state.data.providers.some(({ id }) => !builtIn.has(id));
}
