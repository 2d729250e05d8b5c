/**
 * Copies a text. Over plain HTTP browsers give pages no clipboard, but still copy what is selected, which has to stand
 * beside the button: outside an open dialog nothing can be selected.
 */
export async function copyText(text: string, button: HTMLElement): Promise<void> {
  if (isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "hidden";
  button.after(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  button.focus();
}
