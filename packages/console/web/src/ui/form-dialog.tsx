import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";

interface FormDialogProps {
  title: string;
  /** What the button says. */
  act: string;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  /** What the button says that closes it. */
  dismiss?: string;
  isDanger?: boolean;
  children: ComponentChildren;
}

/** A form over the page. */
export const FormDialog = ({
  title,
  act,
  onSubmit,
  onClose,
  dismiss,
  isDanger = false,
  children,
}: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form act={act} onSubmit={onSubmit} onCancel={onClose} dismiss={dismiss} isDanger={isDanger}>
      {children}
    </Form>
  </Dialog>
);
