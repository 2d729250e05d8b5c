import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { Awaited } from "../ui/awaited.tsx";
import { accountKeys, type Key } from "../ui/key-calls.ts";
import { CreateKey } from "../ui/key-dialogs.tsx";
import { KeyTable } from "../ui/key-table.tsx";
import { Empty, Head } from "../ui/parts.tsx";
import { RevealKey } from "../ui/reveal-key.tsx";

type Open = { kind: "create" } | { kind: "reveal"; key: Key };

/** The account's API keys and what each may spend. */
export default function Keys() {
  const open = useSignal<Open | undefined>(undefined);
  const queries = useQueryClient();
  const list = useQuery({
    queryKey: ["keys"],
    queryFn: ({ signal }) => accountKeys.list(signal),
    // What keys have spent is there at once.
    staleTime: 0,
  });
  const renew = (): void => void queries.invalidateQueries({ queryKey: ["keys"] });
  const close = (): void => {
    open.value = undefined;
    renew();
  };
  return (
    <>
      <Head title="Keys" about="Give each program its own key with its own caps.">
        <button
          type="button"
          class="main"
          onClick={() => {
            open.value = { kind: "create" };
          }}
        >
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
              more={(key) => (
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Reveal ${key.name}`}
                  onClick={() => {
                    open.value = { kind: "reveal", key };
                  }}
                >
                  Reveal
                </button>
              )}
            />
          )
        }
      </Awaited>
      {open.value?.kind === "create" && <CreateKey calls={accountKeys} onClose={close} />}
      {open.value?.kind === "reveal" && <RevealKey of={open.value.key} onClose={close} />}
    </>
  );
}
