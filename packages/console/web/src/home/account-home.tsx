import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { compact, duration, usd } from "../format.ts";
import { useParams } from "../state/url.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { type Figure, Figures as FigureList } from "../ui/figures.tsx";
import { Choice } from "../ui/filters.tsx";
import { Head } from "../ui/parts.tsx";
import { RequestTable } from "../ui/request-table.tsx";
import { Section } from "../ui/section.tsx";
import { WhoseChoice } from "../ui/whose.tsx";
import { Change } from "../usage/change.tsx";
import { MEASURES, type Series } from "../usage/measures.ts";
import { NeedsALook } from "../usage/needs.tsx";
import { daysLeft } from "../usage/runway.ts";
import { useSeries } from "../usage/series.ts";
import Spend from "../usage/spend.tsx";
import { fitting, lastDays } from "../usage/time.ts";
import { FirstSteps } from "./first-steps.tsx";

const RANGES = [
  ["1", "24 hours"],
  ["7", "7 days"],
  ["30", "30 days"],
] as const;

/** The requests at the end of the screen; an account that has fewer begins. */
const LAST = 10;
/** The rows of the screen, about, while they are loaded. */
const ROOM = 24;

/** What an account looks at first: what is left, what happened, and how to send the next request. */
export default function AccountHome() {
  const [params, set] = useParams();
  const days = RANGES.some(([one]) => one === params.days) ? (params.days as string) : "30";
  const { from, to } = lastDays(Number(days));
  const found = useSeries({ from, to, bucket: fitting(from, to), by: "model" });
  const last = useQuery({
    queryKey: ["requests", "last"],
    queryFn: ({ signal }) =>
      call("get", "/api/compat/v1/usage", {
        query: { limit: LAST, after: "0", request: "false" },
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
        <WhoseChoice value="account" onChange={(of) => set({ of })} />
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
          requests={
            found.data && {
              total: found.data.total.requests,
              failed: found.data.total.failed,
              href: `/console/requests?status=failed&days=${days}`,
            }
          }
        />
      )}
      {isReady && last.data && last.data.results.length < LAST && keys.data && (
        <FirstSteps hasRequest={hasRequest} keys={keys.data.results} />
      )}
      {isReady && found.data && found.data.series.length > 0 && (
        <Spend
          data={found.data}
          by="model"
          href="/console/usage?by=model"
          pageOf={(model) => `/console/requests?model=${encodeURIComponent(model)}`}
        />
      )}
      {isReady && last.data && hasRequest && (
        <Section
          title="Last requests"
          acts={
            <a class="button" href="/console/requests">
              All requests
            </a>
          }
        >
          <RequestTable rows={last.data.results} />
        </Section>
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
  const share = errors.of(total);
  const tokens = (sums: Series["total"]): number => sums.inputTokens + sums.outputTokens;
  const usage = (measure: string): string => `/console/usage?measure=${measure}&days=${days}`;
  const of: (Figure | false)[] = [
    balance !== undefined && {
      name: "Balance",
      value: usd(balance),
      note: <Runway {...{ balance }} perDay={total.usdCost / Number(days)} />,
      href: "/console/balance",
    },
    {
      name: "Requests",
      value: compact(requests.of(total)),
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
      value: share === undefined ? "–" : errors.show(share),
      note: <Change of={errors.of} {...{ total, before }} />,
      href: `/console/requests?status=failed,refused&days=${days}`,
    },
    {
      name: "First token, median",
      value: duration(total.p50FirstMs),
      note: <span class="faint">p95 {duration(total.p95FirstMs)}</span>,
      href: usage("first"),
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

/** How long a balance lasts at the pace of the range. */
function Runway({ balance, perDay }: { balance: number; perDay: number }) {
  const days = daysLeft(balance, perDay);
  return days === undefined ? null : <span class="faint">lasts {days} at this pace</span>;
}
