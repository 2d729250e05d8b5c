import { useQuery } from "@tanstack/preact-query";
import { useRoute } from "preact-iso";
import { type Answer, call } from "../api/client.ts";
import { count, duration } from "../format.ts";
import { lineAmount, total } from "../price.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Json, type Mark } from "../ui/json.tsx";
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
      <Awaited what="the request" of={found}>
        {(one) => <OneRequest of={one} />}
      </Awaited>
    </>
  );
}

function OneRequest({ of: one }: { of: Detail }) {
  const [params, set] = useParams();
  const tabs = {
    way: { title: "Way", body: <Way of={one} /> },
    losses: { title: `Losses (${lossesOf(one).length})`, body: <Losses of={one} /> },
    price: { title: "Usage and price", body: <Price of={one} /> },
    ledger: { title: "Ledger", body: <Movements of={one} /> },
    raw: { title: "Raw", body: <Json value={one} label="The record" /> },
  };
  return (
    <>
      <Facts
        of={[
          ["Status", <Status key="s" of={one.status} />],
          ["Time", <When key="t" at={one.createdAt} />],
          ["Cost", <Money key="c" amount={one.usdCost} />],
          ["Took", duration(one.durationMs)],
          ["Kind", one.modality],
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

const text = (value: unknown): string => (value === undefined || value === null ? "–" : String(value));

function Way({ of: { attempts = [], candidates, speed } }: { of: Detail }) {
  return (
    <>
      <h2>Tries</h2>
      {attempts.length === 0 ? (
        <p class="faint">Nothing was sent to a provider, or nothing of it was recorded.</p>
      ) : (
        <Table
          caption="Tries"
          rows={attempts.map((attempt, at) => ({ ...attempt, at }) as Record<string, unknown>)}
          keyOf={({ at }) => String(at)}
          columns={[
            { title: "Try", cell: ({ at }) => Number(at) + 1 },
            { title: "Entry", cell: ({ entry }) => text(entry) },
            { title: "Status", cell: ({ status }) => text(status) },
            { title: "Fault", cell: ({ fault }) => text(fault) },
            { title: "Took", isNumber: true, cell: ({ ms }) => duration(ms as number | undefined) },
          ]}
        />
      )}
      {speed && (
        <Facts of={Object.entries(speed).map(([name, value]): [string, string] => [name, text(value)])} />
      )}
      <h2>Who could have served it</h2>
      <ol>
        {candidates.map((candidate) => (
          <li key={candidate.entry}>
            <code>{candidate.entry}</code> <span class="faint">{text(candidate.protocol ?? "")}</span>
            {candidate.why !== undefined && (
              <span class="warn">
                {" "}
                passed over: {text(candidate.why)} {candidate.detail !== undefined && text(candidate.detail)}
              </span>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

interface Lost {
  path: string;
  why: "unsupported" | "approximated";
  detail?: string | undefined;
  side: "request" | "reply";
}

const lossesOf = ({ losses = [], replyLosses = [] }: Detail): Lost[] => [
  ...losses.map((loss) => ({ ...loss, side: "request" }) as Lost),
  ...replyLosses.map((loss) => ({ ...loss, side: "reply" }) as Lost),
];

function Losses({ of: one }: { of: Detail }) {
  const lost = lossesOf(one);
  const marks = new Map<string, Mark>(
    lost
      .filter(({ side }) => side === "request")
      .map(({ path, why, detail }) => [
        path,
        { tone: why === "unsupported" ? "bad" : "warn", text: detail ? `${why}: ${detail}` : why },
      ]),
  );
  return (
    <>
      {lost.length === 0 ? (
        <p>Nothing was lost: the provider was told all that was asked, and the answer all that it said.</p>
      ) : (
        <Table
          caption="Losses"
          rows={lost}
          keyOf={({ side, path }) => `${side} ${path}`}
          columns={[
            { title: "Side", cell: ({ side }) => side },
            { title: "Place", cell: ({ path }) => <code>{path || "/"}</code> },
            { title: "What", cell: ({ why }) => why },
            { title: "Detail", cell: ({ detail }) => detail ?? "–" },
          ]}
        />
      )}
      {lost.length > 0 && (
        <p class="faint">
          Send <code>x-loss-policy: strict</code> to have such a request refused instead.
        </p>
      )}
      {one.request ? (
        <Json value={one.request} label="The request, with its losses" marks={marks} />
      ) : (
        <p class="faint">The request was not kept, or is not kept any more.</p>
      )}
    </>
  );
}

function Price({ of: { lines, microCost, usage } }: { of: Detail }) {
  if (microCost === undefined) return <p>The request has not ended, so it has no price yet.</p>;
  const sum = total(lines);
  return (
    <>
      {lines.length > 0 && (
        <Table
          caption="Lines of the price"
          rows={lines}
          keyOf={({ unit, rate }) => `${unit} ${rate}`}
          columns={[
            { title: "Unit", cell: ({ unit }) => unit },
            { title: "Count", isNumber: true, cell: ({ count: value }) => count(value) },
            { title: "Micro-USD per million", isNumber: true, cell: ({ rate }) => count(rate) },
            { title: "Micro-USD", isNumber: true, cell: (line) => lineAmount(line) },
          ]}
        />
      )}
      <p>
        {lines.length === 0
          ? "Nothing was charged."
          : `Together, rounded up once: ${count(sum)} micro-USD. Charged: ${count(microCost)} micro-USD.`}
      </p>
      {lines.length > 0 && sum !== microCost && (
        <p class="wrong" role="alert">
          The lines do not add up to what was charged. Please report this.
        </p>
      )}
      {usage?.estimated === true && (
        <p class="warn">The provider counted nothing, so the usage is an estimate.</p>
      )}
      <Json value={usage ?? {}} label="The usage" />
    </>
  );
}

function Movements({ of: { movements } }: { of: Detail }) {
  if (movements.length === 0)
    return (
      <Empty>
        <p>It moved no credit.</p>
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
