import { signal } from "@preact/signals";
import { sameJson } from "../codecs/differences.ts";
import { session } from "../state/session.ts";
import type { Draft } from "./draft.ts";
import { withoutFiles } from "./files.ts";
import type { Run } from "./runs.ts";

/** A draft that was sent, or put aside for another one, with its answers. */
export interface Past {
  at: string;
  draft: Draft;
  /** The answers by pane. */
  runs: Readonly<Record<string, Run>>;
}

const keyOf = (): string => `manifold-play-history:${session.value?.accountId ?? ""}`;
const MOST = 30;

/** What was sent in this session, the newest first. It stays in this tab, and holds no key. */
export const past = signal<readonly Past[]>(keptPast());

/** Adds a draft with its answers. */
export function note(draft: Draft, runs: Past["runs"]): void {
  past.value = [{ at: new Date().toISOString(), draft, runs }, ...past.value].slice(0, MOST);
  keepPast();
}

/** Adds a draft that another takes the place of, unless it is there already. */
export function putAside(draft: Draft | undefined): void {
  if (draft && !past.value.some((one) => sameJson(one.draft, draft))) note(draft, {});
}

export function clearPast(): void {
  past.value = [];
  sessionStorage.removeItem(keyOf());
}

/** Writes as many as the storage of the browser holds, without files and events. */
function keepPast(): void {
  const light = past.value.map(({ at, draft, runs }) => ({
    at,
    draft: withoutFiles(draft).draft,
    runs: Object.fromEntries(Object.entries(runs).map(([id, run]) => [id, { ...run, events: [] }])),
  }));
  for (let most = light.length; most > 0; most = Math.floor(most / 2))
    try {
      sessionStorage.setItem(keyOf(), JSON.stringify(light.slice(0, most)));
      return;
    } catch {}
}

function keptPast(): Past[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf()) ?? "[]") as Past[];
  } catch {
    return [];
  }
}
