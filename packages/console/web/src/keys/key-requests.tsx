import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { Awaited } from "../ui/awaited.tsx";
import { RequestTable } from "../ui/request-table.tsx";
import { Section } from "../ui/section.tsx";

const LAST = 10;

interface KeyRequestsProps {
  /** The key, and its account for operators. */
  of: { key: string; account?: string };
  /** The same as an address says it. */
  narrowed: string;
}

/** The last requests of a key. */
export function KeyRequests({ of, narrowed }: KeyRequestsProps) {
  const last = useQuery({
    queryKey: ["requests", "last", of],
    queryFn: async ({ signal }) => {
      const query = { key: of.key, limit: LAST };
      return of.account === undefined
        ? await call("get", "/api/compat/v1/usage", {
            query: { ...query, after: "0", request: "false" },
            signal,
          })
        : await call("get", "/api/admin/generations", { query: { ...query, account: of.account }, signal });
    },
  });
  return (
    <Section
      title="Last requests"
      acts={
        <a class="button" href={`/console/requests?${narrowed}`}>
          All requests
        </a>
      }
    >
      <Awaited label="requests" of={last} rows={LAST}>
        {({ results }) =>
          results.length === 0 ? (
            <p class="faint">This key has sent no request yet.</p>
          ) : (
            <RequestTable rows={results} />
          )
        }
      </Awaited>
    </Section>
  );
}
