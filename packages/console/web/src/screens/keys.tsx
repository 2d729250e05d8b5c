import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useKeySpends } from "../keys/spends.ts";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { accountKeys } from "../ui/key-calls.ts";
import { CreateKey } from "../ui/key-dialogs.tsx";
import { KeyTable } from "../ui/key-table.tsx";
import { Empty, Head } from "../ui/parts.tsx";

/** The account's API keys and what each may spend. */
export default function Keys() {
  const [params, set] = useParams();
  const queries = useQueryClient();
  const spendOf = useKeySpends();
  const list = useQuery({
    queryKey: ["keys"],
    queryFn: ({ signal }) => accountKeys.list(signal),
    // What keys have spent is there at once.
    staleTime: 0,
  });
  const renew = (): void => void queries.invalidateQueries({ queryKey: ["keys"] });
  const close = (): void => {
    if (params.new) set({ new: undefined });
    renew();
  };
  return (
    <>
      <Head title="Keys" about="Give each program its own key with its own caps.">
        <button type="button" class="main" onClick={() => set({ new: "key" })}>
          Create key
        </button>
      </Head>
      <Awaited label="keys" of={list}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty>
              <p>No keys yet. Create one for each program.</p>
            </Empty>
          ) : (
            <KeyTable
              rows={results}
              calls={accountKeys}
              spendOf={spendOf}
              onChanged={renew}
              isOfSession
              href={({ id }) => `/console/keys/${encodeURIComponent(id)}`}
            />
          )
        }
      </Awaited>
      {params.new === "key" && list.data && (
        <CreateKey calls={accountKeys} defaults={list.data.defaults} onClose={close} isOfSession />
      )}
    </>
  );
}
