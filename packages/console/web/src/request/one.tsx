import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { call } from "../api/client.ts";
import { duration } from "../format.ts";
import { session } from "../state/session.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Json } from "../ui/json.tsx";
import { Facts, Id, Money, Status, When } from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Acts } from "./acts.tsx";
import { type Detail, useDetail } from "./detail.ts";
import { Losses, lossesOf } from "./losses.tsx";
import { Price } from "./price.tsx";
import { StageBar } from "./stage-bar.tsx";
import { Way, Why } from "./way.tsx";
import type { Try } from "./why.ts";
import { inWords, PROTOCOLS } from "./words.ts";

interface OneRequestProps {
  id: string;
  whose: "account" | "all";
  /** Which tab is open, where the address keeps it. */
  tab?: string | undefined;
  onTab?: (tab: string) => void;
}

/** One request in depth: on a page of its own, and beside the list. */
export function OneRequest({ id, whose, tab, onTab }: OneRequestProps) {
  const found = useDetail(id, whose);
  const opened = useSignal(tab);
  return (
    <Awaited label="the request" of={found}>
      {(one) => (
        <Shown
          of={one}
          whose={session.value?.accountId === one.userId ? "account" : "all"}
          tab={onTab ? tab : opened.value}
          onTab={
            onTab ??
            ((name) => {
              opened.value = name;
            })
          }
        />
      )}
    </Awaited>
  );
}

function Shown({
  of: one,
  whose,
  tab,
  onTab,
}: {
  of: Detail;
  whose: "account" | "all";
  tab: string | undefined;
  onTab: (tab: string) => void;
}) {
  const tabs = {
    way: { title: "Attempts", body: <Way of={one} /> },
    losses: { title: `Losses (${lossesOf(one).length})`, body: <Losses of={one} /> },
    price: { title: "Price", body: <Price of={one} whose={whose} /> },
    raw: { title: "Raw", body: <Json value={one} label="Record" /> },
  };
  return (
    <>
      <Why attempts={one.attempts as Try[] | undefined} status={one.status} />
      <Facts
        of={[
          ["Status", <Status key="s" of={one.status} />],
          ["Time", <When key="t" at={one.createdAt} />],
          ["Model", one.model],
          ...(one.provider === undefined ? [] : [["Provider", one.provider] as [string, string]]),
          ["Cost", <Money key="c" amount={one.usdCost} />],
          ["Duration", duration(one.durationMs)],
          ["Key", <KeyOf key="k" of={one} />],
          ["Kind", one.modality],
          ["Surface", inWords(PROTOCOLS, one.surface ?? "–")],
          ["Entry", one.entry ?? "–"],
          ...Object.entries(one.tags ?? {}).map(([name, value]): [string, string] => [`Tag ${name}`, value]),
          ...(one.user === undefined ? [] : [["User", one.user] as [string, string]]),
          ["Translated", one.translated === undefined ? "–" : one.translated ? "yes" : "no, passed through"],
          ["Id", <Id key="i" of={one.id} />],
          ...(one.requestId === undefined
            ? []
            : [["Request id", <Id key="r" of={one.requestId} />] as [string, ComponentChildren]]),
        ]}
      />
      <StageBar of={one} />
      <Acts of={one} />
      <Tabs of={tabs} open={tab} onOpen={onTab} />
    </>
  );
}

/** The key's name, which leads to its requests. */
function KeyOf({ of: { apiKeyId, userId } }: { of: Detail }) {
  const isOfAccount = session.value?.accountId === userId;
  const { data } = useQuery({
    queryKey: ["keys", "names"],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/api-keys", { signal }),
    enabled: isOfAccount,
  });
  if (apiKeyId === undefined) return <>none, a session</>;
  const name = data?.results.find(({ id }) => id === apiKeyId)?.name ?? apiKeyId;
  return (
    <a
      class="wrap"
      href={`/console/requests?key=${encodeURIComponent(apiKeyId)}${isOfAccount ? "" : "&of=all"}`}
    >
      {name}
    </a>
  );
}
