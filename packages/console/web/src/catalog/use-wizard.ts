import { useSignal } from "@preact/signals";
import { useQueryClient } from "@tanstack/preact-query";
import { call } from "../api/client.ts";
import { count } from "../format.ts";
import { type Change, type Member, type Outcome, ofForm, planOf, refused, type Value } from "./calls.ts";
import type { Draft } from "./fields.tsx";
import { withPart } from "./values.ts";
import { type Choice, changeOf, freeName, missingOf, nameOfAddress, type Test } from "./wizard.ts";

/** A test, and the fields that it was of: once they differ, it says nothing any more. */
interface Tested {
  result: Test;
  name: string;
  value: Value;
}

/** The steps from a provider's key to its models. `declared` is a provider that only gets further models. */
export function useWizard(members: readonly Member[], declared: string | undefined) {
  const queries = useQueryClient();
  const isChosen = useSignal(false);
  const draft: Draft = useSignal({});
  const typedName = useSignal(declared);
  const tested = useSignal<Tested | undefined>(undefined);
  const choices = useSignal<ReadonlyMap<string, Choice>>(new Map());
  const marksMissing = useSignal(false);
  const outcome = useSignal<Outcome | undefined>(undefined);
  const isTesting = useSignal(false);
  const made = useSignal<string[] | undefined>(undefined);

  const { value } = draft;
  const { preset, origin } = value as { preset?: string; origin?: string };
  const name = typedName.value ?? freeName(preset ?? nameOfAddress(origin ?? ""), members);
  const isCurrent = tested.value?.name === name && tested.value.value === value;
  const test = isCurrent ? tested.value?.result : undefined;
  const models = choices.value.size === 1 ? "1 model" : `${count(choices.value.size)} models`;
  const changes = (): Change[] => [
    ...(declared === undefined ? [{ section: "providers" as const, name: name.trim(), value }] : []),
    ...(test?.models ?? []).flatMap((model) => {
      const choice = choices.value.get(model.name);
      return choice ? [changeOf(model, choice, members)] : [];
    }),
  ];

  return {
    ...{ isChosen, name, draft, test, choices, marksMissing, isTesting, made, models },
    outcome: isCurrent ? outcome.value : undefined,
    /** Begins with a known provider, or with an address. */
    begin(preset: string | undefined): void {
      isChosen.value = true;
      draft.value = withPart({}, "preset", preset);
      typedName.value = undefined;
    },
    rename(to: string): void {
      typedName.value = to;
    },
    choose(next: ReadonlyMap<string, Choice>): void {
      choices.value = next;
      outcome.value = undefined;
    },
    async run(): Promise<void> {
      if (declared === undefined && !isChosen.value) throw new Error("Choose a provider first.");
      tested.value = undefined;
      outcome.value = undefined;
      choices.value = new Map();
      const body = { name: name.trim(), ...(declared === undefined && { value }) };
      isTesting.value = true;
      const result = await call("post", "/api/admin/providers/test", { body })
        .catch((error: unknown) => {
          throw ofForm(error, `providers.${body.name}`);
        })
        .finally(() => {
          isTesting.value = false;
        });
      tested.value = { result, name, value };
    },
    async review(): Promise<void> {
      marksMissing.value = true;
      if ([...choices.value.values()].some((one) => missingOf(one).length > 0))
        throw new Error("Some of the chosen models have no price yet.");
      const ids = [...choices.value.values()].map(({ id }) => id.trim());
      if (ids.includes("")) throw new Error("Some of the chosen models have no name for callers.");
      const twice = ids.find((id, at) => ids.indexOf(id) !== at);
      if (twice !== undefined)
        throw new Error(`Two of the chosen models have the name ${twice} for callers: change one.`);
      const found = await planOf(changes).preview();
      if (found.problems.length > 0) throw refused(found.problems, `providers.${name.trim()}`);
      outcome.value = found;
    },
    async apply(): Promise<void> {
      const ids = [...choices.value.values()].map(({ id }) => id.trim());
      const says =
        declared === undefined
          ? `The provider ${name} was added, with ${models}.`
          : `${models} of ${declared} were added.`;
      await planOf(changes).make(queries, says);
      made.value = ids;
    },
  };
}
