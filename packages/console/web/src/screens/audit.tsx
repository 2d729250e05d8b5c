import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count } from "../format.ts";
import { filtersOf, useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Typed } from "../ui/filters.tsx";
import { Pages } from "../ui/pages.tsx";
import { Empty, Head, ShortId } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

const PAGE = 50;
const WORDS = ["account", "actor", "action", "subject"] as const;
const DAYS = ["from", "to"] as const;

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
    placeholderData: keepPreviousData,
  });
  const filter = (name: string, type: "search" | "date", isFirst = false) => (
    <Typed
      key={name}
      name={name}
      type={type}
      value={params[name]}
      onChange={(value) => set({ [name]: value, offset: undefined })}
      isFirst={isFirst}
    />
  );
  return (
    <>
      <Head title="Audit log" about={list.data && `${count(list.data.total)} entries`} />
      <search class="filters">
        {WORDS.map((name, at) => filter(name, "search", at === 0))}
        {DAYS.map((name) => filter(name, "date"))}
      </search>
      <Awaited label="the audit log" of={list}>
        {({ results, total }) =>
          results.length === 0 ? (
            <Empty>
              <p>No entry matches these filters.</p>
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
                  { title: "Who", cell: ({ actor }) => actor },
                  { title: "What", cell: ({ action }) => action },
                  {
                    title: "Account",
                    cell: ({ accountId }) => (accountId ? <ShortId of={accountId} /> : "–"),
                  },
                  { title: "Subject", cell: ({ subject }) => <span class="folded">{subject ?? "–"}</span> },
                  { title: "From where", cell: ({ address }) => address ?? "–" },
                  { title: "Change", cell: ({ before, after }) => <Change before={before} after={after} /> },
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

function Change({ before, after }: { before?: object | undefined; after?: object | undefined }) {
  if (!before && !after) return <>–</>;
  return (
    <details>
      <summary>{Object.keys(after ?? before ?? {}).join(", ") || "–"}</summary>
      {before && <pre>before {JSON.stringify(before, null, 1)}</pre>}
      {after && <pre>after {JSON.stringify(after, null, 1)}</pre>}
    </details>
  );
}
