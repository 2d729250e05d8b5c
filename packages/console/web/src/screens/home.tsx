import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { compact, usd } from "../format.ts";
import { session } from "../state/session.ts";
import { Copy, Empty, Failed, Head, Loading } from "../ui/parts.tsx";
import { RequestTable } from "../ui/request-table.tsx";

/** What an account looks at first: what is left, what happened last, and how to send the next request. */
export default function Home() {
  if (session.value === null)
    return (
      <>
        <Head title="Home" />
        <Empty>
          <p>
            You are signed in as the operator, and with no account. The operator's screens are at the left.
          </p>
        </Empty>
      </>
    );
  return <AccountHome />;
}

function AccountHome() {
  const last = useQuery({
    queryKey: ["requests", "last"],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/usage", { query: { limit: 10 } as never, signal }),
  });
  const balance = useQuery({
    queryKey: ["account"],
    queryFn: ({ signal }) => call("get", "/api/compat/v1/account", { signal }),
  });
  return (
    <>
      <Head title="Home" />
      {balance.data && (
        <ul class="figures">
          <li>
            <a href="/console/balance">
              <b>{usd(balance.data.creditBalance)}</b> balance
            </a>
          </li>
          <li>
            <a href="/console/balance">
              <b>{usd(balance.data.held)}</b> held for requests under way
            </a>
          </li>
          <li>
            <a href="/console/requests">
              <b>{last.data ? compact(last.data.total) : "–"}</b> requests in all
            </a>
          </li>
        </ul>
      )}
      <h2>Last requests</h2>
      {last.isPending && <Loading what="the last requests" />}
      {last.isError && <Failed error={last.error} retry={() => void last.refetch()} />}
      {last.data?.results.length === 0 && <FirstRequest />}
      {last.data && last.data.results.length > 0 && <RequestTable rows={last.data.results} />}
    </>
  );
}

/** How to send the first request, in a line that works as it stands once the key is put in. */
function FirstRequest() {
  const line = `curl ${location.origin}/api/chatstyle/v1/chat/completions -H "x-api-key: $MANIFOLD_KEY" -H "content-type: application/json" -d '{"model":"sim-chat","messages":[{"role":"user","content":"Hello"}]}'`;
  return (
    <Empty>
      <p>
        No request yet. <a href="/console/keys">Create a key</a>, and send one:
      </p>
      <pre>{line}</pre>
      <Copy text={line} label="Copy the command" />
    </Empty>
  );
}
