import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count } from "../format.ts";
import { useParams } from "../state/url.ts";
import { Empty, Failed, Head, Loading } from "../ui/parts.tsx";
import { RequestTable } from "../ui/request-table.tsx";

const PAGE = 100;
const FILTERS = {
  status: ["succeeded", "failed", "aborted", "cancelled"],
  modality: ["text", "image", "video", "audio"],
} as const;

/** The requests of the account; every filter is in the address. */
export default function Requests() {
  const [params, set] = useParams();
  const offset = Number(params.offset ?? 0);
  const query = { ...params, offset, limit: PAGE };
  const list = useQuery({
    queryKey: ["requests", query],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/usage", { query: query as never, signal }),
    placeholderData: keepPreviousData,
  });
  const total = list.data?.total ?? 0;
  const sheet = new URLSearchParams({ ...params, format: "csv", limit: "100" });
  const filtered = Object.keys(params).length > 0;
  return (
    <>
      <Head title="Requests" about={list.data && `${count(total)} found`}>
        <a class="button" href={`/api/compat/v1/usage?${sheet}`} download="usage.csv">
          Download CSV
        </a>
      </Head>
      <search class="filters">
        {Object.entries(FILTERS).map(([name, values], at) => (
          <label key={name}>
            {name}
            <select
              {...(at === 0 && { "data-filter": true })}
              value={params[name] ?? ""}
              onChange={(event) => set({ [name]: event.currentTarget.value, offset: undefined })}
            >
              <option value="">all</option>
              {values.map((value) => (
                <option key={value}>{value}</option>
              ))}
            </select>
          </label>
        ))}
        <Word name="model" value={params.model} set={set} />
        <Word name="key" value={params.key} set={set} />
        <Day name="from" value={params.from} set={set} />
        <Day name="to" value={params.to} set={set} />
      </search>
      {list.isPending && <Loading what="requests" />}
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.data && list.data.results.length === 0 && (
        <Empty>
          <p>{filtered ? "No request fits these filters." : "No request yet."}</p>
          <a class="button" href={filtered ? "/console/requests" : "/console"}>
            {filtered ? "Show all" : "How to send one"}
          </a>
        </Empty>
      )}
      {list.data && list.data.results.length > 0 && <RequestTable rows={list.data.results} />}
      <nav class="pages" aria-label="Pages">
        <button
          type="button"
          disabled={offset === 0}
          onClick={() => set({ offset: offset > PAGE ? String(offset - PAGE) : undefined })}
        >
          Newer
        </button>
        <button
          type="button"
          disabled={offset + PAGE >= total}
          onClick={() => set({ offset: String(offset + PAGE) })}
        >
          Older
        </button>
      </nav>
    </>
  );
}

interface FilterProps {
  name: string;
  value: string | undefined;
  set: (change: Record<string, string | undefined>) => void;
}

const Word = ({ name, value = "", set }: FilterProps) => (
  <label>
    {name}
    <input
      type="search"
      value={value}
      onChange={(event) => set({ [name]: event.currentTarget.value.trim(), offset: undefined })}
    />
  </label>
);

const Day = ({ name, value = "", set }: FilterProps) => (
  <label>
    {name}
    <input
      type="date"
      value={value.slice(0, 10)}
      onChange={(event) => set({ [name]: event.currentTarget.value, offset: undefined })}
    />
  </label>
);
