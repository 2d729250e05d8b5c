import { useQuery } from "@tanstack/preact-query";
import { useRoute } from "preact-iso";
import { type Answer, call } from "../api/client.ts";
import { duration } from "../format.ts";
import { Losses, lossesOf } from "../request/losses.tsx";
import { Price } from "../request/price.tsx";
import { Way, Why } from "../request/way.tsx";
import type { Try } from "../request/why.ts";
import { inWords, PROTOCOLS } from "../request/words.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Json } from "../ui/json.tsx";
import { Empty, Facts, Head, Id, Money, Status, When } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";
import { Tabs } from "../ui/tabs.tsx";

type Detail = Answer<"/api/compat/v1/usage/{generationId}">;

/** One request in depth: the way it took, what was lost, and how its price came to be. */
export default function Request() {
  const id = useRoute().params.id ?? "";
  const found = useQuery({
    queryKey: ["request", id],
    queryFn: ({ signal }) =>
      call("get", "/api/compat/v1/usage/{generationId}", { path: { generationId: id }, signal }),
  });
  return (
    <>
      <Head title={found.data ? `Request to ${found.data.model}` : "Request"} about={<Id of={id} />} />
      <Awaited label="the request" of={found}>
        {(one) => <OneRequest of={one} />}
      </Awaited>
    </>
  );
}

function OneRequest({ of: one }: { of: Detail }) {
  const [params, set] = useParams();
  const tabs = {
    way: { title: "Attempts", body: <Way of={one} /> },
    losses: { title: `Losses (${lossesOf(one).length})`, body: <Losses of={one} /> },
    price: { title: "Usage and price", body: <Price of={one} /> },
    ledger: { title: "Ledger", body: <Movements of={one} /> },
    raw: { title: "Raw", body: <Json value={one} label="Record" /> },
  };
  return (
    <>
      <Why attempts={one.attempts as Try[] | undefined} status={one.status} />
      <Facts
        of={[
          ["Status", <Status key="s" of={one.status} />],
          ["Time", <When key="t" at={one.createdAt} />],
          ["Cost", <Money key="c" amount={one.usdCost} />],
          ["Duration", duration(one.durationMs)],
          ["Kind", one.modality],
          ["Surface", inWords(PROTOCOLS, one.surface ?? "–")],
          ["Entry", one.entry ?? "–"],
          ...Object.entries(one.tags ?? {}).map(([name, value]): [string, string] => [`Tag ${name}`, value]),
          ...(one.user === undefined ? [] : [["User", one.user] as [string, string]]),
          ["Translated", one.translated === undefined ? "–" : one.translated ? "yes" : "no, passed through"],
        ]}
      />
      <Tabs of={tabs} open={params.tab} onOpen={(tab) => set({ tab })} />
    </>
  );
}

function Movements({ of: { movements } }: { of: Detail }) {
  if (movements.length === 0)
    return (
      <Empty>
        <p>This request moved no credit.</p>
      </Empty>
    );
  return (
    <Table
      caption="Movements of credit"
      rows={movements}
      keyOf={({ id }) => id}
      columns={[
        { title: "Time (UTC)", cell: ({ createdAt }) => <When at={createdAt} /> },
        { title: "Kind", cell: ({ kind }) => kind },
        { title: "Amount", isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
        { title: "Id", cell: ({ id }) => <code>{id}</code> },
      ]}
    />
  );
}
