import { useSignal } from "@preact/signals";
import { call } from "../api/client.ts";
import { randomName } from "../api/once.ts";
import { usd } from "../format.ts";
import { Field, typedInto } from "../ui/form.tsx";
import { type ActProps, amountOf } from "./account.ts";
import { TwoStep } from "./two-step.tsx";

export function AddCredit({ of: account, onClose }: ActProps) {
  const amount = useSignal("");
  // Kept while the dialog is open: sent twice, it is credited once.
  const reference = useSignal(`console-${randomName()}`);
  const add = async (): Promise<void> => {
    await call("post", "/api/admin/accounts/{accountId}/credit", {
      path: { accountId: account.id },
      body: { amount: amountOf(amount.value), kind: "topup", reference: reference.value },
    });
    onClose();
  };
  return (
    <TwoStep
      title={`Credit for ${account.name}`}
      sentence={() =>
        `${usd(amountOf(amount.value))} will be added to ${account.name} (${account.id}), as ${reference.value}.`
      }
      act="Add credit"
      onAct={add}
      onClose={onClose}
    >
      <Field
        name="amount"
        label="Amount in US dollars"
        type="number"
        min="0"
        step="any"
        inputMode="decimal"
        required
        autoFocus
        {...typedInto(amount)}
      />
      <Field
        name="reference"
        label="Reference"
        hint="Such as an invoice number. Each reference is credited once."
        required
        {...typedInto(reference)}
      />
    </TwoStep>
  );
}
