import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { CAPS } from "./caps.ts";
import { Gauge } from "./gauge.tsx";
import type { Key, KeyCalls } from "./key-calls.ts";
import { ChangeCaps, RevokeKey } from "./key-dialogs.tsx";
import { Failed, Status, When } from "./parts.tsx";
import { wordsOf } from "./restriction-values.ts";
import { RestrictKey } from "./restrictions.tsx";
import { Table } from "./table.tsx";

const stateOf = ({ isActive, revokedAt }: Key): string =>
  revokedAt !== undefined ? "revoked" : isActive ? "active" : "disabled";

interface KeyTableProps {
  rows: readonly Key[];
  calls: KeyCalls;
  /** Something was changed. */
  onChanged: () => void;
  /** Where the name of a key leads. */
  href?: (key: Key) => string;
  /** More that can be done with a key. */
  more?: (key: Key) => ComponentChildren;
}

/** Keys with what each may spend and has spent, and what can be done with them. */
export function KeyTable({ rows, calls, onChanged, href, more }: KeyTableProps) {
  const open = useSignal<{ kind: "caps" | "limits" | "revoke"; key: Key } | undefined>(undefined);
  const fault = useSignal<unknown>(undefined);
  const close = (): void => {
    open.value = undefined;
    onChanged();
  };
  const toggle = async ({ id, isActive }: Key): Promise<void> => {
    fault.value = undefined;
    await calls.setActive(id, !isActive).catch((error: unknown) => {
      fault.value = error;
    });
    onChanged();
  };
  const act = (label: string, key: Key, onClick: () => void) => (
    <button type="button" class="quiet" aria-label={`${label} ${key.name}`} onClick={onClick}>
      {label}
    </button>
  );
  const opens = (kind: "caps" | "limits" | "revoke", label: string, key: Key) =>
    act(label, key, () => {
      open.value = { kind, key };
    });
  return (
    <>
      {fault.value !== undefined && <Failed error={fault.value} />}
      <Table
        caption="API keys"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: "Name", cell: ({ name }) => name, ...(href && { href }) },
          { title: "Begins with", cell: ({ prefix }) => <code>{prefix}</code> },
          {
            title: "State",
            cell: (key) => (
              <span class="stack">
                <Status of={stateOf(key)} />
                {wordsOf(key) && <small class="hint">{wordsOf(key)}</small>}
              </span>
            ),
          },
          { title: "Created (UTC)", cell: ({ createdAt }) => <When at={createdAt} /> },
          ...CAPS.map((cap) => ({
            title: `${cap[0]?.toUpperCase()}${cap.slice(1)} cap`,
            isNumber: true,
            cell: ({ name, caps }: Key) =>
              caps?.[cap] ? <Gauge label={`${cap} cap of ${name}`} {...caps[cap]} /> : "–",
          })),
          {
            title: "Actions",
            cell: (key) =>
              key.revokedAt === undefined && (
                <span class="acts">
                  {more?.(key)}
                  {opens("caps", "Caps", key)}
                  {opens("limits", "Limits", key)}
                  {act(key.isActive ? "Disable" : "Enable", key, () => void toggle(key))}
                  {opens("revoke", "Revoke", key)}
                </span>
              ),
          },
        ]}
      />
      {open.value?.kind === "caps" && <ChangeCaps of={open.value.key} calls={calls} onClose={close} />}
      {open.value?.kind === "limits" && <RestrictKey of={open.value.key} calls={calls} onClose={close} />}
      {open.value?.kind === "revoke" && <RevokeKey of={open.value.key} calls={calls} onClose={close} />}
    </>
  );
}
