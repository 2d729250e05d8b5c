import { useSignal } from "@preact/signals";
import type { Key, KeyCalls } from "./key-calls.ts";
import { ChangeCaps, RenameKey, RevokeKey } from "./key-dialogs.tsx";
import type { MenuItem } from "./menu.tsx";
import { RestrictKey } from "./restrictions.tsx";
import { RevealKey } from "./reveal-key.tsx";

/** What is asked over the page. */
type Kind = "reveal" | "rename" | "caps" | "limits" | "revoke";

interface KeyActsProps {
  calls: KeyCalls;
  /** Something was changed. */
  onChanged: () => void;
  onFault: (fault: unknown) => void;
  /** The key is one of the account that signed in, which may see it again. */
  isOfSession: boolean;
}

/** What can be done with keys: the items of a key's menu, and the dialog that is open. */
export function useKeyActs({ calls, onChanged, onFault, isOfSession }: KeyActsProps) {
  const open = useSignal<{ kind: Kind; key: Key } | undefined>(undefined);
  const close = (): void => {
    open.value = undefined;
    onChanged();
  };
  const show = (kind: Kind, key: Key) => (): void => {
    open.value = { kind, key };
  };
  const toggle = async ({ id, isActive }: Key): Promise<void> => {
    onFault(undefined);
    await calls.setActive(id, !isActive).catch(onFault);
    onChanged();
  };
  const items = (key: Key): MenuItem[] => [
    ...(isOfSession ? [{ text: "Reveal", onClick: show("reveal", key) }] : []),
    { text: "Caps", onClick: show("caps", key) },
    { text: "Limits", onClick: show("limits", key) },
    { text: "Rename", onClick: show("rename", key) },
    { text: key.isActive ? "Disable" : "Enable", onClick: () => void toggle(key) },
    { text: "Revoke", isDanger: true, begins: "", onClick: show("revoke", key) },
  ];
  const { kind, key } = open.value ?? {};
  const dialog = { of: key as Key, calls, onClose: close };
  return {
    items,
    show,
    dialog: (
      <>
        {kind === "reveal" && <RevealKey {...dialog} />}
        {kind === "rename" && <RenameKey {...dialog} />}
        {kind === "caps" && <ChangeCaps {...dialog} />}
        {kind === "limits" && <RestrictKey {...dialog} />}
        {kind === "revoke" && <RevokeKey {...dialog} />}
      </>
    ),
  };
}
