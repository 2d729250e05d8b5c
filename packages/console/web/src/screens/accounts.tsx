import { useSignal } from "@preact/signals";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count } from "../format.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Field, typedInto } from "../ui/form.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Pages } from "../ui/pages.tsx";
import { Empty, Head, Money, Status } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

const PAGE = 50;

/** All accounts with what they have. */
export default function Accounts() {
  const [params, set] = useParams();
  const offset = Number(params.offset ?? 0);
  const isCreating = params.new === "account";
  const queries = useQueryClient();
  const list = useQuery({
    queryKey: ["accounts", offset],
    queryFn: ({ signal }) =>
      call("get", "/api/admin/accounts", { query: { offset, limit: PAGE, with: "spend" }, signal }),
    placeholderData: keepPreviousData,
  });
  const close = (): void => {
    set({ new: undefined });
    void queries.invalidateQueries({ queryKey: ["accounts"] });
  };
  return (
    <>
      <Head title="Accounts" about={list.data && `${count(list.data.total)} in all`}>
        <button type="button" class="main" onClick={() => set({ new: "account" })}>
          Create account
        </button>
      </Head>
      <Awaited label="accounts" of={list}>
        {({ results, total }) =>
          results.length === 0 ? (
            <Empty>
              <p>No accounts yet. Create one, add credit and create a key for it.</p>
            </Empty>
          ) : (
            <>
              <Table
                caption="Accounts"
                rows={results}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: "Name",
                    cell: ({ name }) => name,
                    href: ({ id }) => `/console/accounts/${encodeURIComponent(id)}`,
                  },
                  { title: "Id", cell: ({ id }) => <code>{id}</code> },
                  {
                    title: "State",
                    cell: ({ isActive }) => <Status of={isActive ? "active" : "disabled"} />,
                  },
                  {
                    title: "Balance",
                    isNumber: true,
                    cell: ({ creditBalance }) => <Money amount={creditBalance} />,
                  },
                  { title: "Held", isNumber: true, cell: ({ held }) => <Money amount={held} /> },
                  {
                    title: "Spent in 30 days",
                    isNumber: true,
                    cell: ({ spend30Days }) => <Money amount={spend30Days} />,
                  },
                  { title: "Login", cell: ({ login }) => login ?? "–" },
                  { title: "Created", time: ({ createdAt }) => createdAt },
                ]}
              />
              <Pages offset={offset} size={PAGE} total={total} go={(to) => set({ offset: to })} />
            </>
          )
        }
      </Awaited>
      {isCreating && <CreateAccount onClose={close} />}
    </>
  );
}

function CreateAccount({ onClose }: { onClose: () => void }) {
  const name = useSignal("");
  const create = async (): Promise<void> => {
    await call("post", "/api/admin/accounts", { body: { name: name.value } });
    onClose();
  };
  return (
    <FormDialog title="Create an account" act="Create account" onSubmit={create} onClose={onClose}>
      <Field label="Name" hint="The customer or team." required autoFocus {...typedInto(name)} />
    </FormDialog>
  );
}
