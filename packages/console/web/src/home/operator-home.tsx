import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { useMembers } from "../catalog/calls.ts";
import { useHasProvider } from "../catalog/has-provider.ts";
import { ago, compact, count, duration, usd } from "../format.ts";
import { Errors } from "../providers/cells.tsx";
import { type State, useGatewayState } from "../providers/state.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { useParams } from "../state/url.ts";
import { Awaited, optional, together } from "../ui/awaited.tsx";
import { Badge } from "../ui/badge.tsx";
import { Figures } from "../ui/figures.tsx";
import { Choice } from "../ui/filters.tsx";
import { Empty, Head, Status, When } from "../ui/parts.tsx";
import { Section } from "../ui/section.tsx";
import { Table } from "../ui/table.tsx";
import { WhoseChoice } from "../ui/whose.tsx";
import { Change } from "../usage/change.tsx";
import { MEASURES, type Series } from "../usage/measures.ts";
import { ALL, useSeries } from "../usage/series.ts";
import Spend from "../usage/spend.tsx";
import { fitting, lastDays } from "../usage/time.ts";
import { type Overview, processName, toLookAt } from "./to-look-at.ts";

const RANGES = [
  ["1", "24 hours"],
  ["7", "7 days"],
  ["30", "30 days"],
] as const;

/** What an operator looks at first: all accounts in six figures, what needs a look, where the money goes, what is slow. */
export default function OperatorHome() {
  const [params, set] = useParams();
  const days = RANGES.some(([one]) => one === params.days) ? (params.days as string) : "1";
  const range = lastDays(Number(days));
  const bucket = fitting(range.from, range.to);
  const byProvider = useSeries({ ...range, bucket, by: "provider" }, ALL);
  const byAccount = useSeries({ ...range, bucket, by: "account" }, ALL);
  const overview = useQuery({
    queryKey: ["overview", range],
    queryFn: ({ signal }) => call("get", "/api/admin/overview", { query: range, signal }),
    placeholderData: keepWhileOnline,
  });
  const state = useGatewayState({ isWatched: true });
  const reloads = useQuery({
    queryKey: ["config", "reloads"],
    queryFn: ({ signal }) => call("get", "/api/admin/config/reloads", { signal }),
    retry: false,
  });
  const members = useMembers();
  const hasProvider = useHasProvider();
  // All at once, or what comes later would push down what is read.
  const all = together([byProvider, byAccount, overview, state, optional(reloads), optional(members)]);
  return (
    <>
      <Head title="Home" about="All accounts.">
        <WhoseChoice value="all" onChange={(of) => set({ of })} />
        <Choice name="Range " value={days} of={RANGES} onChange={(value) => set({ days: value })} />
      </Head>
      <Awaited label="figures" rows={8} of={all}>
        {([providers, accounts, found, now, changes]) => (
          <>
            {hasProvider === false && <NoProvider />}
            <AllFigures of={providers} days={days} />
            <NeedsALook of={found} state={now} reloads={changes.answer?.reloads ?? []} />
            {(["provider", "account"] as const).map((by) => (
              <Spend
                key={by}
                data={by === "provider" ? providers : accounts}
                by={by}
                href={`/console/all-usage?by=${by}&days=${days}`}
                pageOf={(id) => `/console/${by}s/${encodeURIComponent(id)}`}
              />
            ))}
            <Slowest of={found.slowest} />
            <Processes of={found} />
          </>
        )}
      </Awaited>
    </>
  );
}

/** What an operator begins with. */
const NoProvider = () => (
  <Empty title="No provider yet" icon="catalog">
    <p>Only simulated models are served. From a provider’s key to the first answer it takes two minutes.</p>
    <a class="button main" href="/console/catalog/add">
      Add provider
    </a>
  </Empty>
);

function AllFigures({ of: { total, before }, days }: { of: Series; days: string }) {
  const { errors, requests, spend } = MEASURES;
  const share = errors.of(total);
  const tokens = (sums: Series["total"]): number => sums.inputTokens + sums.outputTokens;
  const usage = (measure: string): string => `/console/all-usage?measure=${measure}&days=${days}`;
  const change = (of: (sums: Series["total"]) => number | undefined) => (
    <Change of={of} {...{ total, before }} />
  );
  return (
    <Figures
      of={[
        {
          ...{ name: "Requests", value: compact(requests.of(total)), note: change(requests.of) },
          href: `/console/requests?of=all&days=${days}`,
        },
        { name: "Spend", value: usd(total.usdCost), note: change(spend.of), href: usage("spend") },
        {
          ...{
            name: "Errors",
            value: share === undefined ? "–" : errors.show(share),
            note: change(errors.of),
          },
          href: `/console/requests?of=all&status=failed,refused&days=${days}`,
        },
        {
          ...{ name: "First token, median", value: duration(total.p50FirstMs) },
          ...{ note: `p95 ${duration(total.p95FirstMs)}`, href: `/console/providers?days=${days}` },
        },
        {
          ...{ name: "Duration, median", value: duration(total.p50Ms) },
          ...{ note: `p95 ${duration(total.p95Ms)}`, href: usage("p95") },
        },
        { name: "Tokens", value: compact(tokens(total)), note: change(tokens), href: usage("outputTokens") },
      ]}
    />
  );
}

interface NeedsALookProps extends Answer<"/api/admin/config/reloads"> {
  of: Overview;
  state: State;
}

/** What an operator should look at; the last audit is said in any case. */
function NeedsALook({ of: overview, state, reloads }: NeedsALookProps) {
  const items = toLookAt(overview, state, reloads);
  const { audit } = overview;
  return (
    <Section
      title="Needs a look"
      isCard
      about={
        audit &&
        `The books were audited ${ago(audit.at)}: ${audit.differences === 0 ? "no difference" : `${count(audit.differences)} differences`}.`
      }
    >
      {items.length === 0 ? (
        <p class="good">Nothing.</p>
      ) : (
        <ul class="needs">
          {items.map(({ name, href, text, tone }) => (
            <li key={`${name}${text}`}>
              <span class={tone} aria-hidden="true">
                ●
              </span>{" "}
              <a href={href}>{name}</a>
              {text}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const Slowest = ({ of: routes }: { of: Overview["slowest"] }) =>
  routes.length === 0 ? null : (
    <Section title="Slowest routes" about="By the median time to the first token.">
      <Table
        caption="Slowest routes"
        rows={routes}
        keyOf={({ entry }) => entry}
        columns={[
          {
            title: "Provider",
            cell: ({ provider }) => provider,
            href: ({ provider }) => `/console/providers/${encodeURIComponent(provider)}`,
          },
          { title: "Model", cell: ({ model }) => model },
          { title: "Requests", isNumber: true, cell: ({ requests }) => count(requests), drops: 2 },
          { title: "Errors", isNumber: true, cell: (one) => <Errors of={one} />, drops: 2 },
          { title: "First token, median", isNumber: true, cell: ({ p50FirstMs }) => duration(p50FirstMs) },
          { title: "p95", isNumber: true, cell: ({ p95FirstMs }) => duration(p95FirstMs), card: "side" },
        ]}
      />
    </Section>
  );

/** The silence after which a process is taken for dead, in ms. */
const SILENT_MS = 30_000;

const Processes = ({ of: { processes, at } }: { of: Overview }) => (
  <Section title="Processes" about="That have the database open.">
    <Table
      caption="Processes"
      rows={processes}
      keyOf={({ owner }) => owner}
      columns={[
        {
          title: "Process",
          cell: ({ owner, isThis }) => (
            <span title={owner}>
              {processName(owner)} {isThis && <Badge>answered this</Badge>}
            </span>
          ),
        },
        { title: "Age", cell: ({ startedAt }) => ago(startedAt, Date.parse(at)).replace(" ago", "") },
        { title: "Since", time: ({ startedAt }) => startedAt, drops: 2 },
        {
          title: "State",
          card: "side",
          cell: ({ heartbeatAt }) =>
            Date.parse(at) - Date.parse(heartbeatAt) > SILENT_MS ? (
              <>
                <Status of="silent" /> since <When at={heartbeatAt} />
              </>
            ) : (
              <Status of="active" />
            ),
        },
      ]}
    />
  </Section>
);
