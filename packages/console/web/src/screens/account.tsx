import { type Signal, useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useRoute } from "preact-iso";
import type { Account } from "../accounts/account.ts";
import { AddCredit } from "../accounts/credit.tsx";
import { AccountKeys, useAccountKeys } from "../accounts/keys.tsx";
import { LastMovements, LastRequests, useLast } from "../accounts/last.tsx";
import { SetPassword } from "../accounts/password.tsx";
import { Refund } from "../accounts/refund.tsx";
import { call } from "../api/client.ts";
import { inZone } from "../state/zone.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { Facts, Failed, Head, Id, Money, Status, When } from "../ui/parts.tsx";

type Open = { kind: "credit" | "password" } | { kind: "refund"; generation?: string };

/** One account: what it has, what it did last, and what an operator can do for it. */
export default function AccountScreen() {
  const accountId = useRoute().params.id ?? "";
  const open = useSignal<Open | undefined>(undefined);
  const found = useQuery({
    queryKey: ["admin", accountId, "account"],
    queryFn: ({ signal }) => call("get", "/api/admin/accounts/{accountId}", { path: { accountId }, signal }),
  });
  const fault = useSignal<unknown>(undefined);
  const queries = useQueryClient();
  const renew = (): void => void queries.invalidateQueries({ queryKey: ["admin", accountId] });
  const toggle = async (isActive: boolean): Promise<void> => {
    fault.value = undefined;
    await call("patch", "/api/admin/accounts/{accountId}", {
      path: { accountId },
      body: { isActive },
    }).catch((error: unknown) => {
      fault.value = error;
    });
    renew();
  };
  const opens = (dialog: Open, label: string, isMain = false) => (
    <button
      type="button"
      class={isMain ? "main" : ""}
      onClick={() => {
        open.value = dialog;
      }}
    >
      {label}
    </button>
  );
  return (
    <>
      <Head title={found.data?.name ?? "Account"} about={<Id of={accountId} />}>
        {found.data && (
          <>
            {opens({ kind: "credit" }, "Add credit", true)}
            {opens({ kind: "refund" }, "Refund")}
            {opens({ kind: "password" }, "Set password")}
            <button type="button" onClick={() => toggle(!found.data.isActive)}>
              {found.data.isActive ? "Deactivate" : "Activate"}
            </button>
          </>
        )}
      </Head>
      {fault.value !== undefined && <Failed error={fault.value} />}
      <Awaited label="the account" of={found}>
        {(account) => <OneAccount of={account} open={open} onChange={renew} />}
      </Awaited>
    </>
  );
}

interface OneAccountProps {
  of: Account;
  open: Signal<Open | undefined>;
  /** Loads the account again. */
  onChange: () => void;
}

/** The rows below the facts, about, while they are loaded. */
const ROOM = 20;

function OneAccount({ of: account, open, onChange }: OneAccountProps) {
  const keys = useAccountKeys(account.id);
  const last = useLast(account.id);
  const close = (): void => {
    open.value = undefined;
    onChange();
  };
  return (
    <>
      <Facts
        of={[
          ["State", <Status key="s" of={account.isActive ? "active" : "disabled"} />],
          ["Balance", <Money key="b" amount={account.creditBalance} />],
          ["Held", <Money key="h" amount={account.held} />],
          ["Login", account.login ?? "–"],
          [inZone("Created"), <When key="c" at={account.createdAt} />],
        ]}
      />
      <Awaited
        label="keys, requests and movements"
        rows={ROOM}
        of={together([keys, last.requests, last.movements])}
      >
        {([ofKeys, requests, movements]) => (
          <>
            <AccountKeys of={account} rows={ofKeys.results} defaults={ofKeys.defaults} />
            <LastRequests
              account={account.id}
              rows={requests.results}
              onRefund={(generation) => {
                open.value = { kind: "refund", generation };
              }}
            />
            <LastMovements rows={movements.results} />
          </>
        )}
      </Awaited>
      {open.value?.kind === "credit" && <AddCredit of={account} onClose={close} />}
      {open.value?.kind === "password" && <SetPassword of={account} onClose={close} />}
      {open.value?.kind === "refund" && (
        <Refund of={account} generation={open.value.generation ?? ""} onClose={close} />
      )}
    </>
  );
}
