import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import type { Explanation } from "../play/explain.ts";
import { EXPLAINED, type SurfaceName } from "../play/surfaces.ts";
import { useGatewayState } from "../providers/state.ts";
import { type AdminExplanation, asConfig, type Supposed, sampleOf, toAsk } from "../routing/ask.ts";
import { Entries } from "../routing/entries.tsx";
import { RoutingForm } from "../routing/form.tsx";
import { LeftOut, Order } from "../routing/order.tsx";
import { keepWhileOnline } from "../state/keep.ts";
import { useParams } from "../state/url.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { Explained } from "../ui/explained.tsx";
import { Copy, Empty, Head } from "../ui/parts.tsx";

type State = Answer<"/api/admin/state">;
type Account = Answer<"/api/admin/accounts">["results"][number];

/** The models of these entries, those with the most of them first: there is the most to see. */
function byChoice(ofEntries: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const model of ofEntries) counts.set(model, (counts.get(model) ?? 0) + 1);
  return [...counts.keys()].toSorted((a, b) => counts.get(b)! - counts.get(a)! || a.localeCompare(b));
}

/** Which entries a request would be sent to, in which order and why, and what would change that. */
export default function Routing() {
  const state = useGatewayState();
  const accounts = useQuery({
    queryKey: ["accounts", "names"],
    queryFn: ({ signal }) => call("get", "/api/admin/accounts", { query: { limit: 100 }, signal }),
  });
  return (
    <>
      <Head
        title="Routing"
        about="The routes by which a request would go, in order, and why. Nothing is sent, held or charged."
      />
      <Awaited label="providers and accounts" of={together([state, accounts])}>
        {([found, { results }]) =>
          results.length === 0 || found.providers.length === 0 ? (
            <Empty>
              <p>Create an account and configure a provider first.</p>
            </Empty>
          ) : (
            <Preview state={found} accounts={results} />
          )
        }
      </Awaited>
    </>
  );
}

function Preview({ state: { providers }, accounts }: { state: State; accounts: readonly Account[] }) {
  const [params, set] = useParams();
  const models = byChoice(providers.flatMap(({ entries }) => entries.map(({ model }) => model)));
  const surface = (params.surface ?? "chat") as SurfaceName;
  const { account = accounts[0]?.id ?? "", model = models[0] ?? "" } = params;
  const chosen = { ...params, account, model, surface };
  const text = useSignal<string | undefined>(undefined);
  const supposed = useSignal<Record<string, Supposed>>({});
  const shown = text.value ?? sampleOf(surface);
  const explanation = useQuery({
    queryKey: ["routing", chosen, shown, supposed.value],
    queryFn: async ({ signal }) => {
      const { path, body } = toAsk(shown, surface, chosen);
      const ask = { accountId: account, path, body, suppose: supposed.value };
      return { of: await call("post", "/api/admin/explain", { body: ask, signal }), body };
    },
    placeholderData: keepWhileOnline,
    enabled: surface in EXPLAINED,
  });
  return (
    <>
      <RoutingForm
        params={chosen}
        set={set}
        accounts={accountOptions(accounts, account)}
        models={models}
        providers={providers.map(({ id }) => id)}
      />
      <details class="draft">
        <summary>Request body</summary>
        <textarea
          aria-label="Request body"
          rows={8}
          spellcheck={false}
          value={shown}
          onChange={({ currentTarget: { value } }) => {
            text.value = value === sampleOf(surface) ? undefined : value;
          }}
        />
      </details>
      <Awaited label="the route" of={explanation}>
        {({ of, body }) => (
          <Outcome
            of={of}
            body={body}
            model={model}
            supposed={supposed.value}
            suppose={(id, change) => {
              supposed.value = { ...supposed.value, [id]: change };
            }}
          />
        )}
      </Awaited>
    </>
  );
}

/** The accounts by name; the chosen one by its id where it is not among the first. */
const accountOptions = (accounts: readonly Account[], selected: string): [string, string][] => [
  ...accounts.map(({ id, name }): [string, string] => [id, name]),
  ...(accounts.some(({ id }) => id === selected) ? [] : [[selected, selected] as [string, string]]),
];

interface OutcomeProps {
  of: AdminExplanation;
  body: unknown;
  model: string;
  supposed: Readonly<Record<string, Supposed>>;
  suppose: (id: string, change: Supposed) => void;
}

function Outcome({ of: explanation, body, model, supposed, suppose }: OutcomeProps) {
  const { candidates = [], skipped = [] } = explanation.route ?? {};
  return (
    <>
      {candidates.length > 0 && (
        <>
          <header class="head">
            <h2>Order of routes</h2>
            <Copy text={asConfig(model, candidates)} label="Copy as configuration" />
          </header>
          <Order of={candidates} />
        </>
      )}
      {skipped.length > 0 && (
        <>
          <h2>Skipped routes</h2>
          <LeftOut of={skipped} />
        </>
      )}
      {explanation.entries.length > 0 && (
        <>
          <h2>Routes of the model</h2>
          <Entries of={explanation.entries} supposed={supposed} suppose={suppose} />
        </>
      )}
      <h2>Result</h2>
      <Explained
        of={explanation as Explanation}
        body={body}
        upstream={explanation.upstream?.body}
        hasRoute={false}
      />
    </>
  );
}
