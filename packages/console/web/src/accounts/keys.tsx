import { useSignal } from "@preact/signals";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useKeySpends } from "../keys/spends.ts";
import { type Key, type KeyDefaults, keysOf } from "../ui/key-calls.ts";
import { CreateKey } from "../ui/key-dialogs.tsx";
import { KeyTable } from "../ui/key-table.tsx";
import { Empty } from "../ui/parts.tsx";
import { Section } from "../ui/section.tsx";
import type { Account } from "./account.ts";

const keyOf = (accountId: string): string[] => ["admin", accountId, "keys"];

export const useAccountKeys = (accountId: string) =>
  useQuery({
    queryKey: keyOf(accountId),
    queryFn: ({ signal }) => keysOf(accountId).list(signal),
    staleTime: 0,
  });

interface AccountKeysProps {
  of: Account;
  rows: readonly Key[];
  /** What new keys begin with. */
  defaults: KeyDefaults | undefined;
}

/** The keys of an account, which an operator may create, cap and revoke. */
export function AccountKeys({ of: { id }, rows, defaults }: AccountKeysProps) {
  const queries = useQueryClient();
  const calls = keysOf(id);
  const isCreating = useSignal(false);
  const spendOf = useKeySpends(id);
  const renew = (): void => void queries.invalidateQueries({ queryKey: keyOf(id) });
  return (
    <Section
      title="Keys"
      acts={
        <button
          type="button"
          onClick={() => {
            isCreating.value = true;
          }}
        >
          Create key
        </button>
      }
    >
      {rows.length === 0 ? (
        <Empty title="This account has no keys" icon="keys" />
      ) : (
        <KeyTable
          rows={rows}
          calls={calls}
          spendOf={spendOf}
          onChanged={renew}
          href={(key) => `/console/keys/${encodeURIComponent(key.id)}?account=${encodeURIComponent(id)}`}
        />
      )}
      {isCreating.value && (
        <CreateKey
          calls={calls}
          defaults={defaults}
          onClose={() => {
            isCreating.value = false;
            renew();
          }}
        />
      )}
    </Section>
  );
}
