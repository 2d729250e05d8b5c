import { useQuery } from "@tanstack/preact-query";
import { type Answer, call } from "../api/client.ts";
import { ChoiceField, type Draft, JsonField, ManyField, NumberField, setPart, TextField } from "./fields.tsx";
import { SPOKEN } from "./words.ts";

export type Preset = Answer<"/api/admin/presets">["presets"][number];

/** The known providers. */
export const usePresets = () =>
  useQuery({
    queryKey: ["presets"],
    queryFn: async ({ signal }) => (await call("get", "/api/admin/presets", { signal })).presets,
    staleTime: Number.POSITIVE_INFINITY,
  });

const STORED = /^sealed /;

/** The address of a provider, and its credential. */
export function ConnectionFields({ of, preset }: { of: Draft; preset: Preset | undefined }) {
  const { key, preset: id } = of.value as { key?: unknown; preset?: string };
  const isStored = typeof key === "string" && STORED.test(key);
  return (
    <>
      {id === undefined && (
        <>
          <TextField
            of={of}
            path="origin"
            label="Address"
            placeholder="https://api.example.com/v1"
            hint="A path in it replaces the protocol’s own."
          />
          <ManyField of={of} path="protocol" label="Speaks" placeholder="choose" options={SPOKEN} />
        </>
      )}
      {preset?.parts.map((part) =>
        part.values ? (
          <ChoiceField
            key={part.name}
            of={of}
            path={`parts.${part.name}`}
            label={`Part of its address: ${part.name}`}
            placeholder={part.default ?? "as the environment says"}
            options={part.values.map((value) => ({ value, text: value }))}
            takesTyped
          />
        ) : (
          <TextField
            key={part.name}
            of={of}
            path={`parts.${part.name}`}
            label={`Part of its address: ${part.name}`}
            placeholder={part.default ?? "as the environment says"}
          />
        ),
      )}
      {preset?.isSigned ? (
        <p class="hint">
          Its calls are signed. Give the identity as <code>auth</code> in the JSON below, as{" "}
          <code>{'{ "kind": "aws", … }'}</code> of docs/configuration.md.
        </p>
      ) : Array.isArray(key) ? (
        <p class="hint">It has {key.length} credentials, which stand in the JSON below.</p>
      ) : (
        <TextField
          of={of}
          path="key"
          label={preset?.isKeyless ? "Key, if it needs one" : "Key"}
          isSecret={!isStored}
          placeholder={preset?.keyVariable ? `or \${${preset.keyVariable}}` : "none"}
          hint={
            isStored
              ? "A credential is stored, which this stands for. Type another one over it."
              : "Encrypted when it is stored, and never shown again. A variable’s name keeps it outside."
          }
        />
      )}
    </>
  );
}

/** All fields of a provider. */
export const ProviderFields = ({ of, preset }: { of: Draft; preset: Preset | undefined }) => (
  <>
    <ConnectionFields of={of} preset={preset} />
    <NumberField
      of={of}
      path="concurrency.maxConcurrent"
      label="Requests at one time"
      placeholder="no limit"
      onNumber={(most) =>
        setPart(of, "concurrency", most === undefined ? undefined : { maxConcurrent: most })
      }
    />
    <JsonField of={of} />
  </>
);
