import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { count, duration } from "../format.ts";
import { Awaited } from "../ui/awaited.tsx";
import { Empty, Facts, Failed, Head, Status, When } from "../ui/parts.tsx";
import { Table } from "../ui/table.tsx";

type State = Answer<"/api/admin/state">;
type Provider = State["providers"][number];
type Entry = Provider["entries"][number];
type Credential = NonNullable<Provider["credentials"]>[number];
type Test = Answer<"/api/admin/providers/{providerId}/test", "post">;

const EVERY_MS = 5_000;

/** The providers to which requests are sent, with the state of each. */
export default function Providers() {
  const state = useQuery({
    queryKey: ["state"],
    queryFn: ({ signal }) => call("get", "/api/admin/state", { signal }),
    refetchInterval: EVERY_MS,
  });
  return (
    <>
      <Head
        title="Providers"
        about={
          state.data && `State in the process ${state.data.process}. Other processes have their own circuits.`
        }
      />
      <Awaited label="providers" of={state}>
        {({ providers, unknownProviders }) => (
          <>
            {providers.length === 0 && (
              <Empty>
                <p>No providers. Add them to the configuration.</p>
              </Empty>
            )}
            {providers.map((provider) => (
              <OneProvider key={provider.id} of={provider} />
            ))}
            {unknownProviders.map(({ id, entries }) => (
              <p key={id} class="warn">
                {count(entries.length)} catalog entries refer to the provider {id}, which is not configured.
              </p>
            ))}
          </>
        )}
      </Awaited>
    </>
  );
}

function OneProvider({ of: provider }: { of: Provider }) {
  const { id, host, protocols, hasKey, credentials, concurrency, entries } = provider;
  const test = useSignal<Test | Error | "running" | undefined>(undefined);
  const run = async (): Promise<void> => {
    test.value = "running";
    test.value = await call("post", "/api/admin/providers/{providerId}/test", {
      path: { providerId: id },
    }).catch((error: Error) => error);
  };
  return (
    <section aria-label={id} class="provider">
      <header class="head">
        <h2>{id}</h2>
        <button
          type="button"
          aria-label={`Test ${id}`}
          aria-disabled={test.value === "running"}
          onClick={run}
        >
          Test
        </button>
      </header>
      <Facts
        of={[
          ["Host", host],
          ["Protocols", protocols.join(", ") || "–"],
          ["Key", credentials ? `${count(credentials.length)} credentials` : hasKey ? "set" : "none"],
          [
            "Concurrency",
            concurrency
              ? `${concurrency.running} of ${concurrency.most} run, ${concurrency.waiting} wait`
              : "no limit",
          ],
        ]}
      />
      <div aria-live="polite">
        <TestResult of={test.value} />
      </div>
      {credentials && <Credentials provider={id} of={credentials} />}
      {entries.length > 0 && <Entries provider={id} of={entries} />}
    </section>
  );
}

function TestResult({ of: result }: { of: Test | Error | "running" | undefined }) {
  if (result === undefined) return null;
  if (result === "running") return <p>Listing its models …</p>;
  if (result instanceof Error) return <Failed error={result} />;
  if (!result.isReached) return <p class="wrong">The test failed: {result.error}</p>;
  const shown = result.models.slice(0, 20).join(", ");
  return (
    <p class="good">
      It lists {count(result.models.length)} models in {duration(result.ms)}: {shown}
      {result.models.length > 20 && " …"}
    </p>
  );
}

/** The keys of a provider that has several: their health as this process knows it, never their values. */
const Credentials = ({ provider, of: credentials }: { provider: string; of: readonly Credential[] }) => (
  <Table
    caption={`Credentials of ${provider}`}
    rows={credentials}
    keyOf={({ name }) => name}
    columns={[
      { title: "Credential", cell: ({ name }) => name },
      { title: "Weight", isNumber: true, cell: ({ weight }) => count(weight) },
      {
        title: "Health",
        cell: ({ state, status }) => (
          <>
            <Status of={state} />
            {status !== undefined && ` (status ${status})`}
          </>
        ),
      },
      { title: "Retried at", cell: ({ until }) => (until ? <When at={until} /> : "–") },
      { title: "Calls", isNumber: true, cell: ({ calls }) => count(calls) },
    ]}
  />
);

const circuitOf = ({ circuit, openAccounts = 0 }: Entry): string =>
  circuit === "closed" && openAccounts > 0 ? `open for ${openAccounts}` : circuit;

function Entries({ provider, of: entries }: { provider: string; of: readonly Entry[] }) {
  const queries = useQueryClient();
  const fault = useSignal<unknown>(undefined);
  const act = async (work: Promise<unknown>): Promise<void> => {
    fault.value = undefined;
    await work.catch((error: unknown) => {
      fault.value = error;
    });
    await queries.invalidateQueries({ queryKey: ["state"] });
  };
  return (
    <>
      {fault.value !== undefined && <Failed error={fault.value} />}
      <Table
        caption={`Routes of ${provider}`}
        rows={entries}
        keyOf={({ id }) => id}
        columns={[
          { title: "Model", cell: ({ model }) => model },
          { title: "Provider’s name", cell: ({ name }) => name },
          { title: "Route", cell: ({ id }) => <code>{id}</code> },
          { title: "State", cell: ({ isActive }) => <Status of={isActive ? "active" : "paused"} /> },
          { title: "Circuit", cell: (entry) => <Status of={circuitOf(entry)} /> },
          { title: "Failures", isNumber: true, cell: ({ failures }) => count(failures) },
          {
            title: "Retried at",
            cell: ({ until, coolingUntil = until }) => (coolingUntil ? <When at={coolingUntil} /> : "–"),
          },
          { title: "Time to first byte", isNumber: true, cell: ({ latency }) => duration(latency) },
          {
            title: "Tokens/s",
            isNumber: true,
            cell: ({ throughput }) => (throughput === undefined ? "–" : count(Math.round(throughput))),
          },
          {
            title: "Actions",
            cell: ({ id: entryId, model, isActive }) => (
              <span class="acts">
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Reset the circuit of ${model}`}
                  onClick={() =>
                    void act(call("post", "/api/admin/circuits/{entryId}/reset", { path: { entryId } }))
                  }
                >
                  Reset
                </button>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`${isActive ? "Pause" : "Serve"} ${model}`}
                  onClick={() =>
                    void act(
                      call("post", "/api/admin/entries/{entryId}", {
                        path: { entryId },
                        body: { isActive: !isActive },
                      }),
                    )
                  }
                >
                  {isActive ? "Pause" : "Serve"}
                </button>
              </span>
            ),
          },
        ]}
      />
      <Lessons provider={provider} of={entries} />
    </>
  );
}

/** What the provider's refusals have shown of its models. */
function Lessons({ provider, of: entries }: { provider: string; of: readonly Entry[] }) {
  const rows = entries.flatMap(({ id, model, learnt = [] }) =>
    learnt.map((lesson) => ({ ...lesson, id, model })),
  );
  if (rows.length === 0) return null;
  return (
    <Table
      caption={`Learnt from refusals of ${provider}`}
      rows={rows}
      keyOf={({ id, protocol, because }) => `${id} ${protocol} ${because}`}
      columns={[
        { title: "Model", cell: ({ model }) => model },
        { title: "Protocol", cell: ({ protocol }) => protocol },
        { title: "Traits", cell: ({ traits }) => <code>{JSON.stringify(traits)}</code> },
        { title: "Provider’s words", cell: ({ because }) => because },
        { title: "Until", cell: ({ until }) => <When at={until} /> },
      ]}
    />
  );
}
