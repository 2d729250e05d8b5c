import { useSignal } from "@preact/signals";
import { type Answer, call } from "../api/client.ts";
import { Icon } from "../ui/icons.tsx";
import { useAccountOptions } from "./account-options.ts";
import { ofForm } from "./calls.ts";
import { ChoiceField, type Draft, JsonField, ManyField, NumberField, setPart, TextField } from "./fields.tsx";
import { EVENTS, optionsOf } from "./words.ts";

/** A secret as the standard of webhooks wants it. */
function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** The fields of a webhook. */
export function WebhookFields({ of, name }: { of: Draft; name: string }) {
  const { secret } = of.value;
  const isStored = typeof secret === "string" && secret.startsWith("sealed ");
  return (
    <>
      <TextField of={of} path="url" label="Address" placeholder="https://ops.example.com/hooks" />
      <TextField
        of={of}
        path="secret"
        label="Secret"
        placeholder="whsec_…"
        hint={
          isStored
            ? "A secret is stored, which this stands for. Type another one over it."
            : "Signs what is sent. Copy it to the receiver now: it is not shown again."
        }
      />
      {!isStored && (
        <button type="button" class="quiet" onClick={() => setPart(of, "secret", makeSecret())}>
          Make a secret
        </button>
      )}
      <ManyField of={of} path="events" label="Events" placeholder="all" options={optionsOf(EVENTS)} />
      <div class="schema-form">
        <ChoiceField
          of={of}
          path="account"
          label="Account"
          options={[{ value: "", text: "All accounts" }, ...useAccountOptions()]}
          takesTyped
          hint="Only events of this account."
        />
        <NumberField
          of={of}
          path="lowBalance"
          label="Low balance, in US dollars"
          placeholder="5"
          hint="A balance that falls below it is an event."
        />
      </div>
      <SendTest name={name} of={of} />
      <JsonField of={of} />
    </>
  );
}

type Test = Answer<"/api/admin/webhooks/test", "post">;

/** Sends an event to the endpoint as it stands in the form, or as it is declared. */
export function SendTest({ name, of }: { name: string; of?: Draft }) {
  const result = useSignal<Test | "running" | undefined>(undefined);
  const fault = useSignal<string | undefined>(undefined);
  const run = async (): Promise<void> => {
    result.value = "running";
    fault.value = undefined;
    const body = { name: name || "test", ...(of && { value: of.value }) };
    try {
      result.value = await call("post", "/api/admin/webhooks/test", { body });
    } catch (error) {
      result.value = undefined;
      fault.value = (ofForm(error, `webhooks.${body.name}`) as Error).message;
    }
  };
  const found = result.value;
  return (
    <>
      <div class="acts">
        <button type="button" aria-disabled={found === "running"} onClick={() => void run()}>
          <Icon name="outside" />
          Send a test event
        </button>
      </div>
      <p role="status" class={typeof found === "object" ? (found.isAccepted ? "good" : "bad") : "faint"}>
        {found === "running" ? "Sending …" : found?.finding}
      </p>
      {fault.value !== undefined && (
        <p class="wrong" role="alert">
          {fault.value}
        </p>
      )}
    </>
  );
}
