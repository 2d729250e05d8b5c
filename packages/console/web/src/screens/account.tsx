import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useRoute } from "preact-iso";
import { type Answer, call } from "../api/client.ts";
import { AddCredit, Refund, SetPassword } from "../ui/account-dialogs.tsx";
import { Awaited } from "../ui/awaited.tsx";
import { Facts, Failed, Head, Id, Money, Status, When } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

type Account = Answer<"/api/admin/accounts/{accountId}">;
type Open = { what: "credit" | "password" } | { what: "refund"; generation?: string };

const LAST = 20;

/** One account: what it has, what it did last, and what an operator can do for it. */
export default function AccountScreen() {
  const accountId = useRoute().params.id ?? "";
  const found = useQuery({
    queryKey: ["admin", accountId, "account"],
    queryFn: ({ signal }) => call("get", "/api/admin/accounts/{accountId}", { path: { accountId }, signal }),
  });
  return (
    <Awaited what="the account" of={found}>
      {(account) => <OneAccount of={account} />}
    </Awaited>
  );
}

function OneAccount({ of: account }: { of: Account }) {
  const { id: accountId, isActive } = account;
  const open = useSignal<Open | undefined>(undefined);
  const fault = useSignal<unknown>(undefined);
  const queries = useQueryClient();
  const renew = (): void => void queries.invalidateQueries({ queryKey: ["admin", accountId] });
  const close = (): void => {
    open.value = undefined;
    renew();
  };
  const toggle = async (): Promise<void> => {
    fault.value = undefined;
    await call("patch", "/api/admin/accounts/{accountId}", {
      path: { accountId },
      body: { isActive: !isActive },
    }).catch((error: unknown) => {
      fault.value = error;
    });
    renew();
  };
  const opens = (what: Open, label: string, isMain = false) => (
    <button
      type="button"
      class={isMain ? "main" : ""}
      onClick={() => {
        open.value = what;
      }}
    >
      {label}
    </button>
  );
  return (
    <>
      <Head title={account.name} about={<Id of={accountId} />}>
        {opens({ what: "credit" }, "Add credit", true)}
        {opens({ what: "refund" }, "Refund")}
        {opens({ what: "password" }, "Set password")}
        <button type="button" onClick={toggle}>
          {isActive ? "Deactivate" : "Activate"}
        </button>
      </Head>
      {fault.value !== undefined && <Failed error={fault.value} />}
      <Facts
        of={[
          ["State", <Status key="s" of={isActive ? "active" : "disabled"} />],
          ["Balance", <Money key="b" amount={account.creditBalance} />],
          ["Held", <Money key="h" amount={account.held} />],
          ["Login", account.login ?? "–"],
          ["Created (UTC)", <When key="c" at={account.createdAt} />],
        ]}
      />
      <Keys accountId={accountId} />
      <Requests
        accountId={accountId}
        onRefund={(generation) => {
          open.value = { what: "refund", generation };
        }}
      />
      <Ledger accountId={accountId} />
      {open.value?.what === "credit" && <AddCredit of={account} onClose={close} />}
      {open.value?.what === "password" && <SetPassword of={account} onClose={close} />}
      {open.value?.what === "refund" && (
        <Refund of={account} generation={open.value.generation ?? ""} onClose={close} />
      )}
    </>
  );
}

function Keys({ accountId }: { accountId: string }) {
  const queries = useQueryClient();
  const queryKey = ["admin", accountId, "keys"];
  const keys = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call("get", "/api/admin/accounts/{accountId}/api-keys", { path: { accountId }, signal }),
  });
  const toggle = async (keyId: string, isActive: boolean): Promise<void> => {
    await call("patch", "/api/admin/accounts/{accountId}/api-keys/{keyId}", {
      path: { accountId, keyId },
      body: { isActive },
    }).catch(() => {});
    await queries.invalidateQueries({ queryKey });
  };
  return (
    <>
      <h2>Keys</h2>
      <Awaited what="keys" of={keys}>
        {({ results }) =>
          results.length === 0 ? (
            <p class="faint">It has no key.</p>
          ) : (
            <Table
              caption="API keys"
              rows={results}
              keyOf={({ id }) => id}
              columns={[
                { title: "Name", cell: ({ name }) => name },
                { title: "Begins with", cell: ({ prefix }) => <code>{prefix}</code> },
                {
                  title: "State",
                  cell: ({ isActive, revokedAt }) => (
                    <Status of={revokedAt ? "revoked" : isActive ? "active" : "disabled"} />
                  ),
                },
                { title: "Created (UTC)", cell: ({ createdAt }) => <When at={createdAt} /> },
                {
                  title: "Do",
                  cell: ({ id, name, isActive, revokedAt }) =>
                    revokedAt === undefined && (
                      <button
                        type="button"
                        class="quiet"
                        aria-label={`${isActive ? "Disable" : "Enable"} ${name}`}
                        onClick={() => void toggle(id, !isActive)}
                      >
                        {isActive ? "Disable" : "Enable"}
                      </button>
                    ),
                },
              ]}
            />
          )
        }
      </Awaited>
    </>
  );
}

function Requests({ accountId, onRefund }: { accountId: string; onRefund: (id: string) => void }) {
  const list = useQuery({
    queryKey: ["admin", accountId, "generations"],
    queryFn: ({ signal }) =>
      call("get", "/api/admin/generations", { query: { account: accountId, limit: LAST } as never, signal }),
  });
  return (
    <>
      <h2>Last requests</h2>
      <Awaited what="requests" of={list}>
        {({ results }) =>
          results.length === 0 ? (
            <p class="faint">It has sent no request yet.</p>
          ) : (
            <Table
              caption="Last requests"
              rows={results}
              keyOf={({ id }) => id}
              columns={[
                { title: "Time (UTC)", cell: ({ createdAt }) => <When at={createdAt} /> },
                { title: "Status", cell: ({ status }) => <Status of={status} /> },
                { title: "Model", cell: ({ model }) => model },
                { title: "Provider", cell: ({ provider }) => provider ?? "–" },
                { title: "Cost", isNumber: true, cell: ({ usdCost }) => <Money amount={usdCost} /> },
                { title: "Id", cell: ({ id }) => <code>{id}</code> },
                {
                  title: "Do",
                  cell: ({ id, usdCost = 0 }) =>
                    usdCost > 0 && (
                      <button
                        type="button"
                        class="quiet"
                        aria-label={`Refund ${id}`}
                        onClick={() => onRefund(id)}
                      >
                        Refund
                      </button>
                    ),
                },
              ]}
            />
          )
        }
      </Awaited>
    </>
  );
}

function Ledger({ accountId }: { accountId: string }) {
  const list = useQuery({
    queryKey: ["admin", accountId, "ledger"],
    queryFn: ({ signal }) =>
      call("get", "/api/admin/accounts/{accountId}/ledger", {
        path: { accountId },
        query: { limit: LAST } as never,
        signal,
      }),
  });
  return (
    <>
      <h2>Last movements of credit</h2>
      <Awaited what="the ledger" of={list}>
        {({ results }) =>
          results.length === 0 ? (
            <p class="faint">No credit has moved yet.</p>
          ) : (
            <Table
              caption="Movements of credit"
              rows={results}
              keyOf={({ id }) => id}
              columns={[
                { title: "Time (UTC)", cell: ({ createdAt }) => <When at={createdAt} /> },
                { title: "Kind", cell: ({ kind }) => kind },
                { title: "Amount", isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
                { title: "Id", cell: ({ id }) => <code>{id}</code> },
              ]}
            />
          )
        }
      </Awaited>
    </>
  );
}
