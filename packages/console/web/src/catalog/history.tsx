import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { textOf } from "../config/text.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { ACTIONS } from "../ui/column.tsx";
import { Pages } from "../ui/pages.tsx";
import { Empty } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import type { Section } from "./calls.ts";
import { differingParts } from "./values.ts";
import { sayDone } from "./words.ts";

type Entry = Answer<"/api/admin/audit-log">["results"][number];

const PAGE = 50;
const ACTS: Record<string, string> = {
  declaration_created: "made",
  declaration_changed: "changed",
  declaration_removed: "removed",
};

/** The member that an entry of the audit log is of. */
function memberOf({ subject = "" }: Entry): { section: Section; name: string } {
  const [section = "", ...name] = subject.split(".");
  return { section: section as Section, name: name.join(".") };
}

function sayEntry(entry: Entry): string {
  const { section, name } = memberOf(entry);
  return sayDone(section, name, ACTS[entry.action] ?? "changed").replace(/\.$/, "");
}

const revisionOf = ({ after }: Entry): number | undefined =>
  (after as { revision?: number } | undefined)?.revision;

/** Who changed what, and the way back: of each member, the last change can be undone. */
export function History() {
  const [params, set] = useParams();
  const offset = Number(params.offset ?? 0);
  const query = { action: Object.keys(ACTS).join(","), offset, limit: PAGE };
  const list = useQuery({
    queryKey: ["catalog-changes", offset],
    queryFn: ({ signal }) => call("get", "/api/admin/audit-log", { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return (
    <Awaited label="the changes" rows={8} of={list}>
      {({ results, total }) =>
        total === 0 ? (
          <Empty title="No changes yet" icon="audit">
            <p>Whatever is made, changed or removed here stands in this list, and can be undone from it.</p>
          </Empty>
        ) : (
          <>
            <Table
              caption="Changes"
              isMain
              rows={results}
              keyOf={({ id }) => id}
              columns={[
                { title: "Time", time: ({ createdAt }) => createdAt, card: "bare" },
                { title: "Who", cell: ({ actor }) => actor.replace(/^operator:/, ""), drops: 2 },
                {
                  title: "What",
                  card: "lead",
                  cell: sayEntry,
                },
                { title: "Difference", card: "line", cell: (entry) => <Difference of={entry} /> },
                {
                  title: ACTIONS,
                  cell: (entry) =>
                    offset === 0 &&
                    isLast(entry, results) && (
                      <button
                        type="button"
                        class="quiet"
                        aria-label={`Undo: ${sayEntry(entry)}`}
                        onClick={() => set({ undo: String(revisionOf(entry)) })}
                      >
                        Undo
                      </button>
                    ),
                },
              ]}
            />
            <Pages offset={offset} size={PAGE} total={total} go={(to) => set({ offset: to })} />
          </>
        )
      }
    </Awaited>
  );
}

/** Whether no later change of the same member is in the list, which is sorted by time. */
const isLast = (entry: Entry, all: readonly Entry[]): boolean =>
  all.find(({ subject }) => subject === entry.subject) === entry;

/** The first differences of a change; hovering shows all. */
function Difference({ of: { before, after } }: { of: Entry }) {
  const lines = differingParts(before, after)
    .filter(({ path }) => path !== "revision")
    .map(({ path, before, after }) => `${path}: ${textOf(before)} → ${textOf(after)}`);
  if (lines.length === 0) return <>–</>;
  return (
    <span class="folded" title={lines.join("\n")}>
      {lines.slice(0, 2).join("; ")}
      {lines.length > 2 && ` and ${lines.length - 2} more`}
    </span>
  );
}
