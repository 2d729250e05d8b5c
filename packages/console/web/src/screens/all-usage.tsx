import { useQuery } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { useParams } from "../state/url.ts";
import { Typed } from "../ui/filters.tsx";
import { Head } from "../ui/parts.tsx";
import { Explorer } from "../usage/explorer.tsx";
import { filtersIn, toNarrower } from "../usage/link.ts";
import { MonthOfAll } from "../usage/month.tsx";
import { ALL } from "../usage/series.ts";

const SPLITS = ["account", "provider", "model", "key", "modality", "status", "surface", "entry"] as const;
/** The accounts that are offered; others can be typed in. */
const MOST = 100;

/** What all accounts used, by time; every figure leads to a narrower view. */
export default function AllUsage() {
  const [params, set] = useParams();
  const known = useQuery({
    queryKey: ["accounts", "known"],
    queryFn: ({ signal }) => call("get", "/api/admin/accounts", { query: { limit: MOST }, signal }),
  });
  return (
    <>
      <Head
        title="All usage"
        about="Requests of all accounts count in the hour in which they began, once they have ended."
      />
      <Explorer
        path={ALL}
        splits={SPLITS}
        lead={toNarrower}
        nameOfId={(filter, id) =>
          filter === "account" ? known.data?.results.find((one) => one.id === id)?.name : undefined
        }
        filter={
          <Typed
            name="Account"
            value={params.account}
            placeholder="id"
            {...(known.data && {
              suggestions: known.data.results.map(({ id, name }) => [id, name] as const),
            })}
            onChange={(value) => set({ account: value })}
          />
        }
      >
        <MonthOfAll filters={filtersIn(params)} />
      </Explorer>
    </>
  );
}
