import { count, duration, usd } from "../format.ts";
import type { Row, Whose } from "../requests/source.ts";
import { ShortId, Status, When } from "./parts.tsx";
import { type Column, Table } from "./table.tsx";

const tokens = ({ usage }: Row, name: "promptTokens" | "completionTokens"): string => {
  const value = usage?.[name];
  return typeof value === "number" ? count(value) : "–";
};

const DIGITS = 4;
const cents = new Intl.NumberFormat("en-US", {
  ...{ style: "currency", currency: "USD" },
  ...{ minimumFractionDigits: DIGITS, maximumFractionDigits: DIGITS },
});

/** An amount with the decimals of its column, so that points stand below each other; hovering shows all of it. */
const Cost = ({ amount }: { amount: number | undefined }) => {
  if (amount === undefined) return <>–</>;
  const least = 10 ** -DIGITS;
  const text = amount > 0 && amount < least / 2 ? `<${cents.format(least)}` : cents.format(amount);
  return <span title={usd(amount)}>{text}</span>;
};

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
  const drops = whose === "all" ? "spare" : keyNames === undefined ? undefined : "extra";
  const columns: (Column<Row> | false)[] = [
    {
      title: "Time (UTC)",
      cell: ({ createdAt }) => <When at={createdAt} />,
      href: ({ id }) => addressOf(id),
    },
    { title: "Status", cell: ({ status }) => <Status of={status} /> },
    whose === "all" && { title: "Account", cell: ({ accountName, userId }) => accountName ?? userId },
    {
      title: "Model",
      cell: ({ model }) => (
        <span class="name" title={model}>
          {model}
        </span>
      ),
    },
    whose === "all" && { title: "Provider", cell: ({ provider }) => provider ?? "–" },
    keyNames !== undefined && {
      title: "Key",
      cell: ({ apiKeyId }) => {
        const name = apiKeyId === undefined ? "–" : keyNames.get(apiKeyId);
        return name === undefined ? (
          <ShortId of={apiKeyId ?? ""} />
        ) : (
          <span class="name" title={name}>
            {name}
          </span>
        );
      },
    },
    { title: "Kind", cell: ({ modality }) => modality, drops },
    { title: "Input", isNumber: true, cell: (row) => tokens(row, "promptTokens"), drops },
    { title: "Output", isNumber: true, cell: (row) => tokens(row, "completionTokens"), sort: "tokens" },
    { title: "Cost", isNumber: true, cell: ({ usdCost }) => <Cost amount={usdCost} />, sort: "cost" },
    { title: "Duration", isNumber: true, cell: ({ durationMs }) => duration(durationMs), sort: "duration" },
    {
      title: "Attempts",
      drops,
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
  ];
  return (
    <Table
      caption="Requests"
      rows={rows}
      keyOf={({ id }) => id}
      columns={columns.filter((column) => column !== false)}
      opened={opened}
      {...(sorting && { sorting })}
      {...(onOpen && { isMain: true, onRow: ({ id }: Row) => onOpen(id) })}
    />
  );
}
