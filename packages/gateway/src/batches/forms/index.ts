import { chatForm } from "./chat.ts";
import type { BatchForm } from "./form.ts";
import { messagesForm } from "./messages.ts";

export type { BatchForm } from "./form.ts";

/** The forms of batches, by the names of their surfaces. */
const forms: Readonly<Record<string, BatchForm>> = { chatstyle: chatForm, msgstyle: messagesForm };

/** The form of a surface's batches. Throws if it has none, which no batch can have. */
export function formOf(surface: string): BatchForm {
  const form = forms[surface];
  if (!form) throw new Error(`The surface '${surface}' has no form of batches.`);
  return form;
}
