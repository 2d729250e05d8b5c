import { useSignal } from "@preact/signals";
import { useQueryClient } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { endOperator, operator, session, signOut } from "../state/session.ts";
import { Dialog } from "./dialog.tsx";
import { AccountForm, OperatorForm } from "./sign-in.tsx";

/** Who is signed in: an account, an operator, or both at one time. */
export const Who = () => (
  <span class="who">
    {session.value?.name}
    {operator.value !== null && (
      <b>
        {session.value && " · "}operator{operator.value === "operator" ? "" : ` ${operator.value}`}
      </b>
    )}
  </span>
);

/** Adds the session that is missing, ends the operator's alone, or ends all. */
export function Sessions() {
  const isAsking = useSignal(false);
  const queries = useQueryClient();
  const { route } = useLocation();
  const has = { account: session.value !== null, operator: operator.value !== null };
  const missing = has.account ? "operator" : "account";
  const ask = (is: boolean) => () => {
    isAsking.value = is;
  };
  const signedIn = (): void => {
    isAsking.value = false;
    void queries.resetQueries();
  };
  const end = async (): Promise<void> => {
    await endOperator();
    queries.removeQueries();
    route("/console");
  };
  return (
    <>
      {has.account && has.operator ? (
        <button type="button" onClick={end}>
          End operator
        </button>
      ) : (
        <button type="button" onClick={ask(true)}>
          {missing === "operator" ? "Operator" : "Account"}
        </button>
      )}
      <button type="button" onClick={signOut}>
        Sign out
      </button>
      {isAsking.value && (
        <Dialog
          title={missing === "operator" ? "Also sign in as operator" : "Also sign in with an account"}
          onClose={ask(false)}
        >
          {missing === "operator" ? (
            <OperatorForm then={signedIn} onCancel={ask(false)} />
          ) : (
            <AccountForm then={signedIn} onCancel={ask(false)} />
          )}
        </Dialog>
      )}
    </>
  );
}
