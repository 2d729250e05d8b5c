import { session } from "../state/session.ts";
import type { Draft } from "./draft.ts";
import { withoutFiles } from "./files.ts";

/** Accounts that share a browser do not see each other's. */
const keyOf = (): string => `manifold-play:${session.value?.accountId ?? ""}`;
/** How long a draft rests before it is written: it may hold megabytes. */
const QUIET_MS = 300;

let waiting: Draft | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps a draft in this browser, soon. It holds no key. */
export function keepDraft(draft: Draft): void {
  waiting = draft;
  timer ??= setTimeout(write, QUIET_MS);
}

/** The text of the draft that this browser was left with. */
export const keptDraft = (): string | null => localStorage.getItem(keyOf());

function write(): void {
  clearTimeout(timer);
  timer = undefined;
  if (!waiting) return;
  const draft = waiting;
  waiting = undefined;
  try {
    localStorage.setItem(keyOf(), JSON.stringify(draft));
  } catch {
    // The storage is too small for the files.
    localStorage.setItem(keyOf(), JSON.stringify(withoutFiles(draft).draft));
  }
}

globalThis.addEventListener?.("pagehide", write);
