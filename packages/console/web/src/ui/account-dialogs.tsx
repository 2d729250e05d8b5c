import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { type Answer, call } from "../api/client.ts";
import { usd } from "../format.ts";
import { Dialog } from "./dialog.tsx";
import { Field, Form } from "./form.tsx";

type Account = Answer<"/api/admin/accounts/{accountId}">;

interface ActProps {
  of: Account;
  onClose: () => void;
}

interface TwoStepProps {
  title: string;
  /** What is about to be done, in a sentence; throws what is wrong with the fields. */
  sentence: () => string;
  act: string;
  onAct: () => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}

/** Money moves in two steps: what was typed is said back, and only then done. */
function TwoStep({ title, sentence, act, onAct, onClose, children }: TwoStepProps) {
  const said = useSignal<string | undefined>(undefined);
  const submit = async (): Promise<void> => {
    if (said.value === undefined) said.value = sentence();
    else await onAct();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form act={said.value === undefined ? "Continue" : act} onSubmit={submit} onCancel={onClose}>
        {said.value === undefined ? (
          children
        ) : (
          <>
            <p role="status">{said.value}</p>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                said.value = undefined;
              }}
            >
              Change it
            </button>
          </>
        )}
      </Form>
    </Dialog>
  );
}

const amountOf = (text: string): number => {
  const amount = Number(text);
  if (!(amount > 0)) throw new Error("The amount must be more than 0.");
  return amount;
};

export function AddCredit({ of: account, onClose }: ActProps) {
  const amount = useSignal("");
  // Kept while the dialog is open: sent twice, it is credited once.
  const reference = useSignal(`console-${crypto.randomUUID()}`);
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
        label="Amount in US dollars"
        type="number"
        min="0"
        step="any"
        inputMode="decimal"
        required
        autoFocus
        value={amount.value}
        onInput={(text) => {
          amount.value = text;
        }}
      />
      <Field
        label="Reference"
        hint="An invoice, for one. Each is credited once."
        required
        value={reference.value}
        onInput={(text) => {
          reference.value = text;
        }}
      />
    </TwoStep>
  );
}

export function Refund({ of: account, generation = "", onClose }: ActProps & { generation?: string }) {
  const id = useSignal(generation);
  const amount = useSignal("");
  const isWhole = (): boolean => amount.value.trim() === "";
  const refund = async (): Promise<void> => {
    await call("post", "/api/admin/accounts/{accountId}/refunds", {
      path: { accountId: account.id },
      body: { generationId: id.value, ...(!isWhole() && { amount: amountOf(amount.value) }) },
    });
    onClose();
  };
  return (
    <TwoStep
      title={`Refund to ${account.name}`}
      sentence={() =>
        `${isWhole() ? "The whole charge" : usd(amountOf(amount.value))} of ${id.value} will be given back to ${account.name} (${account.id}). It is done once, and frees no cap.`
      }
      act="Refund"
      onAct={refund}
      onClose={onClose}
    >
      <Field
        label="Request"
        hint="Its generation id."
        required
        autoFocus
        value={id.value}
        onInput={(text) => {
          id.value = text.trim();
        }}
      />
      <Field
        label="Amount in US dollars"
        type="number"
        min="0"
        step="any"
        inputMode="decimal"
        placeholder="the whole charge"
        value={amount.value}
        onInput={(text) => {
          amount.value = text;
        }}
      />
    </TwoStep>
  );
}

export function SetPassword({ of: account, onClose }: ActProps) {
  const login = useSignal(account.login ?? account.name);
  const password = useSignal("");
  const save = async (): Promise<void> => {
    await call("post", "/api/admin/accounts/{accountId}/password", {
      path: { accountId: account.id },
      body: { login: login.value, password: password.value },
    });
    onClose();
  };
  return (
    <Dialog title={`Password of ${account.name}`} onClose={onClose}>
      <Form act="Set password" onSubmit={save} onCancel={onClose}>
        <p>Its sessions end with it.</p>
        <Field
          label="Login"
          autocomplete="off"
          required
          autoFocus
          value={login.value}
          onInput={(text) => {
            login.value = text;
          }}
        />
        <Field
          label="New password"
          type="password"
          autocomplete="off"
          required
          value={password.value}
          onInput={(text) => {
            password.value = text;
          }}
        />
      </Form>
    </Dialog>
  );
}
