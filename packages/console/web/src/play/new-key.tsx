import { useSignal } from "@preact/signals";
import { Dialog } from "../ui/dialog.tsx";
import { Field, Form, typedInto } from "../ui/form.tsx";
import { createPlayKey } from "./key.ts";

interface NewKeyProps {
  /** What the button says. */
  act?: string;
  onClose: () => void;
  onMade: () => void;
}

/** Asks for the cap of the playground's key, and makes it. */
export function NewKey({ act = "Create and send", onClose, onMade }: NewKeyProps) {
  const cap = useSignal("1");
  return (
    <Dialog title="A key for the playground" onClose={onClose}>
      <Form
        act={act}
        onCancel={onClose}
        onSubmit={async () => {
          await createPlayKey(Number(cap.value));
          onClose();
          onMade();
        }}
      >
        <p>
          The APIs require a key. This one is named “playground”, is kept only in this page’s memory, and is
          revoked when you sign out.
        </p>
        <Field
          label="Daily cap in US dollars"
          type="number"
          min="0"
          step="any"
          required
          {...typedInto(cap)}
        />
      </Form>
    </Dialog>
  );
}
