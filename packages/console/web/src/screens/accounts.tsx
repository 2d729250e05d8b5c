import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { counted } from "../format.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Clip } from "../ui/clip.tsx";
import { Field, typedInto } from "../ui/form.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Pages } from "../ui/pages.tsx";
import { Empty, Head, Status } from "../ui/parts.tsx";
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
    placeholderData: keepWhileOnline,
  });
  const close = (): void => {
    set({ new: undefined });
    void queries.invalidateQueries({ queryKey: ["accounts"] });
  };
  return (
    <>
      <Head title="Accounts" about={list.data && counted(list.data.total, "account")}>
        <button type="button" class="main" onClick={() => set({ new: "account" })}>
          Create account
        </button>
      </Head>
      <Awaited label="accounts" rows={10} of={list}>
        {({ results, total }) =>
          results.length === 0 ? (
            <Empty title="No accounts yet" icon="accounts">
              <p>Create one, add credit and create a key for it.</p>
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
                    cell: ({ name }) => <Clip>{name}</Clip>,
                    href: ({ id }) => `/console/accounts/${encodeURIComponent(id)}`,
                  },
                  { title: "Id", drops: 1, cell: ({ id }) => <code>{id}</code> },
                  {
                    title: "State",
                    card: "bare",
                    cell: ({ isActive }) => <Status of={isActive ? "active" : "disabled"} />,
                  },
                  {
                    title: "Balance",
                    card: "side",
                    amount: ({ creditBalance }) => creditBalance,
                  },
                  { title: "Held", drops: 3, amount: ({ held }) => held },
                  {
                    title: "Spent in 30 days",
                    amount: ({ spend30Days }) => spend30Days,
                  },
                  { title: "Login", drops: 2, cell: ({ login }) => login ?? "–" },
                  { title: "Created", drops: 1, time: ({ createdAt }) => createdAt },
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
      <Field
        name="name"
        maxlength={64}
        label="Name"
        hint="The customer or team."
        required
        autoFocus
        {...typedInto(name)}
      />
    </FormDialog>
  );
}
