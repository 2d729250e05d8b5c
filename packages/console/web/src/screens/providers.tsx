import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count, counted, duration } from "../format.ts";
import { Circuits, Errors } from "../providers/cells.tsx";
import { answersOf, comparedInWords, isSlow, rangeInWords, type Summary, times } from "../providers/words.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Badge } from "../ui/badge.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { Sparkline } from "../ui/sparkline.tsx";
import { Table } from "../ui/table.tsx";
import { RangeFilter } from "../usage/range.tsx";
import { bucketsOf, rangeIn } from "../usage/time.ts";

/** The range of a screen whose address names none. */
const USUAL = "1";

/** The providers to which requests are sent, the worst first, and what is to be known of them at once. */
export default function Providers() {
  const [params, set] = useParams();
  const chosen = { days: USUAL, ...params };
  const range = rangeIn(chosen);
  const list = useQuery({
    queryKey: ["providers", range],
    queryFn: ({ signal }) => call("get", "/api/admin/providers", { query: range, signal }),
    placeholderData: keepWhileOnline,
  });
  const search = new URLSearchParams(params).toString();
  return (
    <>
      <Head title="Providers" about="The worst first. Circuits are those of the process that answers.">
        <a class="button" href="/console/catalog?tab=providers">
          Change them
        </a>
        <a class="button main" href="/console/catalog/add">
          Add provider
        </a>
      </Head>
      <search class="filters">
        <RangeFilter params={chosen} shown={range} set={set} />
      </search>
      <Awaited label="providers" rows={6} of={list}>
        {({ providers, from, to, bucket }) =>
          providers.length === 0 ? (
            <Empty title="No providers" icon="providers">
              <p>Requests are sent to providers. Add one by its key, or in the configuration file.</p>
            </Empty>
          ) : (
            <>
              <Answers of={providers} when={rangeInWords(chosen)} search={search} />
              <List of={providers} times={bucketsOf(from, to, bucket)} search={search} bucket={bucket} />
            </>
          )
        }
      </Awaited>
    </>
  );
}

const pageOf = (id: string, search: string): string =>
  `/console/providers/${encodeURIComponent(id)}${search && `?${search}`}`;

/** Which provider is slow or fails, in a sentence. */
function Answers({ of: providers, when, search }: { of: readonly Summary[]; when: string; search: string }) {
  const { slowest, perhaps, failing } = answersOf(providers);
  const isCompared = providers.some(({ compared }) => compared);
  return (
    <div class="answers" role="status">
      {slowest?.compared && (
        <p>
          Slowest {when}: <a href={pageOf(slowest.id, search)}>{slowest.id}</a>,{" "}
          {comparedInWords(slowest.compared)}.
        </p>
      )}
      {perhaps?.compared && (
        <p>
          None was slow {when} for certain: <a href={pageOf(perhaps.id, search)}>{perhaps.id}</a> took{" "}
          {times(perhaps.compared.ratio)} as long as the others of the same models, in only{" "}
          {counted(perhaps.compared.requests, "request")}.
        </p>
      )}
      {!slowest && !perhaps && (
        <p>
          {isCompared
            ? `No provider was slower ${when} than the others of its models.`
            : `No two providers served the same model often enough ${when} to be compared.`}
        </p>
      )}
      {failing && (
        <p>
          Most errors {when}: <a href={pageOf(failing.id, search)}>{failing.id}</a>, which failed{" "}
          {count(failing.failedCalls)} of {count(failing.calls)} calls.
        </p>
      )}
    </div>
  );
}

interface ListProps {
  of: readonly Summary[];
  /** The beginnings of the hours or days of the range. */
  times: readonly string[];
  search: string;
  bucket: string;
}

const List = ({ of: providers, times: moments, search, bucket }: ListProps) => (
  <Table
    caption="Providers"
    rows={providers}
    keyOf={({ id }) => id}
    isMain
    columns={[
      { title: "Provider", cell: ({ id }) => id, href: ({ id }) => pageOf(id, search) },
      {
        title: "Host",
        cell: ({ host, isConfigured }) => (isConfigured ? host : <Badge tone="warn">removed</Badge>),
        drops: 1,
      },
      { title: "Requests", isNumber: true, cell: ({ requests }) => count(requests), card: "side" },
      {
        title: `Per ${bucket}`,
        drops: 2,
        cell: ({ points }) => {
          const known = new Map(points.map(({ at, requests }) => [at, requests]));
          return <Sparkline of={moments.map((at) => known.get(at) ?? 0)} />;
        },
      },
      { title: "Errors", isNumber: true, cell: (one) => <Errors of={one} /> },
      {
        title: "First token, median",
        isNumber: true,
        cell: ({ p50FirstMs }) => duration(p50FirstMs),
      },
      { title: "p95", isNumber: true, cell: ({ p95FirstMs }) => duration(p95FirstMs), drops: 3 },
      {
        title: "Beside others",
        isNumber: true,
        cell: ({ compared }) =>
          compared ? (
            <span class={isSlow(compared) ? "warn" : ""} title={comparedInWords(compared)}>
              {times(compared.ratio)}
            </span>
          ) : (
            "–"
          ),
        drops: 3,
      },
      { title: "Spend", amount: ({ usdCost }) => usdCost },
      { title: "Circuits", cell: ({ circuits }) => <Circuits of={circuits} />, card: "off" },
    ]}
  />
);
