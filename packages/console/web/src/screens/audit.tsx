import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { counted } from "../format.ts";
import { keyAddress } from "../keys/address.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { filtersOf, useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Clip } from "../ui/clip.tsx";
import { ACTIONS } from "../ui/column.tsx";
import { Typed } from "../ui/filters.tsx";
import { Pages } from "../ui/pages.tsx";
import { Empty, Head, ShortId } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

type Entry = Answer<"/api/admin/audit-log">["results"][number];

const PAGE = 50;
const WORDS = ["account", "actor", "action", "subject"] as const;
const DAYS = ["from", "to"] as const;
const TITLES: Record<(typeof WORDS | typeof DAYS)[number], string> = {
  account: "Account",
  actor: "Who",
  action: "What",
  subject: "Subject",
  from: "From (UTC)",
  to: "To (UTC)",
};

/** Who changed what, whom, when and from where. */
export default function Audit() {
  const [params, set] = useParams();
  const offset = Number(params.offset ?? 0);
  const query = {
    ...filtersOf<"/api/admin/audit-log">(params, [...WORDS, ...DAYS]),
    offset,
    limit: PAGE,
  };
  const list = useQuery({
    queryKey: ["audit-log", query],
    queryFn: ({ signal }) => call("get", "/api/admin/audit-log", { query, signal }),
    placeholderData: keepWhileOnline,
  });
  const filter = (name: keyof typeof TITLES, type: "search" | "date", isFirst = false) => (
    <Typed
      key={name}
      name={TITLES[name]}
      type={type}
      value={params[name]}
      onChange={(value) => set({ [name]: value, offset: undefined })}
      isFirst={isFirst}
    />
  );
  return (
    <>
      <Head title="Audit log" about={list.data && counted(list.data.total, "act")} />
      <search class="filters">
        {WORDS.map((name, at) => filter(name, "search", at === 0))}
        {DAYS.map((name) => filter(name, "date"))}
      </search>
      <Awaited label="the audit log" rows={PAGE} of={list}>
        {({ results, total }) =>
          results.length === 0 ? (
            <Empty title="No act matches these filters" icon="audit">
              <a class="button" href="/console/audit">
                Show all
              </a>
            </Empty>
          ) : (
            <>
              <Table
                caption="Acts"
                rows={results}
                keyOf={({ id }) => id}
                columns={[
                  { title: "Time", time: ({ createdAt }) => createdAt },
                  { title: "Who", drops: 3, card: "bare", cell: ({ actor }) => actor },
                  {
                    title: "What",
                    card: "lead",
                    cell: ({ action }) => <span title={action}>{action.replaceAll("_", " ")}</span>,
                  },
                  {
                    title: "Account",
                    drops: 2,
                    cell: ({ accountId }) => (accountId ? <ShortId of={accountId} /> : "–"),
                    href: ({ accountId }) =>
                      accountId && `/console/accounts/${encodeURIComponent(accountId)}`,
                  },
                  {
                    title: "Subject",
                    card: "bare",
                    cell: ({ subject }) => (subject ? <Clip>{subject}</Clip> : "–"),
                    href: ({ subject, accountId }) =>
                      subject?.startsWith("key_") ? keyAddress(subject, accountId) : undefined,
                  },
                  { title: "From where", drops: 1, cell: ({ address }) => address ?? "–" },
                  {
                    title: "Change",
                    card: "line",
                    cell: ({ before, after }) => <Change before={before} after={after} />,
                  },
                  { title: ACTIONS, cell: (entry) => <Undo of={entry} /> },
                ]}
              />
              <Pages offset={offset} size={PAGE} total={total} go={(to) => set({ offset: to })} />
            </>
          )
        }
      </Awaited>
    </>
  );
}

/** The way back from a change of the catalog, which is previewed first. */
function Undo({ of: { action, after } }: { of: Entry }) {
  const { revision } = (after ?? {}) as { revision?: number };
  if (revision === undefined || !action.startsWith("declaration_")) return null;
  return <a href={`/console/catalog?tab=changes&undo=${revision}`}>Undo</a>;
}

function Change({ before, after }: { before?: object | undefined; after?: object | undefined }) {
  if (!before && !after) return <>–</>;
  return (
    <details>
      <summary>
        <Clip>{Object.keys(after ?? before ?? {}).join(", ") || "–"}</Clip>
      </summary>
      {before && <pre>before {JSON.stringify(before, null, 1)}</pre>}
      {after && <pre>after {JSON.stringify(after, null, 1)}</pre>}
    </details>
  );
}
