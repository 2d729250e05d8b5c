import { useSignal } from "@preact/signals";
import { Field } from "./form.tsx";
import { FormDialog } from "./form-dialog.tsx";
import type { Key, KeyCalls, Restrictions } from "./key-calls.ts";

const SURFACES = ["native", "chatstyle", "msgstyle", "genstyle"] as const;
const COUNTS = {
  requestsPerMinute: "requests a minute",
  tokensPerMinute: "tokens a minute",
  concurrentRequests: "requests at one time",
} as const;
type Count = keyof typeof COUNTS;

/** What is typed: counts and lists as text, and the surfaces that are ticked. */
export interface Typed extends Record<Count | "models" | "expiresAt", string> {
  surfaces: readonly string[];
}

export const typedOf = (restrictions: Restrictions = {}): Typed => ({
  requestsPerMinute: restrictions.requestsPerMinute?.toString() ?? "",
  tokensPerMinute: restrictions.tokensPerMinute?.toString() ?? "",
  concurrentRequests: restrictions.concurrentRequests?.toString() ?? "",
  models: restrictions.models?.join(", ") ?? "",
  surfaces: restrictions.surfaces ?? [],
  // The field takes minutes of UTC.
  expiresAt: restrictions.expiresAt?.slice(0, 16) ?? "",
});

/** What was typed as the service takes it; an empty field lifts the restriction. */
export function toRestrictions(typed: Typed): Restrictions {
  const count = (text: string): number | null => (text.trim() === "" ? null : Number(text));
  const models = typed.models.split(/[\s,]+/).filter(Boolean);
  return {
    requestsPerMinute: count(typed.requestsPerMinute),
    tokensPerMinute: count(typed.tokensPerMinute),
    concurrentRequests: count(typed.concurrentRequests),
    models: models.length > 0 ? models : null,
    surfaces: typed.surfaces.length > 0 ? (typed.surfaces as NonNullable<Restrictions["surfaces"]>) : null,
    expiresAt: typed.expiresAt === "" ? null : `${typed.expiresAt}:00Z`,
  };
}

/** Those that are set, for a new key. */
export const setOf = (typed: Typed): Restrictions =>
  Object.fromEntries(Object.entries(toRestrictions(typed)).filter(([, value]) => value !== null));

/** The restrictions of a key in a few words. */
export function wordsOf({ restrictions = {} }: Key): string {
  const counts = Object.entries(COUNTS).flatMap(([name, words]) => {
    const value = restrictions[name as Count];
    return value == null ? [] : [`${value} ${words}`];
  });
  const { models, surfaces, expiresAt } = restrictions;
  return [
    ...counts,
    ...(models ? [models.join(", ")] : []),
    ...(surfaces ? [surfaces.join(", ")] : []),
    ...(expiresAt ? [`until ${expiresAt.slice(0, 16).replace("T", " ")}`] : []),
  ].join(" · ");
}

export const RestrictionFields = ({ typed }: { typed: { value: Typed } }) => {
  const text = (name: Exclude<keyof Typed, "surfaces">) => ({
    value: typed.value[name],
    onInput: (value: string) => {
      typed.value = { ...typed.value, [name]: value };
    },
  });
  const tick = (name: string): void => {
    const { surfaces } = typed.value;
    const others = surfaces.filter((one) => one !== name);
    typed.value = {
      ...typed.value,
      surfaces: others.length < surfaces.length ? others : [...surfaces, name],
    };
  };
  return (
    <>
      {(Object.keys(COUNTS) as Count[]).map((name) => (
        <Field
          key={name}
          label={COUNTS[name]}
          type="number"
          min="1"
          step="1"
          placeholder="no limit"
          {...text(name)}
        />
      ))}
      <Field
        label="models"
        placeholder="all"
        hint="Ids with commas between; * stands for any text."
        {...text("models")}
      />
      <fieldset>
        <legend>surfaces (none ticked: all)</legend>
        {SURFACES.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={typed.value.surfaces.includes(name)}
              onChange={() => tick(name)}
            />{" "}
            {name}
          </label>
        ))}
      </fieldset>
      <Field label="expires at (UTC)" type="datetime-local" {...text("expiresAt")} />
    </>
  );
};

/** Sets or lifts what a key may do beside what it may spend. */
export function RestrictKey({ of: key, calls, onClose }: { of: Key; calls: KeyCalls; onClose: () => void }) {
  const typed = useSignal(typedOf(key.restrictions));
  const save = async (): Promise<void> => {
    await calls.restrict(key.id, toRestrictions(typed.value));
    onClose();
  };
  return (
    <FormDialog title={`Limits of ${key.name}`} act="Save limits" onSubmit={save} onClose={onClose}>
      <RestrictionFields typed={typed} />
    </FormDialog>
  );
}
