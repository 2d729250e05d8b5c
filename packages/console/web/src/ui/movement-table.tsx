import type { ComponentChildren } from "preact";
import type { Answer } from "../api/client.ts";
import { Table } from "./table.tsx";

type Movement = Answer<"/api/compat/v1/ledger">["results"][number];

interface MovementTableProps {
  rows: readonly Movement[];
  /** What it was for: a request, or the reference of credit. */
  purpose: (movement: Movement) => ComponentChildren;
}

/** Lines of the ledger of one account. */
export const MovementTable = ({ rows, purpose }: MovementTableProps) => (
  <Table
    caption="Movements of credit"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      { title: "Time", time: ({ createdAt }) => createdAt },
      { title: "Kind", cell: ({ kind }) => kind, card: "bare" },
      { title: "Amount", amount: ({ amount }) => amount, card: "side" },
      { title: "For", cell: purpose },
    ]}
  />
);
