import { useQuery } from "@tanstack/preact-query";
import { call, type Query } from "../api/client.ts";
import { counted } from "../format.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { filtersOf, useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { CancelJob } from "../ui/cancel-job.tsx";
import { Clip } from "../ui/clip.tsx";
import { failing } from "../ui/failing.tsx";
import { Choice } from "../ui/filters.tsx";
import { isLive, JobState } from "../ui/job-state.tsx";
import { Pages } from "../ui/pages.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { Thumbs } from "../ui/thumbs.tsx";

const PAGE = 50;
const POLL_MS = 2_000;
type Filters = Required<Query<"/api/compat/v1/jobs">>;
const FILTERS = {
  kind: { image: "images", video: "videos", speech: "speech" },
  state: { live: "under way", ended: "ended" },
} as const satisfies { [name in "kind" | "state"]: Record<NonNullable<Filters[name]>, string> };

const TITLES: Record<string, string> = { kind: "Kind", state: "State" };

/** Images, videos and speech that were ordered, in one list; it renews itself while something is under way. */
export default function Jobs() {
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
  const hasFilter = Boolean(params.kind || params.state);
  return (
    <>
      <Head title="Jobs" about={list.data && counted(total, "job")}>
        <a class="button" href="/console/media">
          New job
        </a>
      </Head>
      <search class="filters">
        {Object.entries(FILTERS).map(([name, values], at) => (
          <Choice
            key={name}
            name={TITLES[name] ?? name}
            value={params[name]}
            of={[["", "all"], ...Object.entries(values)]}
            onChange={(value) => set({ [name]: value, offset: undefined })}
            isFirst={at === 0}
          />
        ))}
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
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            {
              title: "Time",
              time: ({ createdAt }) => createdAt,
              href: ({ id }) => `/console/jobs/${encodeURIComponent(id)}`,
            },
            { title: "State", card: "side", cell: (job) => <JobState of={job} /> },
            { title: "Kind", card: "bare", cell: ({ kind }) => kind },
            { title: "Model", card: "bare", cell: ({ model }) => <Clip>{model}</Clip> },
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
