import { session } from "../state/session.ts";
import type { Draft } from "./draft.ts";
import { withoutFiles } from "./files.ts";

/** Accounts that share a browser do not see each other's. */
const keyOf = (): string => `manifold-play:${session.value?.accountId ?? ""}`;
/** How long a draft rests before it is written: it may hold megabytes. */
const QUIET_MS = 300;

/** The draft to write, and whose it is: another account may be signed in by then. */
let waiting: { key: string; draft: Draft } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps a draft in this browser, soon. It holds no key. */
export function keepDraft(draft: Draft): void {
  waiting = { key: keyOf(), draft };
  timer ??= setTimeout(write, QUIET_MS);
}

/** The text of the draft that this browser was left with. */
export const keptDraft = (): string | null => localStorage.getItem(keyOf());

function write(): void {
  clearTimeout(timer);
  timer = undefined;
  if (!waiting) return;
  const { key, draft } = waiting;
  waiting = undefined;
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    writeWithoutFiles(key, draft);
  }
}

/** Writes what the storage of the browser holds. If it is full of other things, the draft lasts as long as the page. */
function writeWithoutFiles(key: string, draft: Draft): void {
  try {
    localStorage.setItem(key, JSON.stringify(withoutFiles(draft).draft));
  } catch {
    localStorage.removeItem(key);
  }
}

globalThis.addEventListener?.("pagehide", write);
