import { useSignal } from "@preact/signals";
import { useQueryClient } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { endOperator, operator, session, signOut } from "../state/session.ts";
import { type Theme, theme } from "../state/theme.ts";
import { zone } from "../state/zone.ts";
import { Badge } from "../ui/badge.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { Menu } from "../ui/menu.tsx";
import { AccountForm, OperatorForm } from "../ui/sign-in.tsx";

/** An operator sees and changes what belongs to others, so it always shows. */
export const Who = () =>
  operator.value !== null && (
    <Badge tone="bad">Operator{operator.value === "operator" ? "" : ` ${operator.value}`}</Badge>
  );

const THEMES: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };

/** The sessions, and how the page is shown: adds the session that is missing, ends the operator's alone, or ends all. */
export function Sessions({ onKeys }: { onKeys: () => void }) {
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
  const themes = Object.entries(THEMES).map(([name, text], at) => ({
    text,
    isOn: theme.value === name,
    ...(at === 0 && { begins: "Theme" }),
    onClick: () => {
      theme.value = name as Theme;
    },
  }));
  const zones = (["utc", "local"] as const).map((name, at) => ({
    text: name === "utc" ? "UTC" : "My own zone",
    isOn: zone.value === name,
    ...(at === 0 && { begins: "Times" }),
    onClick: () => {
      zone.value = name;
    },
  }));
  return (
    <>
      <Menu
        label={`Session of ${session.value?.name ?? "the operator"}`}
        items={[
          has.account && has.operator
            ? { text: "End operator", onClick: () => void end() }
            : {
                text: missing === "operator" ? "Sign in as operator" : "Sign in with an account",
                onClick: ask(true),
              },
          { text: "Sign out", onClick: () => void signOut() },
          ...themes,
          ...zones,
          { text: "Keyboard shortcuts", begins: "", onClick: onKeys },
        ]}
      >
        <span class="text">{session.value?.name ?? "Operator"}</span>
        <Icon name="down" />
      </Menu>
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
