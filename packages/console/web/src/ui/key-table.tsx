import { useSignal } from "@preact/signals";
import { CAPS } from "./caps.ts";
import { Clip } from "./clip.tsx";
import { Gauge } from "./gauge.tsx";
import type { Key, KeyCalls } from "./key-calls.ts";
import { ChangeCaps, RevokeKey } from "./key-dialogs.tsx";
import { Menu, type MenuItem } from "./menu.tsx";
import { Failed, Status } from "./parts.tsx";
import { wordsOf } from "./restriction-values.ts";
import { RestrictKey } from "./restrictions.tsx";
import { Table } from "./table.tsx";

const stateOf = ({ isActive, revokedAt }: Key): string =>
  revokedAt !== undefined ? "revoked" : isActive ? "active" : "disabled";

/** What is asked over the page. */
type Kind = "caps" | "limits" | "revoke";

interface KeyTableProps {
  rows: readonly Key[];
  calls: KeyCalls;
  /** Something was changed. */
  onChanged: () => void;
  /** Where the name of a key leads. */
  href?: (key: Key) => string;
  /** More that can be done with a key. */
  more?: (key: Key) => MenuItem[];
}

/** Keys with what each may spend and has spent, and what can be done with them. */
export function KeyTable({ rows, calls, onChanged, href, more }: KeyTableProps) {
  const open = useSignal<{ kind: Kind; key: Key } | undefined>(undefined);
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
  const show = (kind: Kind, key: Key) => (): void => {
    open.value = { kind, key };
  };
  return (
    <>
      {fault.value !== undefined && <Failed error={fault.value} />}
      <Table
        caption="API keys"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: "Name", cell: ({ name }) => <Clip>{name}</Clip>, ...(href && { href }) },
          { title: "Begins with", drops: 2, cell: ({ prefix }) => <code>{prefix}</code> },
          {
            title: "State",
            card: "bare",
            cell: (key) => (
              <span class="stack">
                <Status of={stateOf(key)} />
                {wordsOf(key) && <small class="hint">{wordsOf(key)}</small>}
              </span>
            ),
          },
          { title: "Created", drops: 1, time: ({ createdAt }) => createdAt },
          { title: "Caps", card: "line", cell: (key) => <Caps of={key} /> },
          {
            title: "Actions",
            cell: (key) =>
              key.revokedAt === undefined && (
                <Menu
                  label={`Actions of ${key.name}`}
                  items={[
                    ...(more?.(key) ?? []),
                    { text: "Caps", onClick: show("caps", key) },
                    { text: "Limits", onClick: show("limits", key) },
                    { text: key.isActive ? "Disable" : "Enable", onClick: () => void toggle(key) },
                    { text: "Revoke", isDanger: true, begins: "", onClick: show("revoke", key) },
                  ]}
                />
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

/** The caps that a key has, each with what is spent of it. */
const Caps = ({ of: { name, caps } }: { of: Key }) => (
  <span class="gauges">
    {CAPS.map(
      (cap) => caps?.[cap] && <Gauge key={cap} title={cap} label={`${cap} cap of ${name}`} {...caps[cap]} />,
    )}
  </span>
);
