import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { CAPS } from "../ui/caps.ts";
import { Gauge } from "../ui/gauge.tsx";
import { ChangeCaps, CreateKey, RevealKey, RevokeKey } from "../ui/key-dialogs.tsx";
import { Empty, Failed, Head, Loading, Status, When } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

export type Key = Answer<"/api/compat/v1/api-keys">["results"][number];
type Open = { what: "create" } | { what: "caps" | "reveal" | "revoke"; key: Key };

const stateOf = ({ isActive, revokedAt }: Key): string =>
  revokedAt !== undefined ? "revoked" : isActive ? "active" : "disabled";

/** The account's API keys and what each may spend. */
export default function Keys() {
  const open = useSignal<Open | undefined>(undefined);
  const queries = useQueryClient();
  const list = useQuery({
    queryKey: ["keys"],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/api-keys", { query: { with: "spend" }, signal }),
  });
  const close = (): void => {
    open.value = undefined;
    void queries.invalidateQueries({ queryKey: ["keys"] });
  };
  const toggle = async ({ id: keyId, isActive }: Key): Promise<void> => {
    await call("patch", "/api/compat/v1/api-keys/{keyId}", {
      path: { keyId },
      body: { isActive: !isActive },
    });
    close();
  };
  const act = (what: "caps" | "reveal" | "revoke", key: Key, label: string) => (
    <button
      type="button"
      class="quiet"
      aria-label={`${label} ${key.name}`}
      onClick={() => {
        open.value = { what, key };
      }}
    >
      {label}
    </button>
  );
  return (
    <>
      <Head title="Keys" about="Each program gets a key of its own, with caps of its own.">
        <button
          type="button"
          class="main"
          onClick={() => {
            open.value = { what: "create" };
          }}
        >
          Create key
        </button>
      </Head>
      {list.isPending && <Loading what="keys" />}
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data?.results.length === 0 && (
        <Empty>
          <p>There is no key yet. Create one, and give it to one program.</p>
        </Empty>
      )}
      {list.data && list.data.results.length > 0 && (
        <Table
          caption="API keys"
          rows={list.data.results}
          keyOf={({ id }) => id}
          columns={[
            {
              title: "Name",
              cell: ({ name }) => name,
              href: ({ id }) => `/console/usage?key=${encodeURIComponent(id)}`,
            },
            { title: "Begins with", cell: ({ prefix }) => <code>{prefix}</code> },
            { title: "State", cell: (key) => <Status of={stateOf(key)} /> },
            { title: "Created (UTC)", cell: ({ createdAt }) => <When at={createdAt} /> },
            ...CAPS.map((cap) => ({
              title: `${cap} cap`,
              isNumber: true,
              cell: ({ name, caps }: Key) =>
                caps?.[cap] ? <Gauge label={`${cap} cap of ${name}`} {...caps[cap]} /> : "–",
            })),
            {
              title: "Do",
              cell: (key) =>
                key.revokedAt === undefined && (
                  <span class="acts">
                    {act("reveal", key, "Reveal")}
                    {act("caps", key, "Caps")}
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`${key.isActive ? "Disable" : "Enable"} ${key.name}`}
                      onClick={() => void toggle(key)}
                    >
                      {key.isActive ? "Disable" : "Enable"}
                    </button>
                    {act("revoke", key, "Revoke")}
                  </span>
                ),
            },
          ]}
        />
      )}
      {open.value?.what === "create" && <CreateKey onClose={close} />}
      {open.value?.what === "caps" && <ChangeCaps of={open.value.key} onClose={close} />}
      {open.value?.what === "reveal" && <RevealKey of={open.value.key} onClose={close} />}
      {open.value?.what === "revoke" && <RevokeKey of={open.value.key} onClose={close} />}
    </>
  );
}
