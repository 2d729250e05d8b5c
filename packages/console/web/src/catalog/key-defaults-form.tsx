import { useSignal } from "@preact/signals";
import { CAPS } from "../ui/caps.ts";
import { setOf, typedOf } from "../ui/restriction-values.ts";
import { RestrictionFields } from "../ui/restrictions.tsx";
import { type Draft, JsonField, NumberField, setPart } from "./fields.tsx";
import { capital } from "./words.ts";

/** The fields of key defaults: caps, and limits of everything else. */
export function KeyDefaultFields({ of }: { of: Draft }) {
  const typed = useSignal(typedOf(of.value.restrictions as object));
  const restrictions = {
    get value() {
      return typed.value;
    },
    set value(next) {
      typed.value = next;
      const limits = setOf(next);
      setPart(of, "restrictions", Object.keys(limits).length === 0 ? undefined : limits);
    },
  };
  return (
    <>
      <div class="schema-form">
        {CAPS.map((cap) => (
          <NumberField
            key={cap}
            of={of}
            path={`caps.${cap}`}
            label={`${capital(cap)} cap in US dollars`}
            placeholder="no cap"
          />
        ))}
      </div>
      <details open={of.value.restrictions !== undefined}>
        <summary>Limits</summary>
        <RestrictionFields typed={restrictions} />
      </details>
      <JsonField of={of} />
    </>
  );
}
