import { useSignal } from "@preact/signals";
import { type Answer, call } from "../api/client.ts";
import { usd } from "../format.ts";
import { inZone } from "../state/zone.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field, typedInto } from "../ui/form.tsx";
import { Facts, Money, When } from "../ui/parts.tsx";
import { type ActProps, amountOf } from "./account.ts";
import { TwoStep } from "./two-step.tsx";

type Movement = Answer<"/api/admin/accounts/{accountId}/ledger">["results"][number];

/** The line that the ledger has of a refund, among the last. */
async function lineOf(accountId: string, generationId: string): Promise<Movement | undefined> {
  const { results } = await call("get", "/api/admin/accounts/{accountId}/ledger", {
    path: { accountId },
    query: { limit: 100 },
  });
  return results.find((one) => one.kind === "refund" && one.generationId === generationId);
}

const Line = ({ of: { id, kind, amount, createdAt } }: { of: Movement }) => (
  <Facts
    of={[
      ["Kind", kind],
      ["Amount", <Money key="a" amount={amount} />],
      [inZone("Time"), <When key="t" at={createdAt} />],
      ["Id", <code key="i">{id}</code>],
    ]}
  />
);

export function Refund({ of: account, generation = "", onClose }: ActProps & { generation?: string }) {
  const id = useSignal(generation);
  const amount = useSignal("");
  const isWhole = (): boolean => amount.value.trim() === "";
  const line = useSignal<Movement | undefined>(undefined);
  const refund = async (): Promise<void> => {
    await call("post", "/api/admin/accounts/{accountId}/refunds", {
      path: { accountId: account.id },
      body: { generationId: id.value, ...(!isWhole() && { amount: amountOf(amount.value) }) },
    });
    // Refunded before, its line is further down; the account's page leads there.
    line.value = await lineOf(account.id, id.value);
    if (!line.value) onClose();
  };
  if (line.value)
    return (
      <Dialog title={`Refunded to ${account.name}`} onClose={onClose}>
        <p role="status">The ledger has the line:</p>
        <Line of={line.value} />
        <div class="acts">
          <button type="button" class="main" autofocus onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    );
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
        hint="The id of the generation."
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
        {...typedInto(amount)}
      />
    </TwoStep>
  );
}
