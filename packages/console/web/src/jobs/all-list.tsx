import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { filtersOf, useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { CancelJob } from "../ui/cancel-job.tsx";
import { failing } from "../ui/failing.tsx";
import { isLive } from "../ui/job-state.tsx";
import { owner } from "../ui/owner-column.tsx";
import { OwnerFilters } from "../ui/owner-filters.tsx";
import { Turns } from "../ui/pages.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { WhoseChoice } from "../ui/whose.tsx";
import { RangeFilter } from "../usage/range.tsx";
import { openRangeIn } from "../usage/time.ts";
import { kind, model, ordered, provider, state } from "./columns.tsx";
import { JobFilters } from "./filters.tsx";

const PAGE = 50;
const POLL_MS = 2_000;

/** The jobs of all accounts, newest first; the list renews itself while something is under way. */
export default function AllJobs() {
  const [params, set] = useParams();
  const range = openRangeIn(params);
  const names = ["account", "key", "kind", "state"] as const;
  const chosen = { ...filtersOf<"/api/admin/jobs">(params, names), ...range };
  const query = { ...chosen, limit: PAGE, before: params.before };
  const list = useQuery({
    queryKey: ["admin", "jobs", query],
    queryFn: ({ signal }) => call("get", "/api/admin/jobs", { query, signal }),
    placeholderData: keepWhileOnline,
    refetchInterval: ({ state }) => (state.data?.results.some(isLive) ? POLL_MS : false),
  });
  const narrow = (change: Record<string, string | undefined>): void => set({ ...change, before: undefined });
  const rows = list.data?.results ?? [];
  const isChosen = Object.keys(chosen).length > 0;
  return (
    <>
      <Head title="Jobs" about="Of all accounts.">
        <WhoseChoice value="all" onChange={(of) => narrow({ of, account: undefined })} />
      </Head>
      <search class="filters">
        <OwnerFilters params={params} set={narrow} />
        <JobFilters params={params} set={narrow} />
        <RangeFilter params={params} shown={range} open="all time" set={narrow} />
      </search>
      <Awaited label="jobs" rows={10} of={list} />
      {list.data && rows.length === 0 && (
        <Empty title={isChosen ? "No job matches these filters" : "No jobs yet"} icon="jobs">
          {isChosen ? (
            <a class="button" href="/console/jobs?of=all">
              Show all
            </a>
          ) : (
            <p>Images, videos and speech are made by jobs, which go on after the request.</p>
          )}
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          caption="Jobs"
          isMain
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            ...[ordered, state, owner, kind, model, provider, failing],
            {
              title: "Actions",
              card: "line",
              cell: (job) => isLive(job) && <CancelJob of={job} onDone={() => void list.refetch()} />,
            },
          ]}
        />
      )}
      <Turns
        isFirst={params.before === undefined}
        hasMore={Boolean(list.data?.next)}
        toFirst={() => set({ before: undefined })}
        toNext={() => set({ before: list.data?.next })}
      />
    </>
  );
}
