import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { Awaited } from "../ui/awaited.tsx";
import { keysOf } from "../ui/key-calls.ts";
import { CreateKey } from "../ui/key-dialogs.tsx";
import { KeyTable } from "../ui/key-table.tsx";
import type { Account } from "./account.ts";

/** The keys of an account, which an operator may create, cap and revoke. */
export function AccountKeys({ of: { id } }: { of: Account }) {
  const queries = useQueryClient();
  const queryKey = ["admin", id, "keys"];
  const calls = keysOf(id);
  const isCreating = useSignal(false);
  const list = useQuery({ queryKey, queryFn: ({ signal }) => calls.list(signal), staleTime: 0 });
  const renew = (): void => void queries.invalidateQueries({ queryKey });
  return (
    <>
      <header class="head">
        <h2>Keys</h2>
        <button
          type="button"
          onClick={() => {
            isCreating.value = true;
          }}
        >
          Create key
        </button>
      </header>
      <Awaited label="keys" of={list}>
        {({ results }) =>
          results.length === 0 ? (
            <p class="faint">This account has no keys.</p>
          ) : (
            <KeyTable rows={results} calls={calls} onChanged={renew} />
          )
        }
      </Awaited>
      {isCreating.value && (
        <CreateKey
          calls={calls}
          onClose={() => {
            isCreating.value = false;
            renew();
          }}
        />
      )}
    </>
  );
}
