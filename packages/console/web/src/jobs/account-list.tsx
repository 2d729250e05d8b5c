import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { counted } from "../format.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { filtersOf, useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { CancelJob } from "../ui/cancel-job.tsx";
import { failing } from "../ui/failing.tsx";
import { isLive } from "../ui/job-state.tsx";
import { Pages } from "../ui/pages.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { Thumbs } from "../ui/thumbs.tsx";
import { WhoseChoice } from "../ui/whose.tsx";
import { kind, model, ordered, state } from "./columns.tsx";
import { JobFilters } from "./filters.tsx";

const PAGE = 50;
const POLL_MS = 2_000;

/** The jobs of the account, newest first; the list renews itself while something is under way. */
export default function AccountJobs() {
  const [params, set] = useParams();
  const offset = Number(params.offset ?? 0);
  const query = { ...filtersOf<"/api/compat/v1/jobs">(params, ["kind", "state"]), offset, limit: PAGE };
  const list = useQuery({
    queryKey: ["jobs", query],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/jobs", { query, signal }),
    placeholderData: keepWhileOnline,
    refetchInterval: ({ state }) => (state.data?.results.some(isLive) ? POLL_MS : false),
  });
  const total = list.data?.total ?? 0;
  const rows = list.data?.results ?? [];
  const narrow = (change: Record<string, string | undefined>): void => set({ ...change, offset: undefined });
  const hasFilter = Boolean(params.kind || params.state);
  return (
    <>
      <Head title="Jobs" about={list.data && counted(total, "job")}>
        <WhoseChoice value="account" onChange={(of) => narrow({ of })} />
        <a class="button" href="/console/media">
          New job
        </a>
      </Head>
      <search class="filters">
        <JobFilters params={params} set={narrow} isFirst />
      </search>
      <Awaited label="jobs" rows={PAGE} of={list} />
      {list.data && rows.length === 0 && (
        <Empty title={hasFilter ? "No job matches these filters" : "No jobs yet"} icon="jobs">
          <p>{!hasFilter && "Images, videos and speech are made by jobs, which go on after the request."}</p>
          <a class="button" href={hasFilter ? "/console/jobs" : "/console/media"}>
            {hasFilter ? "Show all" : "Order an image, a video or speech"}
          </a>
        </Empty>
      )}
      {rows.length > 0 && (
        <Table
          caption="Jobs"
          isMain
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            ordered,
            state,
            kind,
            model,
            { title: "Files", drops: 2, card: "bare", cell: (job) => <Thumbs of={job} /> },
            failing,
            {
              title: "Actions",
              card: "line",
              cell: (job) => isLive(job) && <CancelJob of={job} onDone={() => void list.refetch()} />,
            },
          ]}
        />
      )}
      <Pages offset={offset} size={PAGE} total={total} go={(to) => set({ offset: to })} />
    </>
  );
}
