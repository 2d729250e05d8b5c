import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { counted, usd, wholeUsd } from "../format.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { useParams } from "../state/url.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { Figures } from "../ui/figures.tsx";
import { MovementTable } from "../ui/movement-table.tsx";
import { Pages } from "../ui/pages.tsx";
import { Empty, Head, ShortId } from "../ui/parts.tsx";
import { Section } from "../ui/section.tsx";

const PAGE = 50;

/** What the account has, and every movement that made it so. */
export default function Balance() {
  const [params, set] = useParams();
  const offset = Number(params.offset ?? 0);
  const balance = useQuery({
    queryKey: ["account"],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/account", { signal }),
  });
  const ledger = useQuery({
    queryKey: ["ledger", offset],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/ledger", { query: { offset, limit: PAGE }, signal }),
    placeholderData: keepWhileOnline,
  });
  const all = together([balance, ledger]);
  const { creditBalance: whole, held } = balance.data ?? {};
  const left = whole === undefined || held === undefined ? undefined : whole - held;
  const shown = (amount: number | undefined) => amount !== undefined && usd(amount);
  return (
    <>
      <Head title="Balance" about="Credit is added by the operator." />
      {!all.isError && (
        <Figures
          of={[
            { name: "Available", value: shown(left), note: "balance without what is held" },
            { name: "Balance", value: shown(whole), note: whole === undefined ? undefined : wholeUsd(whole) },
            { name: "Held", value: shown(held), note: "for requests under way" },
          ]}
        />
      )}
      <Section title="Ledger" about={ledger.data && counted(ledger.data.total, "movement")}>
        <Awaited label="the ledger" rows={PAGE} of={all} />
        {ledger.data?.total === 0 && (
          <Empty title="No movements yet" icon="balance">
            <p>A charge, a refund or credit that the operator adds is a line here.</p>
          </Empty>
        )}
        {ledger.data && ledger.data.results.length > 0 && (
          <MovementTable
            rows={ledger.data.results}
            purpose={({ generationId, id }) =>
              generationId === undefined ? (
                <code>{id}</code>
              ) : (
                <>
                  request{" "}
                  <a href={`/console/requests/${encodeURIComponent(generationId)}?tab=price`}>
                    <ShortId of={generationId} />
                  </a>
                </>
              )
            }
          />
        )}
        <Pages offset={offset} size={PAGE} total={ledger.data?.total ?? 0} go={(to) => set({ offset: to })} />
      </Section>
    </>
  );
}
