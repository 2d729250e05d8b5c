import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Dialog } from "../ui/dialog.tsx";
import { Form } from "../ui/form.tsx";

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
export function TwoStep({ title, sentence, act, onAct, onClose, children }: TwoStepProps) {
  const confirmation = useSignal<string | undefined>(undefined);
  const submit = async (): Promise<void> => {
    if (confirmation.value === undefined) confirmation.value = sentence();
    else await onAct();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form act={confirmation.value === undefined ? "Continue" : act} onSubmit={submit} onCancel={onClose}>
        {confirmation.value === undefined ? (
          children
        ) : (
          <>
            <p role="status">{confirmation.value}</p>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                confirmation.value = undefined;
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
