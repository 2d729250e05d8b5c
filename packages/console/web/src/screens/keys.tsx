import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useParams } from "../state/url.ts";
import { Awaited } from "../ui/awaited.tsx";
import { accountKeys, type Key } from "../ui/key-calls.ts";
import { CreateKey } from "../ui/key-dialogs.tsx";
import { KeyTable } from "../ui/key-table.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { RevealKey } from "../ui/reveal-key.tsx";

/** The account's API keys and what each may spend. */
export default function Keys() {
  const [params, set] = useParams();
  const revealed = useSignal<Key | undefined>(undefined);
  const queries = useQueryClient();
  const list = useQuery({
    queryKey: ["keys"],
    queryFn: ({ signal }) => accountKeys.list(signal),
    // What keys have spent is there at once.
    staleTime: 0,
  });
  const renew = (): void => void queries.invalidateQueries({ queryKey: ["keys"] });
  const close = (): void => {
    revealed.value = undefined;
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
              onChanged={renew}
              href={({ id }) => `/console/usage?key=${encodeURIComponent(id)}`}
              more={(key) => [
                {
                  text: "Reveal",
                  onClick: () => {
                    revealed.value = key;
                  },
                },
              ]}
            />
          )
        }
      </Awaited>
      {params.new === "key" && <CreateKey calls={accountKeys} onClose={close} />}
      {revealed.value && <RevealKey of={revealed.value} onClose={close} />}
    </>
  );
}
