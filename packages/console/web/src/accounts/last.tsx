import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { Clip } from "../ui/clip.tsx";
import { MovementTable } from "../ui/movement-table.tsx";
import { Empty, ShortId, Status } from "../ui/parts.tsx";
import { Section } from "../ui/section.tsx";
import { Table } from "../ui/table.tsx";

const LAST = 20;

type Request = Answer<"/api/admin/generations">["results"][number];
type Movement = Answer<"/api/admin/accounts/{accountId}/ledger">["results"][number];

/** What an account asked for last, and how its credit moved. */
export function useLast(accountId: string) {
  const requests = useQuery({
    queryKey: ["admin", accountId, "requests"],
    queryFn: ({ signal }) =>
      call("get", "/api/admin/generations", { query: { account: accountId, limit: LAST }, signal }),
  });
  const movements = useQuery({
    queryKey: ["admin", accountId, "ledger"],
    queryFn: ({ signal }) =>
      call("get", "/api/admin/accounts/{accountId}/ledger", {
        path: { accountId },
        query: { limit: LAST },
        signal,
      }),
  });
  return { requests, movements };
}

interface LastRequestsProps {
  /** The id of the account. */
  account: string;
  rows: readonly Request[];
  onRefund: (id: string) => void;
}

/** Where all of an account is listed or summed up. */
const ALL = { requests: "All requests", batches: "Batches", "all-usage": "Usage" };

const AllOf = ({ account }: { account: string }) => (
  <>
    {Object.entries(ALL).map(([screen, name]) => (
      <a key={screen} class="button" href={`/console/${screen}?${new URLSearchParams({ account })}`}>
        {name}
      </a>
    ))}
  </>
);

/** The last requests of an account, each of which can be refunded. */
export const LastRequests = ({ account, rows, onRefund }: LastRequestsProps) => (
  <Section title="Last requests" acts={<AllOf account={account} />}>
    {rows.length === 0 ? (
      <Empty title="No requests yet" />
    ) : (
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
  </Section>
);

/** The last movements of an account's credit. */
export const LastMovements = ({ rows }: { rows: readonly Movement[] }) => (
  <Section title="Last movements of credit">
    {rows.length === 0 ? (
      <Empty title="No credit has moved yet" />
    ) : (
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
  </Section>
);
