import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { count, duration } from "../format.ts";
import { type LiveRow, listen, type Live as Stream } from "../live/stream.ts";
import { operator } from "../state/session.ts";
import { useParams } from "../state/url.ts";
import { Clip } from "../ui/clip.tsx";
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
      listen(isAll ? "all" : "account", (next) => {
        if (!isPaused.value) live.value = next;
      }),
    [isAll, isPaused, live],
  );
  const { filter = "" } = params;
  const { rows, dropped, isOpen, reason } = live.value;
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
        <Typed name="Filter" value={filter} onChange={(value) => set({ filter: value })} isFirst />
      </search>
      <Facts
        of={[
          ["Stream", <Status key="s" of={isPaused.value ? "paused" : isOpen ? "listening" : "connecting"} />],
          ["Running", count(running)],
          ["Listed", count(rows.length)],
          ["Dropped", count(dropped)],
        ]}
      />
      {reason !== undefined && (
        <p class="wrong" role="alert">
          {reason} It is tried again every few seconds.
        </p>
      )}
      {rows.length === 0 && !isOpen ? (
        reason === undefined && <p class="loading">Connecting …</p>
      ) : shown.length === 0 ? (
        <Empty title={rows.length === 0 ? "Nothing yet" : "No row matches the filter"} icon="live">
          <p>{rows.length === 0 && "Requests, jobs and circuits appear here as they happen."}</p>
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
      { title: "State", card: "bare", cell: ({ state }) => <Status of={state} /> },
      { title: "What", drops: 3, cell: ({ subject }) => <Clip>{subject}</Clip> },
      { title: "Model", card: "bare", cell: ({ model }) => <Clip>{model ?? "–"}</Clip> },
      ...(isAll
        ? [
            { title: "Account", cell: ({ account }: LiveRow) => account ?? "–" },
            { title: "Provider", cell: ({ provider }: LiveRow) => provider ?? "–" },
          ]
        : []),
      { title: "Attempts", drops: 1, isNumber: true, cell: ({ attempts }) => count(attempts) },
      { title: "First byte", drops: 2, isNumber: true, cell: ({ firstByteMs }) => duration(firstByteMs) },
      { title: "Duration", isNumber: true, cell: ({ ms }) => duration(ms) },
      { title: "Cost", card: "side", amount: ({ usdCost }) => usdCost },
    ]}
  />
);
