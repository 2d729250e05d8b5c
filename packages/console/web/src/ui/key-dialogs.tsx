import { useSignal } from "@preact/signals";
import { lazy } from "preact-iso";
import { CAPS } from "./caps.ts";
import { Dialog } from "./dialog.tsx";
import { Field, Form, typedInto } from "./form.tsx";
import { FormDialog } from "./form-dialog.tsx";
import type { Caps, Key, KeyCalls, KeyDefaults } from "./key-calls.ts";
import { RawKey } from "./raw-key.tsx";
import { toRestrictions, typedOf } from "./restriction-values.ts";
import { RestrictionFields } from "./restrictions.tsx";

interface KeyProps {
  of: Key;
  calls: KeyCalls;
  onClose: () => void;
}

type Texts = { [cap in (typeof CAPS)[number]]: string };

/** An empty field is no cap, and 0 stops all that costs. */
const toAmounts = (texts: Texts): Caps =>
  Object.fromEntries(CAPS.map((cap) => [cap, texts[cap].trim() === "" ? null : Number(texts[cap])])) as Caps;

const RESETS: Texts = {
  daily: "Starts anew each day at 00:00 UTC.",
  weekly: "Starts anew each Monday at 00:00 UTC.",
  monthly: "Starts anew on the first of each month at 00:00 UTC.",
  total: "Never starts anew.",
};

interface CapFieldsProps {
  texts: { value: Texts };
  /** What the service calls the group that they are in. */
  group?: string;
}

const CapFields = ({ texts, group = "" }: CapFieldsProps) => (
  <>
    {CAPS.map((cap) => (
      <Field
        key={cap}
        name={`${group}${cap}`}
        label={`${cap[0]?.toUpperCase()}${cap.slice(1)} cap in US dollars`}
        type="number"
        min="0"
        step="any"
        inputMode="decimal"
        placeholder="no cap"
        hint={RESETS[cap]}
        value={texts.value[cap]}
        onInput={(text) => {
          texts.value = { ...texts.value, [cap]: text };
        }}
      />
    ))}
  </>
);

const textsOf = (caps: { [cap in (typeof CAPS)[number]]?: number | undefined } = {}): Texts =>
  Object.fromEntries(CAPS.map((cap) => [cap, caps[cap]?.toString() ?? ""])) as Texts;

// Loaded once there is a key to use.
const Begin = lazy(() => import("../keys/begin.tsx"));

interface CreateProps extends Omit<KeyProps, "of"> {
  /** What the fields begin with. */
  defaults?: KeyDefaults | undefined;
  /** The key is one of the account that signed in, which can use it at once. */
  isOfSession?: boolean;
}

export function CreateKey({ calls, defaults, onClose, isOfSession = false }: CreateProps) {
  const name = useSignal("");
  const texts = useSignal(textsOf(defaults?.limits));
  const typed = useSignal(typedOf(defaults?.restrictions));
  const made = useSignal<{ id: string; key: string } | undefined>(undefined);
  const create = async (): Promise<void> => {
    // What was emptied is lifted, whatever the defaults are.
    made.value = await calls.create(name.value, toAmounts(texts.value), toRestrictions(typed.value));
  };
  return (
    <Dialog title="Create a key" onClose={onClose}>
      {made.value === undefined ? (
        <Form act="Create key" onSubmit={create} onCancel={onClose}>
          <Field
            name="name"
            maxlength={64}
            label="Name"
            hint="The program that will use the key."
            required
            autoFocus
            {...typedInto(name)}
          />
          {defaults && <p class="hint">The fields begin with the defaults that the operator has set.</p>}
          <CapFields texts={texts} group="limits." />
          <details open={defaults?.restrictions !== undefined}>
            <summary>Limits</summary>
            <RestrictionFields typed={typed} />
          </details>
        </Form>
      ) : (
        <RawKey text={made.value.key} onClose={onClose}>
          {isOfSession && <Begin id={made.value.id} secret={made.value.key} />}
        </RawKey>
      )}
    </Dialog>
  );
}

export function ChangeCaps({ of: key, calls, onClose }: KeyProps) {
  const texts = useSignal(textsOf(key.limits));
  const save = async (): Promise<void> => {
    await calls.setCaps(key.id, toAmounts(texts.value));
    onClose();
  };
  return (
    <FormDialog title={`Caps of ${key.name}`} act="Save caps" onSubmit={save} onClose={onClose}>
      <CapFields texts={texts} />
    </FormDialog>
  );
}

export function RenameKey({ of: key, calls, onClose }: KeyProps) {
  const name = useSignal(key.name);
  const save = async (): Promise<void> => {
    await calls.rename(key.id, name.value);
    onClose();
  };
  return (
    <FormDialog title={`Rename ${key.name}`} act="Save" onSubmit={save} onClose={onClose}>
      <Field label="Name" required autoFocus {...typedInto(name)} />
    </FormDialog>
  );
}

export function RevokeKey({ of: key, calls, onClose }: KeyProps) {
  const typed = useSignal("");
  const revoke = async (): Promise<void> => {
    if (typed.value !== key.name) throw new Error(`Type “${key.name}” to revoke it.`);
    await calls.revoke(key.id);
    onClose();
  };
  return (
    <FormDialog
      title={`Revoke ${key.name}`}
      act="Revoke for good"
      isDanger
      onSubmit={revoke}
      onClose={onClose}
    >
      <p>All further requests with this key will be refused. This cannot be undone.</p>
      <Field label={`Type “${key.name}”`} required autoFocus {...typedInto(typed)} />
    </FormDialog>
  );
}
