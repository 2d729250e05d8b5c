import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { lazy } from "preact-iso";
import { lineFact } from "../batches/line-fact.tsx";
import { duration } from "../format.ts";
import { jobFact } from "../jobs/job-fact.tsx";
import { EXPLAINED } from "../play/surfaces.ts";
import type { Whose } from "../requests/source.ts";
import { session } from "../state/session.ts";
import { inZone } from "../state/zone.ts";
import { accountFact } from "../ui/account-name.tsx";
import { Awaited } from "../ui/awaited.tsx";
import { Json } from "../ui/json.tsx";
import { KeyName } from "../ui/key-name.tsx";
import { Facts, Id, Money, ShortId, Status, When } from "../ui/parts.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Acts } from "./acts.tsx";
import { surfaceOfKept } from "./again.ts";
import { type Detail, useDetail } from "./detail.ts";
import { Losses, lossesOf } from "./losses.tsx";
import { Price } from "./price.tsx";
import { ProviderName } from "./provider-name.tsx";
import { sentenceOf } from "./sentence.ts";
import { StageBar } from "./stage-bar.tsx";
import { Way } from "./way.tsx";
import { inWords, PROTOCOLS } from "./words.ts";

// Loaded with their tabs: both read bodies.
const Conversation = lazy(() => import("./conversation.tsx"));
const Wire = lazy(() => import("./wire.tsx"));

interface OneRequestProps {
  id: string;
  whose: Whose;
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
  whose: Whose;
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
      <FactsOf of={one} whose={whose} />
      <StageBar of={one} />
      <Acts of={one} />
      <Tabs of={tabs} open={tab} onOpen={onTab} />
    </>
  );
}

/** What is known of a request in words and figures, the most wanted first. */
function FactsOf({ of: one, whose }: { of: Detail; whose: Whose }) {
  const { firstTokenMs } = (one.speed ?? {}) as { firstTokenMs?: number };
  const surface = surfaceOfKept(one);
  const facts: [string, ComponentChildren][] = [
    ["Status", <Status key="s" of={one.status} />],
    [inZone("Time"), <When key="t" at={one.createdAt} />],
    ...accountFact(one.userId),
    ["Model", one.model],
    ...(one.fallback === undefined ? [] : [["In place of", one.fallback.from] as [string, string]]),
    ...(one.cache === undefined
      ? []
      : [["First answered by", <FirstAnswer key="f" of={one.cache.of} />] as [string, ComponentChildren]]),
    ...(one.requestedModel === undefined ? [] : [["Asked for as", one.requestedModel] as [string, string]]),
    one.provider === undefined
      ? ["Route", one.entry ?? "–"]
      : ["Provider", <ProviderName key="p" of={one.provider} />],
    [
      "Key",
      one.apiKeyId === undefined ? (
        "none, a session"
      ) : (
        <KeyName key="k" of={one.apiKeyId} account={one.userId} />
      ),
    ],
    ...lineFact(one.requestId, one.userId),
    ...jobFact(one, whose),
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

/** The request whose answer was given once more. */
const FirstAnswer = ({ of: id }: { of: string }) => (
  <a href={`/console/requests/${encodeURIComponent(id)}`}>
    <ShortId of={id} />
  </a>
);
