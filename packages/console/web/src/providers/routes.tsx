import { useSignal } from "@preact/signals";
import { useQueryClient } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count, duration } from "../format.ts";
import { Failed, Status } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import type { RouteState } from "./state.ts";

const circuitOf = ({ circuit, openAccounts = 0 }: RouteState): string =>
  circuit === "closed" && openAccounts > 0 ? `open for ${openAccounts}` : circuit;

/** The routes of a provider, with their circuits, and what can be done with each. */
export function Routes({ provider, of: entries }: { provider: string; of: readonly RouteState[] }) {
  const queries = useQueryClient();
  const fault = useSignal<unknown>(undefined);
  const act = async (work: Promise<unknown>): Promise<void> => {
    fault.value = undefined;
    await work.catch((error: unknown) => {
      fault.value = error;
    });
    await queries.invalidateQueries({ queryKey: ["state"] });
  };
  return (
    <>
      {fault.value !== undefined && <Failed error={fault.value} />}
      <Table
        caption={`Routes of ${provider}`}
        rows={entries}
        keyOf={({ id }) => id}
        columns={[
          { title: "Model", cell: ({ model }) => model },
          { title: "Provider’s name", drops: 2, cell: ({ name }) => name },
          { title: "Route", drops: 1, cell: ({ id }) => <code>{id}</code> },
          { title: "State", cell: ({ isActive }) => <Status of={isActive ? "active" : "paused"} /> },
          { title: "Circuit", cell: (entry) => <Status of={circuitOf(entry)} /> },
          { title: "Failures", isNumber: true, cell: ({ failures }) => count(failures) },
          { title: "Open since", drops: 3, time: ({ openSince }) => openSince },
          { title: "Retried at", time: ({ until, coolingUntil = until }) => coolingUntil },
          { title: "Time to first byte", isNumber: true, cell: ({ latency }) => duration(latency) },
          {
            title: "Tokens/s",
            isNumber: true,
            cell: ({ throughput }) => (throughput === undefined ? "–" : count(Math.round(throughput))),
          },
          {
            title: "Actions",
            cell: ({ id: entryId, model, isActive }) => (
              <span class="acts">
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Reset the circuit of ${model}`}
                  onClick={() =>
                    void act(call("post", "/api/admin/circuits/{entryId}/reset", { path: { entryId } }))
                  }
                >
                  Reset
                </button>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`${isActive ? "Pause" : "Serve"} ${model}`}
                  onClick={() =>
                    void act(
                      call("post", "/api/admin/entries/{entryId}", {
                        path: { entryId },
                        body: { isActive: !isActive },
                      }),
                    )
                  }
                >
                  {isActive ? "Pause" : "Serve"}
                </button>
              </span>
            ),
          },
        ]}
      />
    </>
  );
}
