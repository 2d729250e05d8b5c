import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { count, duration, usd } from "../format.ts";
import { type LiveRow, listen, type Live as Stream } from "../live/stream.ts";
import { operator } from "../state/session.ts";
import { useParams } from "../state/url.ts";
import { Typed } from "../ui/filters.tsx";
import { Empty, Facts, Head, Status } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

const EMPTY: Stream = { rows: [], dropped: 0, isOpen: false };

/** Requests as rows that fill while they run. */
export default function Live() {
  const [params, set] = useParams();
  const isAll = operator.value !== null;
  const live = useSignal<Stream>(EMPTY);
  const isPaused = useSignal(false);
  useEffect(
    () =>
      listen(isAll ? "/api/admin/events" : "/api/compat/v1/events", (next) => {
        if (!isPaused.value) live.value = next;
      }),
    [isAll, isPaused, live],
  );
  const { filter = "" } = params;
  const { rows, dropped, isOpen } = live.value;
  const shown = rows.filter((row) => filter === "" || Object.values(row).join(" ").includes(filter));
  const running = rows.filter(({ state }) => state === "running").length;
  return (
    <>
      <Head
        title="Live"
        about={isAll ? "Requests of all accounts in this process." : "Your requests in this process."}
      >
        <button
          type="button"
          aria-pressed={isPaused.value}
          onClick={() => {
            isPaused.value = !isPaused.value;
          }}
        >
          {isPaused.value ? "Resume" : "Pause"}
        </button>
      </Head>
      <search class="filters">
        <Typed name="filter" value={filter} onChange={(value) => set({ filter: value })} isFirst />
      </search>
      <Facts
        of={[
          ["Stream", <Status key="s" of={isPaused.value ? "paused" : isOpen ? "listening" : "connecting"} />],
          ["Running", count(running)],
          ["Listed", count(rows.length)],
          ["Dropped", count(dropped)],
        ]}
      />
      {shown.length === 0 ? (
        <Empty>
          <p>
            {rows.length === 0 ? "No requests since this page was opened." : "No row matches the filter."}
          </p>
        </Empty>
      ) : (
        <LiveTable rows={shown} isAll={isAll} />
      )}
    </>
  );
}

const LiveTable = ({ rows, isAll }: { rows: readonly LiveRow[]; isAll: boolean }) => (
  <Table
    caption="Requests as they run"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      { title: "Time", time: ({ at }) => at },
      { title: "State", cell: ({ state }) => <Status of={state} /> },
      { title: "What", cell: ({ subject }) => subject },
      { title: "Model", cell: ({ model }) => model ?? "–" },
      ...(isAll
        ? [
            { title: "Account", cell: ({ account }: LiveRow) => account ?? "–" },
            { title: "Provider", cell: ({ provider }: LiveRow) => provider ?? "–" },
          ]
        : []),
      { title: "Attempts", isNumber: true, cell: ({ attempts }) => count(attempts) },
      { title: "Time to first byte", isNumber: true, cell: ({ firstByteMs }) => duration(firstByteMs) },
      { title: "Duration", isNumber: true, cell: ({ ms }) => duration(ms) },
      { title: "Cost", isNumber: true, cell: ({ usdCost }) => (usdCost === undefined ? "–" : usd(usdCost)) },
    ]}
  />
);
