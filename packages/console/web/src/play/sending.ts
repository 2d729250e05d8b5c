import { computed } from "@preact/signals";
import { ApiError, report } from "../api/client.ts";
import { sendByWorker } from "../codecs/codecs.ts";
import { WIRES } from "../codecs/wires.ts";
import { draft, fieldFaults, panes } from "./desk.ts";
import type { Draft, PaneOf } from "./draft.ts";
import { note } from "./history.ts";
import { bodyOf, paneState } from "./pane-state.ts";
import { advance, type Run, startedRun } from "./runs.ts";

export const isSending = computed(() =>
  panes.value.some(({ id }) => paneState(id).run.value?.state === "running"),
);

/** Why nothing can be sent, if so. */
export const sendingFault = computed(() => {
  const [name] = Object.keys(fieldFaults.value);
  return name === undefined ? undefined : `${name}: ${fieldFaults.value[name]}`;
});

/** Sends the draft to all panes, or to one; resolves when all of them have ended. */
export async function send(only?: string): Promise<void> {
  const current = draft.value;
  const chosen = panes.value.filter(({ id }) => only === undefined || id === only);
  if (!current || chosen.length === 0 || sendingFault.value !== undefined) return;
  const runs = await Promise.all(chosen.map((pane) => sendPane(current, pane)));
  note(current, Object.fromEntries(chosen.map(({ id }, at) => [id, runs[at] as Run])));
}

export function stopAll(): void {
  for (const { id } of panes.value) paneState(id).stop?.();
}

async function sendPane(current: Draft, pane: PaneOf): Promise<Run> {
  const state = paneState(pane.id);
  state.stop?.();
  state.run.value = startedRun;
  const { text, fault } = await bodyOf(current, pane).catch(({ message }: Error) => ({
    text: "",
    fault: message,
  }));
  if (fault !== undefined) {
    const failed: Run = { ...startedRun, state: "failed", fault };
    state.run.value = failed;
    return failed;
  }
  state.sent = text;
  const path = WIRES[pane.protocol].path(pane.model, current.request.stream);
  return new Promise((done) => {
    let run = startedRun;
    const stop = sendByWorker({ protocol: pane.protocol, path, body: text }, (message) => {
      run = advance(run, message);
      // The pane may have been sent again meanwhile.
      if (state.stop === stop) state.run.value = run;
      if (message.type !== "end") return;
      if (state.stop === stop) state.stop = undefined;
      if (message.refusal) {
        const { status, message: words, code, requestId, path: at } = message.refusal;
        report(new ApiError(status, words, code, requestId, at));
      }
      done(run);
    });
    state.stop = stop;
  });
}
