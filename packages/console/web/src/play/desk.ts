import type { TextRequest } from "@manifold-gateway/core";
import { computed, effect, signal } from "@preact/signals";
import { wordsOf } from "../api/refusal.ts";
import { sameJson } from "../codecs/differences.ts";
import { WIRES } from "../codecs/wires.ts";
import { hasEnded } from "../state/session.ts";
import { type Draft, type PaneOf, panesOf } from "./draft.ts";
import { explainAt } from "./explain.ts";
import { keepDraft } from "./kept-draft.ts";
import { bodyOf, clearPanes, paneState } from "./pane-state.ts";

// The state of the text playground. It is that of the page, not of its screen: a reply goes on while another screen is
// looked at.

/** How long a request rests before the service is asked about it, in ms: all of it goes there each time. */
const QUIET_MS = { small: 400, large: 2_000 };
const LARGE = 200_000;

/** The draft; `undefined` until it is known. */
export const draft = signal<Draft | undefined>(undefined);
/** What is wrong with the text of a field, by the field's name: the draft has the value before it. */
export const fieldFaults = signal<Readonly<Record<string, string>>>({});

export const panes = computed(() => (draft.value ? panesOf(draft.value) : []));

/** Shows another draft. */
export function setDraft(next: Draft): void {
  clearPanes();
  fieldFaults.value = {};
  draft.value = next;
  keepDraft(next);
}

export function changeDraft(change: (draft: Draft) => Draft): void {
  if (!draft.value) return;
  const next = change(draft.value);
  if (sameJson(next, draft.value)) return;
  draft.value = next;
  keepDraft(next);
  // The address would show the draft as it was shared.
  if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
}

/** Changes the request. Bodies that were typed and say the same as the draft follow it. */
export const changeRequest = (change: (request: TextRequest) => TextRequest): void =>
  changeDraft((before) => {
    const following = panesOf(before).filter(({ id }) => paneState(id).body.value?.differs?.length === 0);
    const models = before.models.map((one) => {
      const bodies = Object.entries(one.bodies).filter(
        ([protocol]) => !following.some((pane) => pane.id === `${one.id}-${protocol}`),
      );
      return { ...one, bodies: Object.fromEntries(bodies) };
    });
    return { ...before, models, request: change(before.request) };
  });

export function setFieldFault(name: string, fault: string | undefined): void {
  const { [name]: _, ...others } = fieldFaults.value;
  fieldFaults.value = fault === undefined ? others : { ...others, [name]: fault };
}

/** Keeps the bodies and checks of all panes current; returns what ends it. */
export function startDesk(): () => void {
  const ends = [encodeAll(), checkAll()];
  return () => {
    for (const end of ends) end();
  };
}

/** Encodes each pane anew when the draft changes: one body at a time, since the next may hold the same megabytes. */
function encodeAll(): () => void {
  const busy = new Set<string>();
  const encode = async (pane: PaneOf): Promise<void> => {
    const current = draft.value;
    if (!current || busy.has(pane.id)) return;
    busy.add(pane.id);
    const state = paneState(pane.id);
    try {
      state.body.value = await bodyOf(current, pane);
    } catch (error) {
      state.check.value = { fault: wordsOf(error) };
    }
    busy.delete(pane.id);
    const latest = panes.value.find(({ id }) => id === pane.id);
    if (draft.value !== current && latest) await encode(latest);
  };
  return effect(() => {
    for (const pane of panes.value) void encode(pane);
  });
}

function checkAll(): () => void {
  let stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(timer);
    stop.abort();
  };
  const dispose = effect(() => {
    const bodies = panes.value.map((pane) => ({ pane, body: paneState(pane.id).body.value }));
    end();
    if (hasEnded.value) return;
    stop = new AbortController();
    const { signal } = stop;
    const isLarge = bodies.some(({ body }) => body !== undefined && body.text.length > LARGE);
    timer = setTimeout(
      () => {
        for (const { pane, body } of bodies) {
          const { check } = paneState(pane.id);
          if (!body) continue;
          if (body.fault !== undefined) {
            check.value = { fault: body.fault };
            continue;
          }
          const path = WIRES[pane.protocol].path(pane.model);
          explainAt(path, body.text, { payer: "playground", signal }).then(
            (explanation) => {
              check.value = { explanation };
            },
            (error: unknown) => {
              if (!signal.aborted) check.value = { fault: wordsOf(error) };
            },
          );
        }
      },
      QUIET_MS[isLarge ? "large" : "small"],
    );
  });
  return () => {
    dispose();
    end();
  };
}
