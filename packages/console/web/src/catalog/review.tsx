import { textOf } from "../config/text.ts";
import { count } from "../format.ts";
import { Table } from "../ui/table.tsx";
import type { Outcome, Section, Value } from "./calls.ts";
import { summaryOf } from "./summary.ts";
import { differingParts } from "./values.ts";
import { capital, nameOf } from "./words.ts";

/** The most lines of one list: what a change of hundreds of models does is shown by the first of them. */
const MOST = 12;

/** What a change does: the difference, the routes and prices that follow, and what callers lose by it. */
export const Review = ({ of: outcome }: { of: Outcome }) => {
  const { members, routes, changes, breaks, doubts } = outcome;
  const declared = new Set(members.flatMap(({ section, name }) => (section === "models" ? [name] : [])));
  // The difference of a declared model says the same in other words.
  const others = changes.filter(({ model }) => !declared.has(model));
  return (
    <>
      {breaks.length > 0 && (
        <div class="strip bad" role="alert">
          <p>
            <b>Callers lose something by this:</b>
          </p>
          <Lines of={breaks.map(sayBreak)} />
        </div>
      )}
      {doubts.length > 0 && (
        <div class="strip" role="status">
          <p>
            <b>This is probably not meant as it is:</b>
          </p>
          <Lines of={doubts} />
        </div>
      )}
      <Differences of={members} />
      {routes.length > 0 && (
        <Table
          caption="Routes, in the order in which they are tried"
          rows={routes.slice(0, MOST)}
          keyOf={({ model }) => model}
          columns={[
            { title: "Model", cell: ({ model }) => model },
            { title: "Routes before", cell: ({ before }) => <InOrder of={before} /> },
            { title: "Routes after", cell: ({ after }) => <InOrder of={after} /> },
          ]}
        />
      )}
      {routes.length > MOST && <p class="faint">And {count(routes.length - MOST)} other models.</p>}
      {others.length > 0 && (
        <>
          <p>Models that it changes as well:</p>
          <Lines of={grouped(others)} />
        </>
      )}
    </>
  );
};

/** What happens to models, those to which the same happens in one line. */
function grouped(changes: Outcome["changes"]): string[] {
  const byChange = new Map<string, string[]>();
  for (const { model, entry, change, field, before, after } of changes) {
    const what = field === undefined ? change : sayField(field, before, after);
    const models = byChange.get(what) ?? [];
    byChange.set(what, [...models, entry === undefined ? model : `${model} (${entry})`]);
  }
  return [...byChange].map(([what, models]) =>
    models.length > 2 ? `${count(models.length)} models: ${what}` : `${models.join(", ")}: ${what}`,
  );
}

const sayField = (field: string, before: unknown, after: unknown): string =>
  field === "isListed"
    ? after === false
      ? "no longer listed, and served by name as before"
      : "listed again"
    : `${field} ${textOf(before)} → ${textOf(after)}`;

/** What breaks, in the words of the screen. */
const sayBreak = (text: string): string =>
  text.replace(/^models\./, "").replace("would lose its entry", "would lose its route");

const InOrder = ({ of: routes }: { of: readonly string[] }) => (
  <span class="folded">{routes.join(", then ") || "none"}</span>
);

const Lines = ({ of: lines }: { of: readonly string[] }) => (
  <ul class="lines">
    {lines.slice(0, MOST).map((line) => (
      <li key={line}>{line}</li>
    ))}
    {lines.length > MOST && <li class="faint">and {count(lines.length - MOST)} more</li>}
  </ul>
);

/** The difference of each member that changes; several that come or go have a line each. */
function Differences({ of: members }: { of: Outcome["members"] }) {
  const isOne = members.length === 1;
  const whole = isOne ? [] : members.filter(({ before, after }) => !before || !after);
  const rows = members
    .filter((one) => !whole.includes(one))
    .flatMap((one) =>
      differingParts(one.before, one.after).map((part) => ({ of: `${one.section}.${one.name}`, ...part })),
    );
  return (
    <>
      {rows.length === 0 && whole.length === 0 && <p>Nothing changes.</p>}
      {whole.length > 0 && (
        <Table
          caption="What comes and goes"
          rows={whole.slice(0, MOST * 2)}
          keyOf={({ section, name }) => `${section} ${name}`}
          columns={[
            {
              title: "What",
              cell: ({ section, name }) => capital(nameOf({ section: section as Section, name })),
            },
            { title: "Change", cell: ({ after }) => (after ? "new" : "removed"), card: "side" },
            {
              title: "In short",
              card: "line",
              cell: ({ section, before, after }) => (
                <span class="folded">{summaryOf(section, (after ?? before ?? {}) as Value)}</span>
              ),
            },
          ]}
        />
      )}
      {whole.length > MOST * 2 && <p class="faint">And {count(whole.length - MOST * 2)} others.</p>}
      {rows.length > 0 && (
        <Table
          caption="The difference"
          rows={rows.slice(0, MOST * 2)}
          keyOf={({ of, path }) => `${of} ${path}`}
          columns={[
            ...(isOne ? [] : [{ title: "Of", cell: ({ of }: { of: string }) => of, card: "line" as const }]),
            { title: "Field", cell: ({ path }) => <code>{path}</code>, card: "lead" as const },
            { title: "Before", cell: ({ before }) => <span class="folded">{textOf(before)}</span> },
            { title: "After", cell: ({ after }) => <span class="folded">{textOf(after)}</span> },
          ]}
        />
      )}
      {rows.length > MOST * 2 && <p class="faint">And {count(rows.length - MOST * 2)} other fields.</p>}
    </>
  );
}
