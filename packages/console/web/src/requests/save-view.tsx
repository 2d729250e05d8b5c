import { useSignal } from "@preact/signals";
import { keepView, LONGEST_NAME, MOST_VIEWS, views } from "../state/views.ts";
import { Field } from "../ui/form.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";

/** Names what the list shows, so that it is found under *Views* and by the palette. */
export default function SaveView({ query, onClose }: { query: string; onClose: () => void }) {
  const name = useSignal("");
  const chosen = name.value.trim();
  const isThere = views.value.some((one) => one.name === chosen);
  const isFull = !isThere && views.value.length >= MOST_VIEWS;
  return (
    <FormDialog
      title="Save this view"
      act={isThere ? "Replace" : "Save"}
      onSubmit={async () => {
        if (isFull) return;
        keepView({ name: chosen, query });
        onClose();
      }}
      onClose={onClose}
    >
      <Field
        label="Name"
        required
        autoFocus
        maxlength={LONGEST_NAME}
        value={name.value}
        hint={
          isThere
            ? "A view of this name is replaced."
            : "Filters, sorting and range are kept by this browser."
        }
        error={isFull ? `This browser keeps ${MOST_VIEWS} views. Remove one first.` : undefined}
        onInput={(value) => {
          name.value = value;
        }}
      />
    </FormDialog>
  );
}
