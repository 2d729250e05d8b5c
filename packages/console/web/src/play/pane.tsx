import { WIRES } from "../codecs/wires.ts";
import { Badge } from "../ui/badge.tsx";
import { useCopying } from "../ui/copying.tsx";
import { Icon } from "../ui/icons.tsx";
import { Menu } from "../ui/menu.tsx";
import { copyForms } from "./copy-as.ts";
import { changeRequest } from "./desk.ts";
import type { PaneOf } from "./draft.ts";
import { continueWith } from "./messages.ts";
import { PaneFolds } from "./pane-folds.tsx";
import { type PaneState, paneState } from "./pane-state.ts";
import { ReplyParts } from "./reply-parts.tsx";
import type { Run } from "./runs.ts";
import { send } from "./sending.ts";
import { sayCheck } from "./verdicts.tsx";

/** A model in one protocol: what would become of the request, the answer as it comes, and what went over the wire. */
export function Pane({ of: pane, number }: { of: PaneOf; number: number }) {
  const state = paneState(pane.id);
  const { title } = WIRES[pane.protocol];
  const run = state.run.value;
  return (
    <section class="pane" id={`pane-${number}`} tabIndex={-1} aria-label={`${pane.model}, ${title}`}>
      <header>
        <h2 title={pane.model}>{pane.model}</h2>
        <Badge>{title}</Badge>
        <PaneActs of={pane} state={state} />
      </header>
      <CheckLine of={state} />
      {run && (
        <Answer of={run} isEarlier={state.sent !== undefined && state.sent !== state.body.value?.text} />
      )}
      <PaneFolds of={pane} state={state} />
    </section>
  );
}

function PaneActs({ of: pane, state }: { of: PaneOf; state: PaneState }) {
  const { holder, copy, note } = useCopying<HTMLSpanElement>();
  const forms = copyForms(pane.protocol, pane.model, state.body.value?.text ?? "", location.origin);
  const isRunning = state.run.value?.state === "running";
  return (
    <span class="acts" ref={holder}>
      {note}
      <Menu
        label={`Copy the request to ${pane.model}, ${WIRES[pane.protocol].title}`}
        items={forms.map(({ title, text }) => ({ text: title, onClick: () => void copy(text()) }))}
      >
        <Icon name="copy" />
      </Menu>
      <button type="button" class="quiet" onClick={() => (isRunning ? state.stop?.() : void send(pane.id))}>
        {isRunning ? "Stop" : "Send"}
      </button>
    </span>
  );
}

/** What would become of the request, as far as the service was asked. */
function CheckLine({ of: state }: { of: PaneState }) {
  const { text, tone } = sayCheck(state.check.value);
  return <p class={`check ${tone}`}>{text}</p>;
}

const WORDS = { running: "answering …", done: "answer complete", failed: "failed", stopped: "stopped" };

interface AnswerProps {
  of: Run;
  /** The request has changed since. */
  isEarlier: boolean;
}

function Answer({ of: run, isEarlier }: AnswerProps) {
  const { state, fault, finish, parts } = run;
  const first = parts.filter(({ choice }) => choice === 0).map(({ part }) => part);
  const hasCalls = first.some(({ type }) => type === "call");
  return (
    <div class="result">
      <ReplyParts of={parts} />
      {fault !== undefined && (
        <p class="wrong" role="alert">
          {fault}
        </p>
      )}
      <p class="acts">
        <span role="status" class={state === "failed" ? "bad" : "faint"}>
          {WORDS[state]}
          {finish && ` (${finish.raw ?? finish.reason})`}
          {state !== "running" && isEarlier && ", to an earlier request"}
        </span>
        {state !== "running" && first.length > 0 && (
          <button type="button" class="quiet" onClick={() => continueFrom(first)}>
            {hasCalls ? "Answer the call" : "Continue from here"}
          </button>
        )}
      </p>
    </div>
  );
}

/** Takes an answer into the conversation, and goes to where the next word is expected. */
function continueFrom(parts: Parameters<typeof continueWith>[0]): void {
  changeRequest(continueWith(parts));
  requestAnimationFrame(() => {
    const last = document.querySelector(".conversation li:last-of-type");
    last?.querySelector<HTMLElement>("[data-result], textarea")?.focus();
  });
}
