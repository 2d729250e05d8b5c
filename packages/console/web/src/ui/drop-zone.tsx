import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { wordsOf } from "../api/refusal.ts";
import { size } from "../format.ts";
import { AssetPicker } from "../play/asset-picker.tsx";
import { type Attached, attach } from "../play/media.ts";
import type { MediaInput } from "../play/schema-form.ts";
import { DropArea } from "./drop-area.tsx";
import { Select } from "./select.tsx";

interface DropZoneProps {
  of: MediaInput;
  attached: readonly Attached[];
  onChange: (attached: Attached[]) => void;
}

/** Files of one kind that go with the prompt, chosen or dropped; each is checked before it is sent. */
export function DropZone({ of: input, attached, onChange }: DropZoneProps) {
  const id = useId();
  const fault = useSignal<string | undefined>(undefined);
  const { kind, roles, mediaTypes } = input;
  const take = async (files: Iterable<File>): Promise<void> => {
    fault.value = undefined;
    try {
      const read = await Promise.all([...files].map((file) => attach(file, input, size)));
      onChange([...attached, ...read.map((one) => ({ ...one, role: roles[0] }))]);
    } catch (error) {
      fault.value = wordsOf(error);
    }
  };
  const ofKind = attached.map((one, at) => ({ one, at })).filter(({ one }) => one.kind === kind);
  const replace = (at: number, one?: Attached): void =>
    onChange(attached.flatMap((old, index) => (index === at ? (one ? [one] : []) : [old])));
  return (
    <DropArea onFiles={(files) => void take(files)}>
      <label for={id}>Add {kind}: choose a file, or drop one here</label>
      <input
        id={id}
        type="file"
        multiple
        accept={mediaTypes.join(",")}
        aria-describedby={`${id}-note`}
        onChange={(event) => {
          void take(event.currentTarget.files ?? []);
          event.currentTarget.value = "";
        }}
      />
      <p id={`${id}-note`} class="hint" role={fault.value === undefined ? undefined : "alert"}>
        {fault.value === undefined ? (
          mediaTypes.map((type) => type.split("/")[1]).join(", ")
        ) : (
          <span class="wrong">{fault.value}</span>
        )}
      </p>
      {input.assetPart !== undefined && (
        <AssetPicker
          kind={kind}
          onPick={(one) => onChange([...attached, { ...one, role: roles[0], part: input.assetPart ?? "" }])}
        />
      )}
      <ul>
        {ofKind.map(({ one, at }) => (
          <li key={`${at} ${one.name}`}>
            {one.name} <span class="faint">{one.facts}</span>{" "}
            {roles.length > 0 && (
              <Select
                label={`Role of ${one.name}`}
                hidesLabel
                value={one.role}
                options={roles.map((role) => ({ value: role, text: role }))}
                onChange={(role) => replace(at, { ...one, role })}
              />
            )}
            <button type="button" class="quiet" aria-label={`Remove ${one.name}`} onClick={() => replace(at)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
    </DropArea>
  );
}
