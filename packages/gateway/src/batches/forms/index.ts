import { chatForm } from "./chat.ts";
import type { BatchForm } from "./form.ts";
import { messagesForm } from "./messages.ts";

export type { BatchForm } from "./form.ts";

/** The formats of batch files, by the names of the surfaces. */
const forms: Readonly<Record<string, BatchForm>> = { chatstyle: chatForm, msgstyle: messagesForm };

/** The format of a surface's batch files. Throws for a surface without batches, which is a defect. */
export function formOf(surface: string): BatchForm {
  const form = forms[surface];
  if (!form) throw new Error(`The surface '${surface}' has no form of batches.`);
  return form;
}
