import { useQuery } from "@tanstack/preact-query";
import { useRoute } from "preact-iso";
import { call } from "../api/client.ts";
import { count } from "../format.ts";
import { processName } from "../home/to-look-at.ts";
import { Course } from "../providers/course.tsx";
import { Credentials } from "../providers/credentials.tsx";
import { Failures } from "../providers/failures.tsx";
import { Lessons } from "../providers/lessons.tsx";
import { Routes } from "../providers/routes.tsx";
import { type State, useGatewayState } from "../providers/state.ts";
import { useTest } from "../providers/test.tsx";
import { rangeInWords } from "../providers/words.ts";
import { keepWhileOnline } from "../state/keep.ts";
import { useParams } from "../state/url.ts";
import { Awaited, together } from "../ui/awaited.tsx";
import { Facts, Head } from "../ui/parts.tsx";
import { Section } from "../ui/section.tsx";
import { RangeFilter } from "../usage/range.tsx";
import { rangeIn } from "../usage/time.ts";

/** One provider: how it did over a range beside others, what it answered when it failed, and its state now. */
export default function Provider() {
  const id = useRoute().params.id ?? "";
  const [params, set] = useParams();
  const chosen = { days: "1", ...params };
  const range = rangeIn(chosen);
  const found = useQuery({
    queryKey: ["provider", id, range],
    queryFn: ({ signal }) =>
      call("get", "/api/admin/providers/{providerId}", { path: { providerId: id }, query: range, signal }),
    placeholderData: keepWhileOnline,
  });
  const state = useGatewayState({ isWatched: true });
  const { button, result } = useTest(id);
  const requests = new URLSearchParams({ of: "all", provider: id, ...range });
  const accounts = new URLSearchParams({ by: "account", measure: "errors", provider: id, ...range });
  return (
    <>
      <Head title={id} about={found.data?.host ?? (found.data && "It is no longer configured.")}>
        {found.data?.isConfigured && button}
        <a class="button" href={`/console/requests?${requests}`}>
          Requests
        </a>
        <a class="button" href={`/console/all-usage?${accounts}`}>
          Errors by account
        </a>
        {found.data?.isConfigured && (
          <a class="button" href={`/console/catalog?${new URLSearchParams({ tab: "providers", name: id })}`}>
            Change
          </a>
        )}
        <a class="button" href="/console/providers">
          All providers
        </a>
      </Head>
      {result}
      <search class="filters">
        <RangeFilter params={chosen} shown={range} set={set} />
      </search>
      <Awaited label="the provider" rows={8} of={together([found, state])}>
        {([one, now]) => (
          <>
            <Course of={one} when={rangeInWords(chosen)} set={set} />
            <Failures of={one.failures} />
            <Now id={id} of={now} />
          </>
        )}
      </Awaited>
    </>
  );
}

/** The provider as the process that answers knows it now. */
function Now({ id, of: { providers, process } }: { id: string; of: State }) {
  const provider = providers.find((one) => one.id === id);
  if (!provider) return null;
  const { protocols, hasKey, credentials, concurrency, entries } = provider;
  return (
    <Section title="Now" about={`In the process ${processName(process)}. Others have their own circuits.`}>
      <Facts
        of={[
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
      {credentials && <Credentials provider={id} of={credentials} />}
      {entries.length > 0 && <Routes provider={id} of={entries} />}
      <Lessons provider={id} of={entries} />
    </Section>
  );
}
