import type { ComponentChildren } from "preact";
import { usd } from "../format.ts";
import { Table } from "../ui/table.tsx";
import type { Candidate, Told } from "./ask.ts";
import { EntryName } from "./name.tsx";

type Rule = NonNullable<Candidate["decidedBy"]>;
type Rank = NonNullable<Candidate["rank"]>;

const CONVERSATION = ["served it", "reads its seals", "–"] as const;

/** The rules of the order, the most important first, and what each looks at. */
const RULES: Record<Exclude<Rule, "file">, { title: string; of: (rank: Rank) => string }> = {
  order: { title: "Order", of: ({ order }) => (order === null ? "–" : `${order + 1}.`) },
  conversation: { title: "Conversation", of: ({ conversation }) => CONVERSATION[conversation] },
  pause: { title: "Pause", of: ({ pause }) => (pause ? "yes" : "–") },
  sort: { title: "Sort", of: ({ sort }) => (sort === null ? "–" : String(Number(sort.toFixed(6)))) },
  protocol: { title: "Protocol", of: ({ protocol }) => (protocol ? "the caller’s" : "another") },
  priority: { title: "Priority", of: ({ priority }) => String(priority) },
  weight: { title: "Weight", of: ({ weight }) => (weight === null ? "–" : weight.toFixed(3)) },
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
export const Order = ({ of: candidates }: { of: readonly Candidate[] }) => (
  <Table
    caption="Entries in order"
    rows={candidates.map((one, at): Ranked => ({ ...one, place: at + 1 }))}
    keyOf={({ entry }) => entry}
    columns={[
      { title: "Place", isNumber: true, cell: ({ place }) => place },
      { title: "Entry", cell: ({ provider, name }) => <EntryName {...{ provider, name }} /> },
      { title: "Spoken to in", cell: ({ protocol }) => protocol },
      ...Object.entries(RULES).map(([rule, { title, of }]) => ({
        title,
        cell: ({ rank, decidedBy }: Ranked) => rank && <Cell decides={decidedBy === rule}>{of(rank)}</Cell>,
      })),
      {
        title: "File",
        cell: ({ decidedBy }) => (
          <Cell decides={decidedBy === "file"}>{decidedBy === "file" ? "later" : "–"}</Cell>
        ),
      },
    ]}
  />
);

const WHY: Record<string, string> = {
  inactive: "paused, or its model is",
  unknown_provider: "no provider of that name is configured",
  no_protocol: "it speaks no protocol that has this",
  not_routed: "this endpoint does not reach its provider",
  not_chosen: "“only” does not name its provider",
  ignored: "“ignore” names its provider",
  no_fallback: "other entries are not wanted",
  unpriced: "it has no price",
  too_expensive: "its price is above the caller’s limit",
  circuit_open: "its circuit is open",
  refused: "its capabilities do not allow the request",
  parameters: "it would lose parameters",
  losses: "it would lose something",
};

/** The entries that would not be asked, each with the reason. */
export const LeftOut = ({ of: skipped }: { of: NonNullable<Told["route"]>["skipped"] }) => (
  <Table
    caption="Entries left out"
    rows={skipped}
    keyOf={({ entry, why }) => `${entry} ${why}`}
    columns={[
      { title: "Entry", cell: ({ provider, name }) => <EntryName {...{ provider, name }} /> },
      { title: "Why", cell: ({ why }) => <span class="warn">{WHY[why] ?? why}</span> },
      { title: "In a sentence", cell: ({ detail }) => <span class="wrap">{detail ?? "–"}</span> },
    ]}
  />
);
