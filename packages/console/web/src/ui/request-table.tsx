import { count, duration } from "../format.ts";
import { madeOf } from "../request/made.ts";
import type { Row, Whose } from "../requests/source.ts";
import { Clip } from "./clip.tsx";
import type { Column } from "./column.tsx";
import { ShortId, Status } from "./parts.tsx";
import { Table } from "./table.tsx";

const tokens = ({ usage }: Row, name: "promptTokens" | "completionTokens"): string => {
  const value = usage?.[name];
  return typeof value === "number" ? count(value) : "–";
};

/** Tokens, or what was made or counted in their place: `4 seconds`. */
const output = (row: Row): string =>
  row.usage?.completionTokens === 0 ? madeOf(row.usage) || "0" : tokens(row, "completionTokens");

interface RequestTableProps {
  rows: readonly Row[];
  whose?: Whose;
  keyNames?: ReadonlyMap<string, string>;
  /** Where a row leads; by default to its page. */
  addressOf?: (id: string) => string;
  sorting?: { by: string | undefined; set: (by: string | undefined) => void };
  opened?: string | undefined;
  onOpen?: (id: string) => void;
}

/** Records of requests, newest first, each leading to its page or to what is open beside them. */
export function RequestTable(props: RequestTableProps) {
  const { rows, whose = "account", keyNames, sorting, opened, onOpen } = props;
  const { addressOf = (id) => `/console/requests/${encodeURIComponent(id)}` } = props;
  // The wider table of all accounts loses these first: what a request cost and how long it took stays in sight.
  const drops = whose === "all" ? 1 : 2;
  const columns: (Column<Row> | false)[] = [
    {
      title: "Time",
      time: ({ createdAt }) => createdAt,
      href: ({ id }) => addressOf(id),
      card: "bare",
    },
    {
      title: "Status",
      card: "bare",
      cell: ({ status, refusal }) => (
        <>
          <Status of={status} />{" "}
          {refusal && (
            <span class="faint short code" title={refusal.code}>
              {refusal.code}
            </span>
          )}
        </>
      ),
    },
    whose === "all" && { title: "Account", cell: ({ accountName, userId }) => accountName ?? userId },
    {
      title: "Model",
      card: "lead",
      cell: ({ model }) => <Clip>{model}</Clip>,
    },
    whose === "all" && { title: "Provider", cell: ({ provider }) => provider ?? "–" },
    keyNames !== undefined && {
      title: "Key",
      card: "bare",
      ...(whose === "all" && { drops }),
      cell: ({ apiKeyId }) => {
        const name = apiKeyId === undefined ? "–" : keyNames.get(apiKeyId);
        return name === undefined ? <ShortId of={apiKeyId ?? ""} /> : <Clip>{name}</Clip>;
      },
    },
    { title: "Kind", cell: ({ modality = "–" }) => modality, drops },
    { title: "Input", isNumber: true, cell: (row) => tokens(row, "promptTokens"), drops },
    {
      title: "Output",
      isNumber: true,
      cell: output,
      ...(whose === "all" && { drops: 2 }),
      sort: "tokens",
      card: "off",
    },
    { title: "Cost", amount: ({ usdCost }) => usdCost, sort: "cost", card: "side" },
    {
      title: "Duration",
      isNumber: true,
      cell: ({ durationMs }) => duration(durationMs),
      sort: "duration",
      card: "bare",
    },
    {
      title: "Attempts",
      drops: 1,
      isNumber: true,
      cell: ({ attempts = [] }) =>
        attempts.length > 1 ? <span class="warn">{attempts.length}</span> : attempts.length || "–",
    },
    {
      title: "Losses",
      drops: whose === "all" ? 1 : 3,
      isNumber: true,
      cell: ({ losses = [], replyLosses = [] }) => {
        const lost = losses.length + replyLosses.length;
        return lost > 0 ? <span class="warn">{lost}</span> : "–";
      },
    },
  ];
  return (
    <Table
      caption="Requests"
      rows={rows}
      keyOf={({ id }) => id}
      columns={columns.filter((column) => column !== false)}
      opened={opened}
      {...(sorting && { sorting })}
      {...(onOpen && { choosable: `requests of ${whose}`, isMain: true, onRow: ({ id }: Row) => onOpen(id) })}
    />
  );
}
