import { useQueryClient } from "@tanstack/preact-query";
import { ErrorBoundary, lazy, useLocation } from "preact-iso";
import { Chips } from "../requests/chips.tsx";
import { Export } from "../requests/export.tsx";
import { Fresh } from "../requests/fresh.tsx";
import { kindsIn } from "../requests/refused.ts";
import { Search } from "../requests/search.tsx";
import { chosenIn, FIRST, seriesOf, sortIn, useKeyNames, useRequests, whoseIn } from "../requests/source.ts";
import { Sums } from "../requests/sums.tsx";
import { Views } from "../requests/views.tsx";
import { useParams } from "../state/url.ts";
import { shownMoment, zoneName } from "../state/zone.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Turns } from "../ui/pages.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { RequestTable } from "../ui/request-table.tsx";
import { WhoseChoice } from "../ui/whose.tsx";
import { Histogram, isSummed } from "../usage/histogram.tsx";
import { RangeFilter } from "../usage/range.tsx";
import { rangeIn } from "../usage/time.ts";

/** A request in depth is loaded when one is opened. */
const Drawer = lazy(() => import("../requests/drawer.tsx"));

/** From here on a reader is further down, and rows must not move. */
const READING_PX = 300;

/** The requests of the account, or of all accounts; what is chosen, sorted and open is in the address. */
export default function Requests() {
  const [params, set] = useParams();
  const { path, query: address } = useLocation();
  const queries = useQueryClient();
  const whose = whoseIn(params);
  const keyNames = useKeyNames(whose, params.account);
  const list = useRequests(whose, params);
  const chosen = chosenIn(params);
  const { from, to, ...filters } = chosen;
  const sort = sortIn(params);
  const narrow = (change: Record<string, string | undefined>): void => set({ ...change, ...FIRST });
  const { open } = params;
  const filtered = Object.keys(chosen).length > 0;
  const isFirst = Object.keys(FIRST).every((name) => params[name] === undefined);
  const rows = list.data?.results ?? [];
  const addressOf = (id: string): string => `${path}?${new URLSearchParams({ ...address, open: id })}`;
  return (
    <>
      <Head title="Requests">
        <WhoseChoice value={whose} onChange={(of) => narrow({ of, account: undefined, open: undefined })} />
        <Fresh
          {...{ whose, at: list.dataUpdatedAt }}
          isLive={params.live === "1"}
          isMovable={() => isFirst && sort === undefined && scrollY < READING_PX}
          onLive={(isLive) => set({ live: isLive ? "1" : undefined })}
          onRefresh={() => void queries.invalidateQueries({ queryKey: ["requests"] })}
        />
        {kindsIn(chosen).records && <Export {...{ params, whose }} />}
      </Head>
      <search class="filters">
        <Search whose={whose} />
        <RangeFilter
          params={params}
          shown={{ ...(from && { from }), ...(to && { to }) }}
          open="all time"
          set={narrow}
        />
        <Chips {...{ params, whose, keyNames }} set={narrow} />
        <Views params={params} />
      </search>
      {/* Where both are refused, the list's alert is enough. */}
      {isSummed(filters) && !list.isError && (
        <Histogram
          filter={filters}
          path={seriesOf(whose)}
          {...rangeIn(params)}
          about={from === undefined && to === undefined ? "In the last 30 days:" : undefined}
          set={narrow}
        />
      )}
      {!list.isError && <Sums {...{ whose, params }} />}
      <div class={list.isPending ? "listed waiting" : "listed"}>
        <Awaited label="requests" of={list} />
        {list.data && rows.length === 0 && (
          <Empty>
            <p>{filtered ? "No request matches these filters." : "No requests yet."}</p>
            <a class="button" href={filtered ? "/console/requests" : "/console"}>
              {filtered ? "Show all" : "How to send a request"}
            </a>
          </Empty>
        )}
        {list.data?.since !== undefined && (
          <p class="strip">
            Sorted are the requests since {shownMoment(list.data.since)} {zoneName()}. Choose a shorter range
            to sort older ones.
          </p>
        )}
        {rows.length > 0 && (
          <RequestTable
            {...{ rows, keyNames, whose, addressOf }}
            sorting={{ by: sort, set: (by) => narrow({ sort: by }) }}
            opened={open}
            onOpen={(id) => set({ open: id })}
          />
        )}
      </div>
      <Turns
        {...(sort && { words: ["First", "Next"] as const })}
        isFirst={isFirst}
        hasMore={Boolean(list.data?.next)}
        toFirst={() => set(FIRST)}
        toNext={() => set({ ...FIRST, ...list.data?.next })}
      />
      {open !== undefined && list.data && (
        <ErrorBoundary>
          <Drawer
            id={open}
            refusal={rows.find(({ id }) => id === open)?.refusal}
            whose={whose}
            onClose={() => {
              set({ open: undefined });
              document.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(open)}"] a`)?.focus();
            }}
          />
        </ErrorBoundary>
      )}
    </>
  );
}
