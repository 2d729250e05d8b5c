import { useSignal } from "@preact/signals";
import { ago, moment } from "../format.ts";
import { tightest } from "../keys/pace.ts";
import type { SpendOf } from "../keys/spends.ts";
import { Clip } from "./clip.tsx";
import { Gauge } from "./gauge.tsx";
import { useKeyActs } from "./key-acts.tsx";
import type { Key, KeyCalls } from "./key-calls.ts";
import { Menu } from "./menu.tsx";
import { Failed, Status } from "./parts.tsx";
import { wordsOf } from "./restriction-values.ts";
import { Sparkline } from "./sparkline.tsx";
import { Table } from "./table.tsx";

export const stateOf = ({ isActive, revokedAt }: Key): string =>
  revokedAt !== undefined ? "revoked" : isActive ? "active" : "disabled";

interface KeyTableProps {
  rows: readonly Key[];
  calls: KeyCalls;
  /** What each key spent in the last 30 days; undefined until that is known. */
  spendOf: SpendOf | undefined;
  /** Something was changed. */
  onChanged: () => void;
  /** The keys are those of the account that signed in. */
  isOfSession?: boolean;
  /** Where the name of a key leads. */
  href: (key: Key) => string;
}

/** Keys with what each has spent, how near it is to its caps, and what can be done with them. */
export function KeyTable({ rows, calls, spendOf, onChanged, isOfSession = false, href }: KeyTableProps) {
  const fault = useSignal<unknown>(undefined);
  const acts = useKeyActs({
    ...{ calls, onChanged, isOfSession },
    onFault: (error) => {
      fault.value = error;
    },
  });
  return (
    <>
      {fault.value !== undefined && <Failed error={fault.value} />}
      <Table
        caption="API keys"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: "Name", cell: ({ name }) => <Clip>{name}</Clip>, href },
          {
            title: "State",
            card: "bare",
            cell: (key) => (
              <span class="stack">
                <Status of={stateOf(key)} />
                {wordsOf(key) && <small class="hint">{wordsOf(key)}</small>}
              </span>
            ),
          },
          {
            title: "Last used",
            drops: 3,
            cell: ({ lastUsedAt, lastUsedFrom }) =>
              lastUsedAt === undefined ? (
                "never"
              ) : (
                <time dateTime={lastUsedAt} title={`${moment(lastUsedAt)} ${lastUsedFrom ?? ""}`}>
                  {ago(lastUsedAt)}
                </time>
              ),
          },
          { title: "Spend, 30 days", amount: ({ id }) => spendOf?.(id).total },
          {
            title: "By day",
            drops: 2,
            cell: ({ id }) => spendOf && <Sparkline of={spendOf(id).days} />,
          },
          { title: "Tightest cap", card: "line", cell: (key) => <Tightest of={key} /> },
          {
            title: "Actions",
            cell: (key) =>
              key.revokedAt === undefined && (
                <Menu label={`Actions of ${key.name}`} items={acts.items(key)} />
              ),
          },
        ]}
      />
      {acts.dialog}
    </>
  );
}

/** The cap of which most is spent; the others are on the key's page. */
function Tightest({ of: { name, caps = {} } }: { of: Key }) {
  const most = tightest(caps);
  if (!most) return <span class="faint">none</span>;
  const { cap, of } = most;
  return <Gauge title={cap} label={`${cap} cap of ${name}`} {...of} />;
}
