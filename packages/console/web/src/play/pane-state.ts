import { type Signal, signal } from "@preact/signals";
import type { PaneBody } from "../codecs/calls.ts";
import { codecs } from "../codecs/codecs.ts";
import type { Draft, PaneOf } from "./draft.ts";
import type { Explanation } from "./explain.ts";
import { toSend } from "./messages.ts";
import type { Run } from "./runs.ts";
import { withValues } from "./variables.ts";

/** What would become of a request, or why that is not known. */
export type Check = { explanation: Explanation } | { fault: string };

/** What is known of a pane beside the draft: each signal draws that pane alone. */
export interface PaneState {
  body: Signal<PaneBody | undefined>;
  check: Signal<Check | undefined>;
  run: Signal<Run | undefined>;
  /** The body that the run was sent with. */
  sent?: string | undefined;
  /** Stops the run, while there is one. */
  stop?: (() => void) | undefined;
}

const states = new Map<string, PaneState>();

export function paneState(id: string): PaneState {
  let state = states.get(id);
  if (!state) {
    state = { body: signal(undefined), check: signal(undefined), run: signal(undefined) };
    states.set(id, state);
  }
  return state;
}

/** Forgets the bodies, checks and answers of the panes of a draft that is put aside. */
export function clearPanes(): void {
  for (const state of states.values()) {
    state.stop?.();
    state.sent = undefined;
    for (const part of [state.body, state.check, state.run]) part.value = undefined;
  }
}

/** The body of a pane, by the codecs. */
export const bodyOf = ({ request, values }: Draft, { protocol, body, model }: PaneOf): Promise<PaneBody> =>
  codecs("bodyOf", { ...withValues(toSend(request), values), model }, protocol, body);
