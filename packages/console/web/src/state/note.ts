import { signal } from "@preact/signals";

/** What was done, where nothing else on the page shows it. It goes by itself. */
export const note = signal<string | undefined>(undefined);

const SHOWN_MS = 2_500;
let timer: ReturnType<typeof setTimeout> | undefined;

export function noteDone(text: string): void {
  note.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    note.value = undefined;
  }, SHOWN_MS);
}
