import { MODEL_SURFACES } from "@manifold-gateway/store/restrictions";
import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { call, type Query } from "../api/client.ts";
import { count } from "../format.ts";
import { Refused } from "../request/refused.tsx";
import { filtersOf, useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { anyOf, Choice, Typed } from "../ui/filters.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { RequestTable } from "../ui/request-table.tsx";
import { Histogram } from "../usage/histogram.tsx";
import { RangeFilter } from "../usage/range.tsx";
import { rangeIn } from "../usage/time.ts";

const PAGE = 100;
type Filters = Query<"/api/compat/v1/usage/count">;
const FILTERS = {
  status: ["succeeded", "failed", "aborted", "cancelled"],
  modality: ["text", "image", "video", "audio"],
  surface: MODEL_SURFACES,
} as const satisfies { [name in keyof Filters]?: readonly Filters[name][] };
const TYPED = ["model", "key", "entry", "tag", "user"] as const;
const NAMES = ["status", "modality", "surface", ...TYPED] as const;
/** Checks whether there are sums of what is chosen: there are none of end users, nor of several tags together. */
const isSummed = ({ user, tag = "" }: Filters): boolean => user === undefined && !tag.includes(",");

/** The requests of the account; every filter is in the address. */
export default function Requests() {
  const [{ view }] = useParams();
  return view === "refused" ? <Refused /> : <Recorded />;
}

function Recorded() {
  const [params, set] = useParams();
  const { days, after } = params;
  const filters = filtersOf<"/api/compat/v1/usage/count">(params, NAMES);
  const range = rangeIn(params);
  // Without a range there is no end to what is listed; only the picture has one.
  const bounds = {
    ...((params.from ?? days) !== undefined && { from: range.from }),
    ...((params.to ?? days) !== undefined && { to: range.to }),
  };
  const chosen = { ...filters, ...bounds };
  const query = { ...chosen, after: after ?? "0", request: "false", limit: PAGE } as const;
  const list = useQuery({
    queryKey: ["requests", query],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/usage", { query, signal }),
    placeholderData: keepPreviousData,
  });
  const narrow = (name: string) => (value: string) => set({ [name]: value, after: undefined });
  const filtered = Object.keys(chosen).length > 0;
  return (
    <>
      <Head title="Requests">
        <a class="button" href="/console/requests?view=refused">
          Refused
        </a>
        <Export of={chosen} />
      </Head>
      <search class="filters">
        {Object.entries(FILTERS).map(([name, values], at) => (
          <Choice
            key={name}
            name={name}
            value={params[name]}
            of={anyOf(values)}
            onChange={narrow(name)}
            isFirst={at === 0}
          />
        ))}
        {TYPED.map((name) => (
          <Typed
            key={name}
            name={name}
            value={filters[name]}
            {...(name === "tag" && { placeholder: "team:search" })}
            onChange={narrow(name)}
          />
        ))}
        <RangeFilter
          params={params}
          shown={bounds}
          open="all time"
          set={(range) => set({ ...range, after: undefined })}
        />
      </search>
      {/* Where both are refused, the list's alert is enough. */}
      {isSummed(filters) && !list.isError && <Histogram filter={filters} {...range} set={set} />}
      <Awaited label="requests" of={list} />
      {list.data && list.data.results.length === 0 && (
        <Empty>
          <p>{filtered ? "No request matches these filters." : "No requests yet."}</p>
          <a class="button" href={filtered ? "/console/requests" : "/console"}>
            {filtered ? "Show all" : "How to send a request"}
          </a>
        </Empty>
      )}
      {list.data && list.data.results.length > 0 && <RequestTable rows={list.data.results} />}
      <nav class="pages" aria-label="Pages">
        <button type="button" disabled={after === undefined} onClick={() => set({ after: undefined })}>
          Newest
        </button>
        <button type="button" disabled={!list.data?.next} onClick={() => set({ after: list.data?.next })}>
          Older
        </button>
      </nav>
    </>
  );
}

/** Downloads all records that the filters let through, and says beforehand how many there are. */
function Export({ of: filters }: { of: Filters }) {
  const counted = useQuery({
    queryKey: ["requests", "count", filters],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/usage/count", { query: filters, signal }),
  });
  const total = counted.data?.total;
  const rows = total === undefined ? "all rows" : `${count(total)} ${total === 1 ? "row" : "rows"}`;
  const href = (format: string): string =>
    `/api/compat/v1/usage/export?${new URLSearchParams({ ...(filters as Record<string, string>), format })}`;
  return (
    <>
      <a class="button" href={href("csv")} download>
        Download {rows} as CSV
      </a>
      <a class="button" href={href("jsonl")} download>
        as JSON lines
      </a>
    </>
  );
}
