import { useSignal } from "@preact/signals";
import { useQueryClient } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Dialog } from "../ui/dialog.tsx";
import { Form } from "../ui/form.tsx";
import { Failed, Loading } from "../ui/parts.tsx";
import { type Outcome, type Plan, refused } from "./calls.ts";
import { Review } from "./review.tsx";

interface ChangeDialogProps {
  title: string;
  /** What the button of the last step says. */
  act: string;
  /** What was done, as a sentence. */
  says: string;
  plan: Plan;
  onClose: () => void;
  /** The member that is edited, as findings name it: `models.fast`. */
  member?: string;
  /** The fields; absent where there is nothing to fill in. */
  children?: ComponentChildren;
}

/**
 * A change of what is declared: its fields, then what it would do, then it is made. What is wrong stands beside the
 * fields, and what was typed stays.
 */
export function ChangeDialog(props: ChangeDialogProps) {
  const { title, act, says, plan, onClose, member = "", children } = props;
  const queries = useQueryClient();
  const outcome = useSignal<Outcome | undefined>(undefined);
  const fault = useSignal<unknown>(undefined);
  const isEditing = children !== undefined && outcome.value === undefined;
  const look = async (): Promise<void> => {
    const found = await plan.preview();
    if (found.problems.length === 0) {
      outcome.value = found;
      return;
    }
    throw refused(found.problems, member);
  };
  useEffect(() => {
    if (children === undefined)
      void look().catch((error: unknown) => {
        fault.value = error;
      });
  }, []);
  const breaks = outcome.value?.breaks.length ?? 0;
  const apply = async (): Promise<void> => {
    await plan.make(queries, says);
    onClose();
  };
  return (
    <Dialog title={title} isWide onClose={onClose}>
      {isEditing && (
        <Form act="Review the change" onSubmit={look} onCancel={onClose}>
          {children}
        </Form>
      )}
      {!isEditing && outcome.value === undefined && fault.value === undefined && (
        <Loading label="what it would do" />
      )}
      {fault.value !== undefined && <Failed error={fault.value} />}
      {outcome.value && (
        <Form act={act} isDanger={breaks > 0} onSubmit={apply} onCancel={onClose}>
          <Review of={outcome.value} />
          <FocusOnSubmit />
          {children !== undefined && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                outcome.value = undefined;
              }}
            >
              Back to the fields
            </button>
          )}
        </Form>
      )}
    </Dialog>
  );
}

/** What was to be seen is there: the keyboard goes on with the button that makes it. */
function FocusOnSubmit() {
  const at = useRef<HTMLSpanElement>(null);
  useLayoutEffect(
    () => at.current?.closest("form")?.querySelector<HTMLElement>("[type=submit]")?.focus(),
    [],
  );
  return <span ref={at} />;
}
