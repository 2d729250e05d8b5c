import { useSignal } from "@preact/signals";
import { Field, typedInto } from "../ui/form.tsx";
import { Select } from "../ui/select.tsx";
import { useAccountOptions } from "./account-options.ts";
import { type Change, type Member, planOf, type Section, type Value } from "./calls.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import type { Draft } from "./fields.tsx";
import { KeyDefaultFields } from "./key-defaults-form.tsx";
import { ModelFields } from "./model-form.tsx";
import { ProviderFields, usePresets } from "./provider-form.tsx";
import { WebhookFields } from "./webhook-form.tsx";
import { capital, KINDS, nameOf, sayDone } from "./words.ts";

/** What a new member begins with. */
const STARTS: Record<Section, Value> = {
  providers: {},
  models: { entries: [{ name: "" }] },
  webhooks: {},
  keyDefaults: {},
};

const LABELS: Partial<Record<Section, { label: string; hint: string }>> = {
  models: { label: "Name for callers", hint: "What requests have as their model." },
  webhooks: { label: "Name", hint: "For logs and metrics." },
};

interface EditProps {
  section: Section;
  /** Absent: a new one is made. */
  member?: Member;
  members: readonly Member[];
  onClose: () => void;
}

/** Makes a member or changes one, after what it would do was seen. */
export function EditMember({ section, member, members, onClose }: EditProps) {
  const name = useSignal(member?.name ?? (section === "keyDefaults" ? "*" : ""));
  const draft: Draft = useSignal(member?.value ?? STARTS[section]);
  const changes = (): Change[] => {
    const change = { section, name: name.value.trim(), value: draft.value };
    const isTaken = (one: Member): boolean => one.section === section && one.name === change.name;
    if (!member && members.some(isTaken))
      throw new Error(`${capital(nameOf(change))} is declared already: change it instead.`);
    return [{ ...change, ...(member?.revision !== undefined && { revision: member.revision }) }];
  };
  const label = LABELS[section];
  const what = nameOf({ section, name: name.value });
  return (
    <ChangeDialog
      title={member ? `Change ${what}` : `New ${KINDS[section]}`}
      act={member ? "Change it" : "Make it"}
      says={sayDone(section, name.value, member ? "changed" : "made")}
      plan={planOf(changes)}
      member={`${section}.${name.value.trim()}`}
      onClose={onClose}
    >
      {!member && label && <Field {...label} required autoFocus {...typedInto(name)} />}
      {!member && section === "keyDefaults" && <AccountField of={name} />}
      <Fields section={section} of={draft} name={name.value} members={members} />
    </ChangeDialog>
  );
}

interface FieldsProps {
  section: Section;
  of: Draft;
  name: string;
  members: readonly Member[];
}

function Fields({ section, of, name, members }: FieldsProps) {
  const presets = usePresets();
  switch (section) {
    case "models": {
      const providers = members.flatMap((one) => (one.section === "providers" ? [one.name] : []));
      return <ModelFields of={of} providers={providers} />;
    }
    case "providers":
      return <ProviderFields of={of} preset={presets.data?.find(({ id }) => id === of.value.preset)} />;
    case "webhooks":
      return <WebhookFields of={of} name={name} />;
    case "keyDefaults":
      return <KeyDefaultFields of={of} />;
  }
}

/** The account whose new keys have the defaults, or all that have none of their own. */
function AccountField({ of: name }: { of: { value: string } }) {
  return (
    <div class="field">
      <Select
        label="Account"
        value={name.value}
        options={[{ value: "*", text: "All accounts without defaults of their own" }, ...useAccountOptions()]}
        takesTyped
        onChange={(id) => {
          name.value = id;
        }}
      />
    </div>
  );
}
