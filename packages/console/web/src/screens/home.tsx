import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { compact, duration, usd } from "../format.ts";
import { session } from "../state/session.ts";
import { useParams } from "../state/url.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { type Figure, Figures as FigureList } from "../ui/figures.tsx";
import { Choice } from "../ui/filters.tsx";
import { FirstSteps } from "../ui/first-steps.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { RequestTable } from "../ui/request-table.tsx";
import { Change } from "../usage/change.tsx";
import { MEASURES, type Series } from "../usage/measures.ts";
import { NeedsALook } from "../usage/needs.tsx";
import { useSeries } from "../usage/series.ts";
import Spend from "../usage/spend.tsx";
import { fitting, lastDays } from "../usage/time.ts";

/** What an account looks at first: what is left, what happened, and how to send the next request. */
export default function Home() {
  if (session.value === null)
    return (
      <>
        <Head title="Home" />
        <Empty>
          <p>
            You are signed in as the operator, without an account. Operator screens are in the navigation.
          </p>
        </Empty>
      </>
    );
  return <AccountHome />;
}

const RANGES = [
  ["1", "24 hours"],
  ["7", "7 days"],
  ["30", "30 days"],
] as const;

/** The rows of the screen, about, while they are loaded. */
const ROOM = 24;

function AccountHome() {
  const [params, set] = useParams();
  const days = RANGES.some(([one]) => one === params.days) ? (params.days as string) : "30";
  const { from, to } = lastDays(Number(days));
  const found = useSeries({ from, to, bucket: fitting(from, to), by: "model" });
  const last = useQuery({
    queryKey: ["requests", "last"],
    queryFn: ({ signal }) =>
      call("get", "/api/compat/v1/usage", {
        query: { limit: 10, after: "0", request: "false" },
        signal,
      }),
  });
  const keys = useQuery({
    queryKey: ["keys", "spend"],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/api-keys", { query: { with: "spend" }, signal }),
  });
  const account = useQuery({
    queryKey: ["account"],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/account", { signal }),
  });
  const all = together([found, last, keys, account]);
  // All at once, or what comes later would push down what is read.
  const isReady = !all.isPending;
  const hasRequest = (last.data?.results.length ?? 0) > 0;
  return (
    <>
      <Head title="Home">
        <Choice name="Range " value={days} of={RANGES} onChange={(value) => set({ days: value })} />
      </Head>
      <Awaited label="figures and requests" rows={ROOM} of={all} />
      {isReady && found.data && (
        <Figures data={found.data} days={days} balance={account.data?.creditBalance} />
      )}
      {isReady && keys.data && (
        <NeedsALook
          keys={keys.data.results}
          balance={account.data?.creditBalance}
          perDay={found.data && found.data.total.usdCost / Number(days)}
        />
      )}
      {isReady && last.data && !hasRequest && (
        <FirstSteps hasRequest={hasRequest} hasKey={(keys.data?.results.length ?? 0) > 0} />
      )}
      {isReady && found.data && found.data.series.length > 0 && <Spend data={found.data} />}
      {isReady && last.data && hasRequest && (
        <>
          <h2>Last requests</h2>
          <RequestTable rows={last.data.results} />
        </>
      )}
    </>
  );
}

interface FiguresProps {
  data: Series;
  days: string;
  balance: number | undefined;
}

function Figures({ data: { total, before }, days, balance }: FiguresProps) {
  const { errors, requests, spend } = MEASURES;
  const tokens = (sums: Series["total"]): number => sums.inputTokens + sums.outputTokens;
  const usage = (measure: string): string => `/console/usage?measure=${measure}&days=${days}`;
  const of: (Figure | false)[] = [
    balance !== undefined && { name: "Balance", value: usd(balance), href: "/console/balance" },
    {
      name: "Requests",
      value: compact(total.requests),
      note: <Change of={requests.of} {...{ total, before }} />,
      href: usage("requests"),
    },
    {
      name: "Spend",
      value: usd(total.usdCost),
      note: <Change of={spend.of} {...{ total, before }} />,
      href: usage("spend"),
    },
    {
      name: "Errors",
      value: total.requests > 0 ? errors.show(total.failed / total.requests) : "–",
      note: <Change of={errors.of} {...{ total, before }} />,
      href: `/console/requests?status=failed&days=${days}`,
    },
    {
      name: "Duration, median",
      value: duration(total.p50Ms),
      note: <span class="faint">p95 {duration(total.p95Ms)}</span>,
      href: usage("p95"),
    },
    {
      name: "Tokens",
      value: compact(tokens(total)),
      note: <Change of={tokens} {...{ total, before }} />,
      href: usage("outputTokens"),
    },
  ];
  return <FigureList of={of.filter((figure) => figure !== false)} />;
}
