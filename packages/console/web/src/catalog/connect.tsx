import { Field, Form } from "../ui/form.tsx";
import type { Option } from "../ui/options.ts";
import { Section } from "../ui/section.tsx";
import { Select } from "../ui/select.tsx";
import type { Draft } from "./fields.tsx";
import { JsonField } from "./fields.tsx";
import { ConnectionFields, type Preset } from "./provider-form.tsx";

const OTHER = "another address";
const KINDS: Record<Preset["kind"], string> = {
  maker: "makes models",
  host: "hosts models",
  cloud: "cloud",
  router: "router",
  server: "server of your own",
};

interface ConnectProps {
  presets: readonly Preset[];
  preset: Preset | undefined;
  onPreset: (id: string | undefined) => void;
  name: string;
  onName: (name: string) => void;
  of: Draft;
  isChosen: boolean;
  onTest: () => Promise<void>;
}

/** The first step: a known provider or an address, and its key. */
export function Connect({ presets, preset, onPreset, name, onName, of, isChosen, onTest }: ConnectProps) {
  const options: Option[] = [
    { value: OTHER, text: "Another address", note: "of any protocol" },
    ...presets.map(({ id, name, kind }) => ({ value: id, text: name, note: KINDS[kind] })),
  ];
  return (
    <Section title="1. The provider" isCard>
      <Form act="Test it and list its models" onSubmit={onTest}>
        <div class="field">
          <Select
            label="Who it is"
            placeholder="Choose a provider"
            value={isChosen ? (preset?.id ?? OTHER) : undefined}
            options={options}
            onChange={(id) => onPreset(id === OTHER ? undefined : id)}
          />
          {preset?.note && <p class="hint">{preset.note}</p>}
        </div>
        {isChosen && (
          <>
            <ConnectionFields of={of} preset={preset} />
            <Field
              label="Name"
              hint="In routes, records and logs. Callers never see it."
              required
              value={name}
              onInput={onName}
            />
            <JsonField of={of} />
          </>
        )}
      </Form>
    </Section>
  );
}
