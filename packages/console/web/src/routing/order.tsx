import type { ComponentChildren } from "preact";
import { usd } from "../format.ts";
import { inWords, PROTOCOLS, SKIPS } from "../request/words.ts";
import { Table } from "../ui/table.tsx";
import type { AdminExplanation, Candidate } from "./ask.ts";
import { EntryName } from "./name.tsx";

type Rule = NonNullable<Candidate["decidedBy"]>;
type Rank = NonNullable<Candidate["rank"]>;

/** Where a rule says nothing of an entry. */
const NOTHING = "–";
const CONVERSATION = ["served it", "reads its seals", NOTHING] as const;

/** The rules of the order, the most important first, and what each looks at. */
const RULES: Record<Exclude<Rule, "file">, { title: string; of: (rank: Rank) => string }> = {
  order: { title: "Order", of: ({ order }) => (order === null ? NOTHING : `${order + 1}.`) },
  conversation: { title: "Conversation", of: ({ conversation }) => CONVERSATION[conversation] },
  pause: { title: "Pause", of: ({ pause }) => (pause ? "yes" : NOTHING) },
  sort: { title: "Sort", of: ({ sort }) => (sort === null ? NOTHING : String(Number(sort.toFixed(6)))) },
  protocol: { title: "Same protocol", of: ({ protocol }) => (protocol ? "yes" : "no") },
  priority: { title: "Priority", of: ({ priority }) => String(priority) },
  weight: { title: "Weight", of: ({ weight }) => (weight === null ? NOTHING : weight.toFixed(3)) },
  failures: { title: "Failures", of: ({ failures }) => String(failures) },
  price: { title: "Price", of: ({ price }) => usd(price) },
};

const Cell = ({ decides, children }: { decides: boolean; children: ComponentChildren }) =>
  decides ? (
    <strong class="decides">
      {children} <span class="hidden">(decides)</span>
    </strong>
  ) : (
    children
  );

interface Ranked extends Candidate {
  place: number;
}

/** The entries that would be asked, in order; what put each behind the one before it is marked. */
export function Order({ of: candidates }: { of: readonly Candidate[] }) {
  const rules = Object.entries(RULES);
  const says = ([, { of }]: (typeof rules)[number]): boolean =>
    candidates.some(({ rank }) => rank && of(rank) !== NOTHING);
  const silent = rules.filter((rule) => !says(rule)).map(([, { title }]) => title.toLowerCase());
  return (
    <>
      <Table
        caption="Routes in order"
        rows={candidates.map((one, at): Ranked => ({ ...one, place: at + 1 }))}
        keyOf={({ entry }) => entry}
        columns={[
          { title: "Rank", isNumber: true, cell: ({ place }) => place },
          {
            title: "Route",
            card: "lead",
            cell: ({ provider, name }) => <EntryName {...{ provider, name }} />,
          },
          { title: "Protocol", cell: ({ protocol }) => inWords(PROTOCOLS, protocol) },
          ...rules.filter(says).map(([rule, { title, of }]) => ({
            title,
            cell: ({ rank, decidedBy }: Ranked) =>
              rank && <Cell decides={decidedBy === rule}>{of(rank)}</Cell>,
          })),
          ...(candidates.some(({ decidedBy }) => decidedBy === "file")
            ? [
                {
                  title: "File",
                  cell: ({ decidedBy }: Ranked) => (
                    <Cell decides={decidedBy === "file"}>{decidedBy === "file" ? "later" : NOTHING}</Cell>
                  ),
                },
              ]
            : []),
        ]}
      />
      {silent.length > 0 && <p class="faint">Rules that make no difference here: {silent.join(", ")}.</p>}
    </>
  );
}

/** The entries that would not be asked, each with the reason. */
export const LeftOut = ({ of: skipped }: { of: NonNullable<AdminExplanation["route"]>["skipped"] }) => (
  <Table
    caption="Routes left out"
    rows={skipped}
    keyOf={({ entry, why }) => `${entry} ${why}`}
    columns={[
      { title: "Route", cell: ({ provider, name }) => <EntryName {...{ provider, name }} /> },
      { title: "Why", cell: ({ why }) => <span class="warn">{inWords(SKIPS, why)}</span> },
      { title: "Detail", cell: ({ detail }) => <span class="wrap">{detail ?? "–"}</span> },
    ]}
  />
);
