import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Empty } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { textOf } from "./text.ts";

type Change = Answer<"/api/admin/config/catalog">["changes"][number];

const TONES = { added: "good", changed: "warn", removed: "bad" } as const;

/** What a reload would do to the stored models, before it does it. */
export function CatalogChanges() {
  const found = useQuery({
    queryKey: ["config", "catalog"],
    queryFn: ({ signal }) => call("get", "/api/admin/config/catalog", { signal }),
    // The file may have been written since.
    staleTime: 0,
  });
  return (
    <Awaited label="the changes" of={found}>
      {({ problems, changes }) => (
        <>
          <div class="acts">
            <button type="button" aria-disabled={found.isFetching} onClick={() => void found.refetch()}>
              Read the file again
            </button>
            <span class="faint">
              Changes that the next reload or start would store. Prices in US dollars.
            </span>
          </div>
          {problems.length > 0 ? (
            <div class="failed" role="alert">
              {problems.map((problem) => (
                <p key={problem}>{problem}</p>
              ))}
            </div>
          ) : changes.length === 0 ? (
            <Empty>
              <p>No changes: the stored models match the configuration.</p>
            </Empty>
          ) : (
            <Changes of={changes} />
          )}
        </>
      )}
    </Awaited>
  );
}

const Changes = ({ of: changes }: { of: readonly Change[] }) => (
  <Table
    caption="Changes to the catalog"
    rows={changes}
    keyOf={({ model, entry, field }) => `${model} ${entry} ${field}`}
    columns={[
      { title: "Model", cell: ({ model }) => <code>{model}</code> },
      { title: "Route", cell: ({ entry }) => entry ?? "the model itself" },
      { title: "Change", cell: ({ change }) => <span class={TONES[change]}>{change}</span> },
      { title: "Field", cell: ({ field }) => (field === undefined ? "all of it" : <code>{field}</code>) },
      { title: "Stored", cell: ({ before }) => textOf(before) },
      { title: "Configured", cell: ({ after }) => textOf(after) },
    ]}
  />
);
