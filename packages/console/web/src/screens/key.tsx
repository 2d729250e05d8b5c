import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { lazy, useRoute } from "preact-iso";
import { ago } from "../format.ts";
import { CapCards } from "../keys/cap-cards.tsx";
import { KeyRequests } from "../keys/key-requests.tsx";
import { useParams } from "../state/url.ts";
import { inZone } from "../state/zone.ts";
import { accountFact } from "../ui/account-name.tsx";
import { Awaited } from "../ui/awaited.tsx";
import { useKeyActs } from "../ui/key-acts.tsx";
import { type Key, keysOf } from "../ui/key-calls.ts";
import { stateOf } from "../ui/key-table.tsx";
import { Menu } from "../ui/menu.tsx";
import { Empty, Facts, Failed, Head, Id, Status, When } from "../ui/parts.tsx";
import { sentencesOf } from "../ui/restriction-values.ts";
import { Section } from "../ui/section.tsx";
import { ACCOUNT_SERIES, ALL, useSeries } from "../usage/series.ts";
import { lastDays } from "../usage/time.ts";

const Spend = lazy(() => import("../usage/spend.tsx"));
const FirstCall = lazy(() => import("../keys/first-call.tsx"));
const UseIt = lazy(() => import("../keys/use-it.tsx"));

/** One key: what it may spend and has spent, what it was used for, and how to use it. */
export default function KeyScreen() {
  const { id = "" } = useRoute().params;
  const [{ account }] = useParams();
  const calls = keysOf(account);
  const queries = useQueryClient();
  const queryKey = ["keys", account, id];
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => calls.list(signal),
    // What it has spent is there at once.
    staleTime: 0,
  });
  const renew = (): void => void queries.invalidateQueries({ queryKey: ["keys"] });
  return (
    <>
      {list.data === undefined && <Head title="Key" />}
      <Awaited label="the key" of={list} rows={8}>
        {({ results }) => {
          const key = results.find((one) => one.id === id);
          return key ? (
            <One of={key} calls={calls} account={account} onChanged={renew} />
          ) : (
            <>
              <Head title="No such key" />
              <Empty>
                <p>The account has no key of this id.</p>
                <a class="button" href="/console/keys">
                  Keys
                </a>
              </Empty>
            </>
          );
        }}
      </Awaited>
    </>
  );
}

interface OneProps {
  of: Key;
  calls: ReturnType<typeof keysOf>;
  /** The account of the key, for operators. */
  account: string | undefined;
  onChanged: () => void;
}

function One({ of: key, calls, account, onChanged }: OneProps) {
  const fault = useSignal<unknown>(undefined);
  const acts = useKeyActs({
    ...{ calls, onChanged, isOfSession: account === undefined },
    onFault: (error) => {
      fault.value = error;
    },
  });
  const of = { key: key.id, ...(account !== undefined && { account }) };
  const path = account === undefined ? ACCOUNT_SERIES : ALL;
  const month = useSeries({ ...of, ...lastDays(30), bucket: "day", by: "model" }, path);
  const week = useSeries({ ...of, ...lastDays(7), bucket: "day" }, path);
  const narrowed = new URLSearchParams(of).toString();
  const isLive = key.revokedAt === undefined;
  const limits = sentencesOf(key);
  return (
    <>
      <Head title={key.name}>
        {isLive && (
          <>
            <button type="button" onClick={acts.show("caps", key)}>
              Caps
            </button>
            <button type="button" onClick={acts.show("limits", key)}>
              Limits
            </button>
            <Menu label={`Actions of ${key.name}`} items={acts.items(key)} />
          </>
        )}
      </Head>
      {fault.value !== undefined && <Failed error={fault.value} />}
      <Facts
        of={[
          ["State", <Status key="s" of={stateOf(key)} />],
          ...accountFact(account),
          ["Begins with", <code key="p">{key.prefix}</code>],
          [inZone("Created"), <When key="c" at={key.createdAt} />],
          ["Last used", <LastUse key="u" of={key} />],
          ["Id", <Id key="i" of={key.id} />],
        ]}
      />
      <Section title="Caps" about="What it may spend in each window, counted in UTC.">
        <CapCards of={key} perDay={week.data && week.data.total.usdCost / 7} />
      </Section>
      {limits.length > 0 && (
        <Section title="Limits">
          <ul>
            {limits.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </Section>
      )}
      {month.data && month.data.series.length > 0 && (
        <Spend
          data={month.data}
          by="model"
          href={`/console/${account === undefined ? "usage" : "all-usage"}?by=model&${narrowed}`}
          pageOf={(model) => `/console/requests?model=${encodeURIComponent(model)}&${narrowed}`}
        />
      )}
      <KeyRequests of={of} narrowed={narrowed} />
      {account === undefined && isLive && (
        <Section title="Use it" about="The variable holds the key, which “Reveal” shows again.">
          <UseIt />
          {key.lastUsedAt === undefined && <FirstCall keyId={key.id} />}
        </Section>
      )}
      {isLive && (
        <Section title="Revoke" about="All further requests with this key are refused, for good.">
          <button type="button" class="danger" onClick={acts.show("revoke", key)}>
            Revoke {key.name}
          </button>
        </Section>
      )}
      {acts.dialog}
    </>
  );
}

const LastUse = ({ of: { lastUsedAt, lastUsedFrom } }: { of: Key }) =>
  lastUsedAt === undefined ? (
    <>never</>
  ) : (
    <>
      <time dateTime={lastUsedAt} title={lastUsedAt}>
        {ago(lastUsedAt)}
      </time>
      {lastUsedFrom !== undefined && (
        <>
          {" "}
          from <code>{lastUsedFrom}</code>
        </>
      )}
    </>
  );
