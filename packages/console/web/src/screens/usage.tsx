import { useKeyNames } from "../requests/source.ts";
import { useParams } from "../state/url.ts";
import { Head } from "../ui/parts.tsx";
import { Explorer } from "../usage/explorer.tsx";
import { filtersIn, toRequests } from "../usage/link.ts";
import { Month } from "../usage/month.tsx";
import { ACCOUNT_SERIES } from "../usage/series.ts";

const SPLITS = ["model", "key", "modality", "status", "surface", "entry"] as const;

/** What the account used, by time; every figure leads to its requests. */
export default function Usage() {
  const [params] = useParams();
  const { account: _, provider: _provider, ...filters } = filtersIn(params);
  const keyNames = useKeyNames("account");
  return (
    <>
      <Head title="Usage" about="Requests count in the hour in which they began, once they have ended." />
      <Explorer
        path={ACCOUNT_SERIES}
        splits={SPLITS}
        lead={toRequests}
        nameOfId={(filter, id) => (filter === "key" ? keyNames.get(id) : undefined)}
      >
        <Month filters={filters} />
      </Explorer>
    </>
  );
}
