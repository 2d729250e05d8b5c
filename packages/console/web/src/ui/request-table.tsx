import type { Answer } from "../api/client.ts";
import { count, duration } from "../format.ts";
import { Money, Status, When } from "./parts.tsx";
import { Table } from "./table.tsx";

export type RequestRow = Answer<"/api/compat/v1/usage">["results"][number];

const tokens = ({ usage }: RequestRow, name: "promptTokens" | "completionTokens"): string => {
  const value = usage?.[name];
  return typeof value === "number" ? count(value) : "–";
};

/** Records of requests, newest first, each leading to its page. */
export const RequestTable = ({ rows }: { rows: readonly RequestRow[] }) => (
  <Table
    caption="Requests"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      {
        title: "Time (UTC)",
        cell: ({ createdAt }) => <When at={createdAt} />,
        href: ({ id }) => `/console/requests/${encodeURIComponent(id)}`,
      },
      { title: "Status", cell: ({ status }) => <Status of={status} /> },
      { title: "Model", cell: ({ model }) => model },
      { title: "Kind", cell: ({ modality }) => modality },
      { title: "Input", isNumber: true, cell: (row) => tokens(row, "promptTokens") },
      { title: "Output", isNumber: true, cell: (row) => tokens(row, "completionTokens") },
      { title: "Cost", isNumber: true, cell: ({ usdCost }) => <Money amount={usdCost} /> },
      { title: "Duration", isNumber: true, cell: ({ durationMs }) => duration(durationMs) },
      {
        title: "Attempts",
        isNumber: true,
        cell: ({ attempts = [] }) =>
          attempts.length > 1 ? <span class="warn">{attempts.length}</span> : attempts.length || "–",
      },
      {
        title: "Losses",
        isNumber: true,
        cell: ({ losses = [], replyLosses = [] }) => {
          const lost = losses.length + replyLosses.length;
          return lost > 0 ? <span class="warn">{lost}</span> : "–";
        },
      },
    ]}
  />
);
