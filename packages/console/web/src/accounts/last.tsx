import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { call } from "../api/client.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Clip } from "../ui/clip.tsx";
import { MovementTable } from "../ui/movement-table.tsx";
import { Empty, ShortId, Status } from "../ui/parts.tsx";
import { Section } from "../ui/section.tsx";
import { Table } from "../ui/table.tsx";

const LAST = 20;

interface LastProps<Row> {
  title: string;
  label: string;
  none: string;
  accountId: string;
  ask: (signal: AbortSignal) => Promise<{ results: Row[] }>;
  children: (rows: Row[]) => ComponentChildren;
}

/** The newest of one kind of an account's records. */
function Last<Row>({ title, label, none, accountId, ask, children }: LastProps<Row>) {
  const list = useQuery({ queryKey: ["admin", accountId, label], queryFn: ({ signal }) => ask(signal) });
  return (
    <Section title={title}>
      <Awaited label={label} rows={LAST} of={list}>
        {({ results }) => (results.length === 0 ? <Empty title={none} /> : children(results))}
      </Awaited>
    </Section>
  );
}

/** What an account asked for last, each of which can be refunded. */
export const LastRequests = ({
  accountId,
  onRefund,
}: {
  accountId: string;
  onRefund: (id: string) => void;
}) => (
  <Last
    title="Last requests"
    label="requests"
    none="This account has sent no requests yet."
    accountId={accountId}
    ask={(signal) =>
      call("get", "/api/admin/generations", { query: { account: accountId, limit: LAST }, signal })
    }
  >
    {(rows) => (
      <Table
        caption="Last requests"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "Time",
            time: ({ createdAt }) => createdAt,
            href: ({ id }) => `/console/requests/${encodeURIComponent(id)}`,
          },
          { title: "Status", card: "bare", cell: ({ status }) => <Status of={status} /> },
          { title: "Model", card: "bare", cell: ({ model }) => <Clip>{model}</Clip> },
          { title: "Provider", cell: ({ provider }) => provider ?? "–" },
          { title: "Cost", card: "side", amount: ({ usdCost }) => usdCost },
          { title: "Id", drops: 2, cell: ({ id }) => <ShortId of={id} /> },
          {
            title: "Actions",
            cell: ({ id, usdCost = 0 }) =>
              usdCost > 0 && (
                <button type="button" class="quiet" aria-label={`Refund ${id}`} onClick={() => onRefund(id)}>
                  Refund
                </button>
              ),
          },
        ]}
      />
    )}
  </Last>
);

/** The last movements of an account's credit. */
export const LastMovements = ({ accountId }: { accountId: string }) => (
  <Last
    title="Last movements of credit"
    label="the ledger"
    none="No credit has moved yet."
    accountId={accountId}
    ask={(signal) =>
      call("get", "/api/admin/accounts/{accountId}/ledger", {
        path: { accountId },
        query: { limit: LAST },
        signal,
      })
    }
  >
    {(rows) => (
      <MovementTable
        rows={rows}
        purpose={({ generationId, id }) =>
          generationId ? (
            <a href={`/console/requests/${encodeURIComponent(generationId)}`}>
              <ShortId of={generationId} />
            </a>
          ) : (
            <code>{id}</code>
          )
        }
      />
    )}
  </Last>
);
