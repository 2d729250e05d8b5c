import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { lazy } from "preact-iso";
import { call } from "../api/client.ts";
import { duration } from "../format.ts";
import { keyAddress } from "../keys/address.ts";
import { EXPLAINED } from "../play/surfaces.ts";
import { session } from "../state/session.ts";
import { inZone } from "../state/zone.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Json } from "../ui/json.tsx";
import { Facts, Id, Money, Status, When } from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Acts } from "./acts.tsx";
import { surfaceOfKept } from "./again.ts";
import { type Detail, useDetail } from "./detail.ts";
import { Losses, lossesOf } from "./losses.tsx";
import { Price } from "./price.tsx";
import { sentenceOf } from "./sentence.ts";
import { StageBar } from "./stage-bar.tsx";
import { Way } from "./way.tsx";
import { inWords, PROTOCOLS } from "./words.ts";

// Loaded with their tabs: both read bodies.
const Conversation = lazy(() => import("./conversation.tsx"));
const Wire = lazy(() => import("./wire.tsx"));

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
  const { tone, text } = sentenceOf(one);
  const isText = one.modality === "text";
  const tabs = {
    conversation: { title: isText ? "Conversation" : "Request", body: <Conversation of={one} /> },
    way: { title: "Attempts", body: <Way of={one} /> },
    losses: { title: `Losses (${lossesOf(one).length})`, body: <Losses of={one} /> },
    ...(isText && { wire: { title: "Wire", body: <Wire of={one} /> } }),
    price: { title: "Price", body: <Price of={one} whose={whose} /> },
    raw: { title: "Raw", body: <Json value={one} label="Record" /> },
  };
  return (
    <>
      <p class={`strip ${tone}`}>{text}</p>
      <FactsOf of={one} />
      <StageBar of={one} />
      <Acts of={one} />
      <Tabs of={tabs} open={tab} onOpen={onTab} />
    </>
  );
}

/** What is known of a request in words and figures, the most wanted first. */
function FactsOf({ of: one }: { of: Detail }) {
  const { firstTokenMs } = (one.speed ?? {}) as { firstTokenMs?: number };
  const surface = surfaceOfKept(one);
  const facts: [string, ComponentChildren][] = [
    ["Status", <Status key="s" of={one.status} />],
    [inZone("Time"), <When key="t" at={one.createdAt} />],
    ["Model", one.model],
    ...(one.requestedModel === undefined ? [] : [["Asked for as", one.requestedModel] as [string, string]]),
    [one.provider === undefined ? "Route" : "Provider", one.provider ?? one.entry ?? "–"],
    ["Key", <KeyOf key="k" of={one} />],
    ["Cost", <Money key="c" amount={one.usdCost} />],
    ...(firstTokenMs === undefined ? [] : [["First token", duration(firstTokenMs)] as [string, string]]),
    ["Duration", duration(one.durationMs)],
    ["Protocol", surface === undefined ? inWords(PROTOCOLS, one.surface ?? "–") : EXPLAINED[surface].title],
    ["Translated", one.translated === undefined ? "–" : one.translated ? "yes" : "no, passed through"],
    ...Object.entries(one.tags ?? {}).map(([name, value]): [string, string] => [`Tag ${name}`, value]),
    ...(one.user === undefined ? [] : [["End user", one.user] as [string, string]]),
    ["Id", <Id key="i" of={one.id} />],
  ];
  if (one.requestId !== undefined) facts.push(["Request id", <Id key="r" of={one.requestId} />]);
  return <Facts of={facts} />;
}

/** The key's name, which leads to its page. */
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
    <a class="wrap" href={keyAddress(apiKeyId, userId)}>
      {name}
    </a>
  );
}
