import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { filtersOf, useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Typed } from "../ui/filters.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { RangeFilter } from "../usage/range.tsx";
import { rangeIn } from "../usage/time.ts";

const FILTERS = ["request", "code", "key"] as const;
const TITLES = { request: "request id", code: "code", key: "key" } as const;
const PAGE = 100;

/** The requests that were refused before they had a generation, with the sentence that each got. */
export default function Refused() {
  const [params, set] = useParams();
  const { days, before } = params;
  const range = rangeIn(params);
  const bounds = {
    ...((params.from ?? days) !== undefined && { from: range.from }),
    ...((params.to ?? days) !== undefined && { to: range.to }),
  };
  const filters = { ...filtersOf<"/api/compat/v1/refusals">(params, FILTERS), ...bounds };
  const query = { ...filters, limit: PAGE, ...(before !== undefined && { before }) } as const;
  const list = useQuery({
    queryKey: ["refused", query],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/refusals", { query, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Head title="Refused requests">
        <a class="button" href="/console/requests">
          Requests
        </a>
      </Head>
      <search class="filters">
        {FILTERS.map((name, at) => (
          <Typed
            key={name}
            name={TITLES[name]}
            value={params[name]}
            isFirst={at === 0}
            onChange={(value) => set({ [name]: value, before: undefined })}
          />
        ))}
        <RangeFilter
          params={params}
          shown={bounds}
          open="all time"
          set={(range) => set({ ...range, before: undefined })}
        />
      </search>
      <Awaited label="refused requests" of={list} />
      {list.data?.results.length === 0 && (
        <Empty>
          <p>
            {Object.keys(filters).length > 0
              ? "No refused request matches these filters."
              : "No request was refused. The last thousand that were refused before a model was called stand here."}
          </p>
        </Empty>
      )}
      {list.data && list.data.results.length > 0 && (
        <Table
          caption="Refused requests"
          rows={list.data.results}
          keyOf={({ id }) => id}
          columns={[
            { title: "Time", time: ({ createdAt }) => createdAt },
            {
              title: "Code",
              cell: ({ code, status }) => (
                <span class="bad">
                  {code} ({status})
                </span>
              ),
            },
            { title: "Why", cell: ({ message }) => message ?? "–" },
            { title: "Model", cell: ({ model }) => model ?? "–" },
            {
              title: "Key",
              cell: ({ apiKeyId }) => (apiKeyId === undefined ? "–" : <code>{apiKeyId}</code>),
            },
            { title: "Request id", cell: ({ requestId }) => <code>{requestId}</code> },
          ]}
        />
      )}
      <nav class="pages" aria-label="Pages">
        <button type="button" disabled={before === undefined} onClick={() => set({ before: undefined })}>
          Newest
        </button>
        <button type="button" disabled={!list.data?.next} onClick={() => set({ before: list.data?.next })}>
          Older
        </button>
      </nav>
    </>
  );
}
